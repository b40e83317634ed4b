#include "twin/commands/results/jobs_command.hpp"
#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>
#include "twin/commands/program/command_line_mistake.hpp"
#include "twin/commands/program/exit_codes.hpp"
#include "twin/commands/program/shared_options.hpp"
#include "twin/commands/program/trusted_results.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/tables/local_time.hpp"
#include "core/text/printable.hpp"
#include "core/text/problem.hpp"
#include "core/units/units.hpp"
#include "twin/results/reader/results_reader.hpp"

namespace wattloop::twin {

namespace {

struct JobsOptions {
  std::filesystem::path results;
  std::string sort{};    ///< wait, lost or energy; empty: as they were submitted
  std::size_t most = 0;  ///< lines; 0: all
  bool is_json = false;
};

/// Values that do not exist come last.
void sort_jobs(const std::string& by, double end_s, std::vector<JobOutcome>& jobs) {
  const auto key = [&](const JobOutcome& job) {
    const double value = by == "wait" ? wait_s(job, end_s) : by == "lost" ? lost_s(job) : job.energy_j;
    return std::isnan(value) ? -1.0 : value;
  };
  if (!by.empty())
    std::ranges::stable_sort(jobs, [&](const JobOutcome& a, const JobOutcome& b) { return key(a) > key(b); });
}

std::string jobs_json(const std::vector<JobOutcome>& jobs, double end_s) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const JobOutcome& job : jobs) {
    json.push_back({{"name", job.name},           {"state", job.state},           {"nodes", job.nodes},
                    {"starts", job.starts},       {"stops", job.stops},           {"submitted_s", job.submitted_s},
                    {"started_s", job.started_s}, {"ended_s", job.ended_s},       {"wait_s", wait_s(job, end_s)},
                    {"steps", job.steps},         {"done_s", job.done_s},         {"saving_s", job.saving_s},
                    {"slowed_s", job.slowed_s},   {"shrunk_s", job.shrunk_s},     {"stopped_s", job.stopped_s},
                    {"redone_s", job.redone_s},   {"lost_s", lost_s(job)},        {"node_time_s", job.node_time_s},
                    {"energy_j", job.energy_j},   {"waited_for", job.waited_for}, {"why", job.why}});
    if (job.storage_wait_s != 0.0) json.back()["storage_wait_s"] = job.storage_wait_s;
  }
  return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// Why it waited, then why it waits, stopped last or ended early.
std::string why_text(const JobOutcome& job) {
  if (job.waited_for.empty()) return job.why;
  return "waited " + job.waited_for + (job.why.empty() ? "" : "; " + job.why);
}

std::string jobs_table(const std::vector<JobOutcome>& jobs, const std::string& start, double end_s) {
  constexpr std::size_t columns = 10;
  const auto instant = [&](double time_s) {
    return std::isnan(time_s) ? std::string("-") : instant_text(start, time_s);
  };
  const auto amount = [](double value, std::string_view unit) {
    return std::isnan(value) ? std::string("-") : value == 0.0 ? std::string("0") : format_quantity(value, unit);
  };
  std::vector<std::array<std::string, columns>> rows{
      {"name", "state", "nodes", "submitted", "started", "ended", "wait", "steps", "energy", "lost"}};
  for (const JobOutcome& job : jobs) {
    const std::string submitted = std::isnan(job.submitted_s) ? "before" : instant(job.submitted_s);
    rows.push_back({printable(job.name), printable(job.state), fmt::format("{}", job.nodes), submitted,
                    instant(job.started_s), instant(job.ended_s), amount(wait_s(job, end_s), "s"),
                    fmt::format("{:.0f}", job.steps), amount(job.energy_j, "J"), amount(lost_s(job), "s")});
  }
  std::array<std::size_t, columns> widths{};
  for (const auto& row : rows) {
    for (std::size_t k = 0; k < columns; ++k) widths.at(k) = std::max(widths.at(k), row.at(k).size());
  }
  std::string text;
  for (std::size_t line = 0; line < rows.size(); ++line) {
    for (std::size_t k = 0; k < columns; ++k) text += fmt::format("{:<{}}  ", rows[line].at(k), widths.at(k));
    text += line == 0 ? "why" : printable(why_text(jobs[line - 1]));
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
  }
  return text;
}

int jobs_command(const JobsOptions& options) {
  const ResultsReader results(options.results);
  std::vector<JobOutcome> jobs = results.jobs();
  if (jobs.empty())
    throw FileError(
        fmt::format("cannot read {}: it has no jobs of a queue (`jobs:` of a scenario)", options.results.string()));
  const double end_s = results.summary_number("simulated_time").value_or(std::nan(""));
  sort_jobs(options.sort, end_s, jobs);
  const std::size_t count = jobs.size();
  if (options.most > 0) jobs.resize(std::min(count, options.most));
  if (options.is_json) {
    fmt::print("{}\n", jobs_json(jobs, end_s));
    return done;
  }
  fmt::print("{}", jobs_table(jobs, results.start_iso(), end_s));
  if (jobs.size() < count) fmt::print("and {} more\n", count - jobs.size());
  return done;
}

}  // namespace

void add_jobs(CLI::App& app, std::function<int()>& action) {
  auto options = std::make_shared<JobsOptions>();
  CLI::App* command = app.add_subcommand("jobs", "List the jobs of a queue: wait, run time, lost time, energy");
  command->add_option("results", options->results, "Results file of a run")->type_name("FILE")->required();
  command
      ->add_option("--sort", options->sort,
                   "Order, largest first: wait, lost or energy; if not given, the order of submission")
      ->type_name("COLUMN")
      ->check(CLI::IsMember({"wait", "lost", "energy"}));
  command->add_option("--most", options->most, "Largest number of jobs that are printed")
      ->type_name("COUNT")
      ->check(CLI::PositiveNumber);
  command->add_flag("--json", options->is_json, "Print jobs as JSON, in SI units");
  add_trust(*command);
  command->footer(
      "Energy: energy at the AC inlets of the nodes of the job, while the job had them. `lost`: time for which the job "
      "had its nodes without progress: slowed by GPUs below full clock, with missing nodes, stopped, repeating work "
      "since a checkpoint, or waiting for storage that other jobs used. `why`: before the first start, the reason for "
      "waiting; later, the reason for its present "
      "wait, or for its last stop or early end.\n\n"
      "Examples:\n  wattloop jobs results/day_of_jobs.h5\n"
      "  wattloop jobs results/day_of_jobs.h5 --sort wait --most 10\n"
      "  wattloop jobs results/day_of_jobs.h5 --sort energy\n"
      "  wattloop jobs results/day_of_jobs.h5 --json");
  command->callback([options, &action] { action = [options] { return jobs_command(*options); }; });
}

}  // namespace wattloop::twin
