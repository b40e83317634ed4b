#include "twin/study/study_trial.hpp"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/units/units.hpp"
#include "twin/simulation/progress.hpp"
#include "twin/study/plan/study_fork.hpp"
#include "twin/study/runs/run_line.hpp"
#include "twin/study/tables/study_report.hpp"

namespace wattloop::twin {

namespace {

constexpr double longest_trial_s = 5.0;
constexpr std::size_t most_listed = 12;

StudyTable listed_runs(const PlannedStudy& plan) {
  StudyTable table{.title = plan.study.title, .runs = plan.runs.size(), .columns = table_columns(plan)};
  for (std::size_t run = 1; run <= std::min(plan.runs.size(), most_listed); ++run) {
    const StudyRun made = plan.runs.run(run);
    table.rows.push_back({run, 0, made.cells, {}});
  }
  return table;
}

}  // namespace

Trial try_run(const PlannedStudy& plan, const StudyBase& base, int threads) {
  const Clock clock = steady_clock();
  const StudyRun run = plan.runs.run((plan.runs.size() + 1) / 2);
  const double begin_s = clock();
  const Scenario scenario = base.source.with(run.changes);
  const double read_s = clock();
  RunLine line(base.source, plan.fork_s(), plan.study.method);
  const RunOutcome outcome = line.run(run.changes, [&] { return clock() - read_s > longest_trial_s; });
  const RunTimes& times = outcome.times;
  Trial trial{.read_s = read_s - begin_s,
              .built_s = times.built_s,
              .started_s = times.started_s,
              .resumed_s = times.resumed_s,
              .shared_s = times.shared_s,
              .failure = outcome.message};
  const double from_s = times.stepped_s > 0.0 ? plan.fork_s().value_or(0.0) : 0.0;
  if (outcome.reached_s > from_s)
    trial.stepped_s = times.stepped_s * (scenario.duration_s - from_s) / (outcome.reached_s - from_s);
  const auto runs = static_cast<double>(plan.runs.size());
  const double alone_s = runs * (trial.read_s + trial.built_s + trial.started_s + trial.stepped_s);
  trial.study_s = alone_s / threads;
  if (trial.shared_s > 0.0) {
    const double parts = static_cast<double>(std::max(shared_parts(plan), std::size_t(threads)));
    const double before_fork_s = trial.shared_s - trial.built_s - trial.started_s;
    trial.study_s = (parts * (trial.read_s + trial.shared_s) + runs * (trial.resumed_s + trial.stepped_s)) / threads;
    trial.saved_s = (alone_s + runs * before_fork_s) / threads - trial.study_s;
  }
  constexpr double bytes_of_row = 60.0, bytes_of_cell = 20.0, files = 3.0;
  trial.bytes = runs * files * (bytes_of_row + bytes_of_cell * static_cast<double>(table_columns(plan).size()));
  return trial;
}

std::string trial_text(const PlannedStudy& plan, const Trial& trial) {
  const StudyTable table = listed_runs(plan);
  std::string text = fmt::format("{}\n{}\n\n", plan.study.title, plan.runs.product_text());
  for (const StudyRow& row : table.rows) text += fmt::format("  run {}: {}\n", row.run, run_text(table, row));
  if (table.runs > most_listed) text += fmt::format("  and {} more\n", table.runs - most_listed);
  if (!trial.failure.empty()) return text + fmt::format("\nThe run that was tried has no answer: {}\n", trial.failure);
  text +=
      fmt::format("\nof a run           {:.0f} ms read, {:.0f} ms built, {:.0f} ms to its steady state, {} stepped\n",
                  1e3 * trial.read_s, 1e3 * trial.built_s, 1e3 * trial.started_s, duration_text(trial.stepped_s));
  if (trial.shared_s > 0.0) {
    const std::size_t parts = shared_parts(plan);
    text += fmt::format("fork               at {}: {:.0f} ms before it, computed {}, {:.0f} ms to go on; saves {}\n",
                        format_quantity(*plan.fork_s(), "s"), 1e3 * (trial.read_s + trial.shared_s),
                        parts == 1 ? "once for all runs" : fmt::format("{} times for {} runs", parts, plan.runs.size()),
                        1e3 * trial.resumed_s, duration_text(trial.saved_s));
  }
  return text + fmt::format("time               {}\ndisk               {:.3g} MB\n", duration_text(trial.study_s),
                            1e-6 * trial.bytes);
}

std::string trial_json(const PlannedStudy& plan, const Trial& trial) {
  using Json = nlohmann::ordered_json;
  Json json{{"study", plan.study.title}, {"runs", plan.runs.size()},     {"read_s", trial.read_s},
            {"built_s", trial.built_s},  {"started_s", trial.started_s}, {"stepped_s", trial.stepped_s},
            {"time_s", trial.study_s},   {"disk_bytes", trial.bytes}};
  if (trial.shared_s > 0.0)
    json["fork"] = {{"at_s", *plan.fork_s()},
                    {"shared_parts", shared_parts(plan)},
                    {"shared_s", trial.shared_s},
                    {"resumed_s", trial.resumed_s},
                    {"saved_s", std::max(trial.saved_s, 0.0)}};
  if (!trial.failure.empty()) json["failure"] = trial.failure;
  const StudyTable table = listed_runs(plan);
  json["first"] = Json::array();
  for (const StudyRow& row : table.rows) json["first"].push_back(run_text(table, row));
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace wattloop::twin
