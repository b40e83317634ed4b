#include "api/engine/hall_method.hpp"

#include <omp.h>
#include <unistd.h>

#include <atomic>

#include <fmt/format.h>

#include "core/text/printable.hpp"
#include "core/text/problem.hpp"
#include "twin/commands/run/run_inputs.hpp"
#include "twin/scenario/scenario_reader.hpp"

namespace wattloop::engine {

using twin::HallRun;
using twin::Scenario;

namespace {

Scenario read(const GivenScenario& given) {
  return given.text ? twin::read_scenario_text(*given.text, given.file, given.overrides)
                    : twin::read_scenario(given.file, given.overrides);
}

/// In a child of a process that has had halls of many threads no more than one may work: OpenMP waits for threads that are not there.
bool may_have_threads() {
  static std::atomic<pid_t> process = 0;
  pid_t none = 0;
  return process.compare_exchange_strong(none, getpid()) || none == getpid();
}

void check(const HallMethod& method) {
  const bool is_known = method.run.integrator == "multirate" || method.run.integrator == "monolithic";
  Problems problems;
  if (!is_known)
    problems.add({{"integrator", 0, 0},
                  fmt::format("there is no integrator '{}'", printable(method.run.integrator)),
                  "multirate or monolithic",
                  {}});
  constexpr int most_threads = 1024;
  if (method.threads < 1 || method.threads > most_threads)
    problems.add({{"threads", 0, 0}, fmt::format("{} threads", method.threads), "1 to 1024", {}});
  if (method.threads > 1 && !may_have_threads())
    problems.add({{"threads", 0, 0},
                  "threads of a team are not there after fork(2), in whose parent there was one",
                  "threads=1, or start the process anew (multiprocessing: the method spawn)",
                  {}});
  problems.throw_if_any("the options");
}

}  // namespace

std::unique_ptr<HallRun> make_run(const GivenScenario& given, const HallMethod& method) {
  check(method);
  const ThreadCount threads(method.threads);
  return std::make_unique<HallRun>(read(given), method.run);
}

std::unique_ptr<HallRun> make_run(const Snapshot& snapshot, HallMethod& method) {
  method.run = {.integrator = snapshot.origin.integrator};
  check(method);
  const ThreadCount threads(method.threads);
  Scenario scenario = twin::read_scenario_text(snapshot.scenario, snapshot.file);
  if (twin::input_lines_beside_text(scenario) != snapshot.origin.inputs)
    throw FileError(
        "the snapshot is of files that have changed since: a trace, weather, or another input of the scenario");
  return std::make_unique<HallRun>(std::move(scenario), method.run);
}

ThreadCount::ThreadCount(int threads) : before_(omp_get_max_threads()) { omp_set_num_threads(threads); }
ThreadCount::~ThreadCount() { omp_set_num_threads(before_); }

}  // namespace wattloop::engine
