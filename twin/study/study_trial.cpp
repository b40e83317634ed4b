#include "twin/study/study_trial.hpp"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "twin/run/progress.hpp"
#include "twin/study/one_run.hpp"
#include "twin/study/study_report.hpp"

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
  const RunOutcome outcome = run_one(scenario, [&] { return clock() - read_s > longest_trial_s; });
  const RunTimes& times = outcome.times;
  Trial trial{
      .read_s = read_s - begin_s, .built_s = times.built_s, .started_s = times.started_s, .failure = outcome.message};
  if (outcome.reached_s > 0.0) trial.stepped_s = times.stepped_s * scenario.duration_s / outcome.reached_s;
  const auto runs = static_cast<double>(plan.runs.size());
  trial.study_s = runs * (trial.read_s + trial.built_s + trial.started_s + trial.stepped_s) / threads;
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
  return text + fmt::format("time               {}\ndisk               {:.3g} MB\n", duration_text(trial.study_s),
                            1e-6 * trial.bytes);
}

std::string trial_json(const PlannedStudy& plan, const Trial& trial) {
  using Json = nlohmann::ordered_json;
  Json json{{"study", plan.study.title}, {"runs", plan.runs.size()},     {"read_s", trial.read_s},
            {"built_s", trial.built_s},  {"started_s", trial.started_s}, {"stepped_s", trial.stepped_s},
            {"time_s", trial.study_s},   {"disk_bytes", trial.bytes}};
  if (!trial.failure.empty()) json["failure"] = trial.failure;
  const StudyTable table = listed_runs(plan);
  json["first"] = Json::array();
  for (const StudyRow& row : table.rows) json["first"].push_back(run_text(table, row));
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace wattloop::twin
