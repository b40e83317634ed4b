#include "twin/imports/jobs/job_log.hpp"

#include <algorithm>
#include <cmath>
#include <compare>
#include <functional>
#include <limits>
#include <unordered_map>

#include <fmt/format.h>

#include "core/tables/log_table.hpp"

namespace wattloop::twin {

namespace {

constexpr double most_count = 1e9;

bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

std::string_view format_of(std::string_view line) {
  if (line.starts_with(';')) return "swf";
  if (has(line, "JobID") && has(line, "|")) return "sacct";
  if (has(line, "gpu_milli")) return "alibaba";
  if (has(line, "job_id") && has(line, "gpu_num")) return "acme";
  const bool is_of_numbers = line.find_first_not_of("0123456789-+. \t") == std::string_view::npos;
  return is_of_numbers ? "swf" : "";
}

const JobFormat* detect(const std::string& file, Problems& problems) {
  LogLines lines(file, problems);
  CsvLine line;
  if (!lines.next(line)) return nullptr;
  const auto found = std::ranges::find(job_formats, format_of(line.text), &JobFormat::name);
  if (found != job_formats.end()) return found;
  std::string known;
  for (const JobFormat& one : job_formats)
    known += fmt::format("{}{} ({})", known.empty() ? "" : ", ", one.name, one.words);
  problems.add({{file, line.number, 1},
                "the format of this log is not known",
                "--format names it: " + known,
                std::string(line.text.substr(0, 90))});
  return nullptr;
}

/// Line of the first job that cannot be used.
int first_left_out(const JobLog& log) {
  int first = 0;
  for (const JobCount* some :
       {&log.never_ran, &log.without_times, &log.backwards, &log.without_resources, &log.too_large}) {
    if (some->count > 0 && (first == 0 || some->first_line < first)) first = some->first_line;
  }
  return first;
}

/// "2 never ran (the first is 17 in line 3)"; only what there is.
std::string left_out_text(const JobLog& log) {
  std::string text;
  const auto add = [&](const JobCount& some, std::string_view what) {
    if (some.count == 0) return;
    text += fmt::format("{}{} {} (the first is {} in line {})", text.empty() ? "" : ", ", some.count, what, some.first,
                        some.first_line);
  };
  add(log.never_ran, "never ran");
  add(log.without_times, "without times");
  add(log.backwards, "whose times run backwards");
  add(log.without_resources, "that ask for no node and no GPU");
  add(log.too_large, "that ask for more than a billion nodes or GPUs");
  return text;
}

/// Gives jobs that have the name of an earlier one a name of their own; how many. Names are compared by their hashes first, because a map of all names
/// would take as much memory as the jobs.
std::size_t rename_repeated(std::vector<workload::JobRow>& jobs) {
  struct Named {
    std::size_t hash, job;
    auto operator<=>(const Named&) const = default;
  };
  std::vector<Named> named;
  named.reserve(jobs.size());
  for (std::size_t job = 0; job < jobs.size(); ++job) named.push_back({std::hash<std::string>()(jobs[job].name), job});
  std::ranges::sort(named);
  std::size_t renamed = 0;
  for (std::size_t first = 0, last = 0; first < named.size(); first = last) {
    while (last < named.size() && named[last].hash == named[first].hash) ++last;
    if (last - first == 1) continue;
    std::unordered_map<std::string, std::size_t> seen;
    for (std::size_t k = first; k < last; ++k) {
      std::string& name = jobs[named[k].job].name;
      const std::size_t before = seen[name]++;
      if (before == 0) continue;
      ++renamed;
      name += fmt::format(".run_{}", before + 1);
    }
  }
  return renamed;
}

}  // namespace

void JobBook::add(const LoggedJob& job, int line) {
  ++log_.logged;
  log_.gpu_jobs += job.gpus > 0.0 ? 1 : 0;
  const bool is_share = job.gpus != std::floor(job.gpus);
  if (job.gpus > 0.0 && job.gpus <= 1.0) ++log_.one_gpu_jobs;
  if (is_share) log_.part_of_a_gpu.add(job.name, line);
  if (!job.submit_s) return log_.without_times.add(job.name, line);
  if (latest_submit_s_ && *job.submit_s < *latest_submit_s_) ++log_.out_of_order;
  latest_submit_s_ = job.submit_s;
  std::optional<double> run_time_s = job.run_time_s;
  if (!run_time_s && job.start_s && job.end_s) run_time_s = *job.end_s - *job.start_s;
  const bool is_backwards = (run_time_s && *run_time_s < 0.0) ||
                            (job.start_s && job.end_s && *job.end_s < *job.start_s) ||
                            (job.start_s && *job.start_s < *job.submit_s);
  if (is_backwards) return log_.backwards.add(job.name, line);
  if (!job.start_s && !(run_time_s && *run_time_s > 0.0)) return log_.never_ran.add(job.name, line);
  if (!run_time_s) return log_.without_times.add(job.name, line);
  if (job.nodes <= 0.0 && job.gpus <= 0.0) return log_.without_resources.add(job.name, line);
  if (job.nodes > most_count || job.gpus > most_count) return log_.too_large.add(job.name, line);
  if (job.is_running) log_.running.add(job.name, line);
  const double gpus = std::ceil(job.gpus);
  log_.without_limit += job.time_limit_s ? 0 : 1;
  log_.gpu_s += gpus * *run_time_s;
  log_.asked_gpu_s += job.gpus * *run_time_s;
  log_.jobs.push_back({.name = job.name,
                       .submit_s = *job.submit_s,
                       .nodes = static_cast<std::size_t>(job.nodes),
                       .gpus = static_cast<std::size_t>(gpus),
                       .run_time_s = *run_time_s,
                       .time_limit_s = job.time_limit_s.value_or(std::numeric_limits<double>::infinity()),
                       .priority = job.priority,
                       .job_class = job.job_class});
}

void JobBook::finish() {
  std::ranges::stable_sort(log_.jobs, {}, &workload::JobRow::submit_s);
  log_.begin_s = log_.jobs.empty() ? 0.0 : log_.jobs.front().submit_s;
  for (workload::JobRow& job : log_.jobs) job.submit_s = std::round((job.submit_s - log_.begin_s) * 1e6) / 1e6;
  std::size_t renamed = 0;
  for (std::size_t more = 1; more > 0; renamed += more)
    more = rename_repeated(log_.jobs);  // a new name may be that of another job
  if (renamed > 0)
    log_.notes.push_back(fmt::format(
        "{} jobs have a name that occurs before, because they were started again: they are named NAME.run_2 and so on",
        renamed));
}

JobLog import_jobs(const std::filesystem::path& path, const JobRequest& request) {
  Problems problems;
  const std::string file = path.string();
  JobLog log{.file = file};
  const auto asked = std::ranges::find(job_formats, request.format, &JobFormat::name);
  const JobFormat* const format = asked != job_formats.end() ? &*asked : detect(file, problems);
  problems.throw_if_any(file);
  log.format = format->name;
  JobBook book(log);
  LogLines lines(path, problems);
  CsvProblems collected(file, problems);
  ReadingJobs reading{request, log, book, lines, collected};
  if (lines.is_whole()) format->read(reading);
  if (problems.empty() && collected.empty() && log.logged == 0)
    collected.add("there is no job in this log", "rows of jobs");
  if (problems.empty() && collected.empty() && log.jobs.empty()) {
    LogLines again(path, problems);  // text of lines is not kept
    CsvLine line;
    for (const int first = first_left_out(log); again.next(line) && line.number < first;) continue;
    collected.add(line, 1, fmt::format("none of its {} jobs can be used: {}", log.logged, left_out_text(log)),
                  "import a log of a time in which jobs ran, with their starts and ends");
  }
  collected.finish();
  problems.throw_if_any(file);
  book.finish();
  return log;
}

}  // namespace wattloop::twin
