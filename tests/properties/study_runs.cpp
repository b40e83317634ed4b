// Runs of a study go the way of all runs: figures are, to the bit, those of a `HallRun` by hand, by either integrator and through a fork.
#include <omp.h>

#include <cstring>

#include "tests/support/catch.hpp"
#include "twin/document/document.hpp"
#include "twin/ratings/check_warnings.hpp"
#include "twin/scenario/scenario_reader.hpp"
#include "twin/study/plan/study.hpp"
#include "twin/study/runs/run_line.hpp"

using namespace wattloop;
using namespace wattloop::twin;

namespace {

const std::string scenario_file = WATTLOOP_SOURCE_DIR "/scenarios/one_rack.yaml";
const std::vector<std::string> short_run{"duration=60 s"};
constexpr double fork_s = 20.0;

DocumentChange pump_trips() {
  Problems problems;
  const Node event = read_document_text("at: 30 s\nfail: cdu_1.pump_a\n", "event", problems);
  return {"events", event, true};
}

/// But for the time that the run took.
std::string bytes_of(const std::vector<NamedValue>& figures) {
  std::string bytes;
  for (const NamedValue& figure : figures) {
    if (figure.name == "wall_time" || figure.name == check_warnings_figure) continue;
    bytes += figure.name;
    if (const auto* number = std::get_if<double>(&figure.value))
      bytes.append(reinterpret_cast<const char*>(number), sizeof *number);
    if (const auto* count = std::get_if<std::int64_t>(&figure.value)) bytes += std::to_string(*count);
    if (const auto* text = std::get_if<std::string>(&figure.value)) bytes += *text;
  }
  return bytes;
}

std::string by_hand(const RunMethod& method, double stop_s = -1.0) {
  std::vector<std::string> overrides = short_run;
  overrides.push_back(event_override("at: 30 s, fail: cdu_1.pump_a"));
  HallRun run(read_scenario(scenario_file, overrides), method);
  if (stop_s > 0.0) run.stop_at(stop_s);
  run.begin();
  run.advance_to(60.0);
  return bytes_of(run.figures());
}

Study study_with(const std::string& keys, Problems& problems) {
  return read_study_text("base: " + scenario_file +
                             "\nchanges: { speed: { path: hall.cooling.loops.pump_speed, values: [65 %, 75 %] } }\n"
                             "keep: [pue]\n" +
                             keys,
                         "s.yaml", problems);
}

}  // namespace

TEST_CASE("a run of a study is to the bit a run by hand, by either integrator and through a fork",
          "[study][hall_run]") {
  omp_set_num_threads(1);
  const ScenarioBase base(scenario_file, short_run);
  const std::vector<DocumentChange> changes{pump_trips()};
  const std::string multirate = by_hand(by_multirate()), monolithic = by_hand(by_monolithic());
  CHECK((multirate != monolithic));
  CHECK((bytes_of(RunLine(base).run(changes, {}).figures) == multirate));
  CHECK((bytes_of(RunLine(base, {}, by_monolithic()).run(changes, {}).figures) == monolithic));
  RunLine shared(base, fork_s);
  CHECK((bytes_of(shared.run(changes, {}).figures) == by_hand(by_multirate(), fork_s)));
  CHECK((bytes_of(shared.run({}, {}).figures) != multirate));
  CHECK((bytes_of(shared.run(changes, {}).figures) == by_hand(by_multirate(), fork_s)));
}

TEST_CASE("a study names its integrator, with its mistakes at their place", "[study][hall_run][mistakes]") {
  Problems none, problems;
  CHECK(study_with("integrator: monolithic\n", none).method.integrator == "monolithic");
  CHECK(study_with("", none).method.integrator == "multirate");
  CHECK(none.empty());
  study_with("integrator: monolitic\n", problems);
  study_with("integrator: monolithic\nfork: { at: 10 s }\n", problems);
  REQUIRE(problems.size() == 2);
  CHECK(problems.all()[0].place.line == 4);
  CHECK(problems.all()[0].message == "integrator is 'monolitic', expected multirate or monolithic");
  CHECK(problems.all()[0].hint == "did you mean 'monolithic'?");
  CHECK(problems.all()[1].message == "fork: runs of the monolithic integrator share nothing");
}
