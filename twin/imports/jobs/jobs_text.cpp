// The report of an import of jobs, for people and for programs.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/text/count_text.hpp"
#include "core/text/printable.hpp"
#include "twin/imports/jobs/jobs_text.hpp"

namespace wattloop::twin {

namespace {

using Json = nlohmann::ordered_json;

constexpr double s_per_h = 3600.0;

double span_s(const JobLog& log) { return log.jobs.empty() ? 0.0 : log.jobs.back().submit_s; }

std::set<std::string> classes_of(const JobLog& log) {
  std::set<std::string> classes;
  for (const workload::JobRow& job : log.jobs) classes.insert(job.job_class);
  return classes;
}

double median_run_s(const JobLog& log) {
  std::vector<double> times_s;
  for (const workload::JobRow& job : log.jobs) times_s.push_back(job.run_time_s);
  const auto middle = times_s.begin() + static_cast<std::ptrdiff_t>(times_s.size() / 2);
  std::ranges::nth_element(times_s, middle);
  return *middle;
}

}  // namespace

std::vector<std::string> jobs_comment(const JobLog& log) {
  std::string head(imported_jobs_head.substr(2));
  head.pop_back();
  return {head,
          fmt::format("from {} ({}): {} of {} jobs; the first was submitted at {}",
                      std::filesystem::path(log.file).filename().string(), log.format, log.jobs.size(), log.logged,
                      clock_text(log.clock, log.begin_s)),
          "submit_s, run_time_s and time_limit_s in seconds; nodes 0: the log says GPUs alone; no time_limit_s: none"};
}

std::vector<std::string> jobs_text(const JobLog& log, const std::filesystem::path& output) {
  std::vector<std::string> lines;
  const auto add = [&](std::string_view head, const std::string& text) {
    lines.push_back(fmt::format("{:<10} {}", head, printable(text)));
  };
  const auto count = [&](std::string_view head, const JobCount& some, std::string_view what) {
    if (some.count > 0)
      add(head, fmt::format("{} {}; the first is {} in line {}", some.count, what, some.first, some.first_line));
  };
  add("log", fmt::format("{}: {}, {} with GPUs", log.format, count_text(log.logged, "job"), log.gpu_jobs));
  add("time", fmt::format("first submitted at {}, the last {} later; median run time {}",
                          clock_text(log.clock, log.begin_s), span_text(span_s(log)), span_text(median_run_s(log))));
  count("left out", log.never_ran, "never ran");
  count("left out", log.without_times, "without times");
  count("left out", log.backwards, "whose times run backwards");
  count("left out", log.without_resources, "that ask for no GPU and no node");
  count("left out", log.too_large, "that request more than a billion nodes or GPUs");
  if (log.part_of_a_gpu.count > 0) {
    add("shares",
        fmt::format(
            "{} of {} jobs of one GPU request a part of it, and count as a whole GPU; the first is {} in line {}",
            log.part_of_a_gpu.count, log.one_gpu_jobs, log.part_of_a_gpu.first, log.part_of_a_gpu.first_line));
    add("", fmt::format("{:.6g} GPU hours are written, {:.6g} were requested", log.gpu_s / s_per_h,
                        log.asked_gpu_s / s_per_h));
  }
  count("running", log.running, "that were running when the log was written, with their run time until then");
  if (log.skipped_lines > 0)
    add("skipped", fmt::format("{} of steps, waiting arrays or parts of jobs", count_text(log.skipped_lines, "line")));
  if (log.out_of_order > 0)
    add("order", fmt::format("{} jobs were submitted before the one in the line before: sorted", log.out_of_order));
  if (log.without_limit > 0)
    add("limits", fmt::format("{} of {} jobs have no time limit", log.without_limit, log.jobs.size()));
  lines.push_back(fmt::format("{}: {}, {:.6g} GPU hours, {} class{}", printable(output.string()),
                              count_text(log.jobs.size(), "job"), log.gpu_s / s_per_h, classes_of(log).size(),
                              classes_of(log).size() == 1 ? "" : "es"));
  return lines;
}

std::string jobs_json(const JobLog& log, const std::filesystem::path& output) {
  const auto count = [](const JobCount& some) {
    return some.count > 0 ? Json{{"count", some.count}, {"first", some.first}, {"line", some.first_line}}
                          : Json{{"count", 0}};
  };
  const Json json{{"out", output.string()},
                  {"format", log.format},
                  {"file", log.file},
                  {"logged_jobs", log.logged},
                  {"written_jobs", log.jobs.size()},
                  {"gpu_jobs", log.gpu_jobs},
                  {"one_gpu_jobs", log.one_gpu_jobs},
                  {"first_submission", clock_text(log.clock, log.begin_s)},
                  {"span_s", span_s(log)},
                  {"median_run_time_s", median_run_s(log)},
                  {"never_ran", count(log.never_ran)},
                  {"part_of_a_gpu", count(log.part_of_a_gpu)},
                  {"without_times", count(log.without_times)},
                  {"times_backwards", count(log.backwards)},
                  {"without_resources", count(log.without_resources)},
                  {"too_large", count(log.too_large)},
                  {"running", count(log.running)},
                  {"skipped_lines", log.skipped_lines},
                  {"out_of_order", log.out_of_order},
                  {"without_time_limit", log.without_limit},
                  {"gpu_h", log.gpu_s / s_per_h},
                  {"asked_gpu_h", log.asked_gpu_s / s_per_h},
                  {"classes", classes_of(log)},
                  {"notes", log.notes}};
  return json.dump(2, ' ', true, Json::error_handler_t::replace);
}

}  // namespace wattloop::twin
