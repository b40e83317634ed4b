// Jobs as the logs of schedulers have them, before they become a table of jobs.
#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/tables/log_lines.hpp"
#include "core/text/problem.hpp"
#include "twin/imports/telemetry/power_log.hpp"
#include "workload/queue/jobs_table.hpp"

namespace wattloop::twin {

/// One job of a log. Times are of the clock of the log; none where the log has none.
struct LoggedJob {
  std::string name;
  std::optional<double> submit_s{}, start_s{}, end_s{};
  std::optional<double> run_time_s{};  ///< as the log says it; else the end less the start
  std::optional<double> time_limit_s{};
  double nodes = 0.0, gpus = 0.0;  ///< of GPUs, part of one too
  int priority = 0;
  std::string job_class{};
  bool is_running = false;  ///< when the log was written
};

/// A sort of jobs that is counted: how many, and the first of them.
struct JobCount {
  std::size_t count = 0;
  std::string first{};
  int first_line = 0;

  void add(const std::string& name, int line) {
    if (count++ == 0) first = name;
    if (count == 1) first_line = line;
  }
};

struct JobLog {
  std::string format{};
  std::string file{};
  ClockKind clock = ClockKind::seconds;
  std::vector<workload::JobRow> jobs{};  ///< that ran, by submission, which counts from the first one
  double begin_s = 0.0;                  ///< the first submission, of the clock of the log
  std::size_t logged = 0;                ///< all jobs, also those that are left out
  std::size_t gpu_jobs = 0, one_gpu_jobs = 0;
  JobCount never_ran{}, part_of_a_gpu{}, without_times{}, backwards{}, without_resources{}, too_large{}, running{};
  std::size_t skipped_lines = 0;  ///< of steps, of arrays that wait, of parts of a job
  std::size_t out_of_order = 0;   ///< submitted before the row before them
  std::size_t without_limit = 0;
  double gpu_s = 0.0, asked_gpu_s = 0.0;  ///< of the jobs that are written: whole GPUs, and as asked for
  std::vector<std::string> notes{};
};

struct JobRequest {
  std::string format{};                         ///< empty: detected
  std::optional<std::size_t> procs_per_node{};  ///< of logs that count processors
};

/// Takes jobs of a reader: counts what cannot be used, and keeps the others.
class JobBook {
 public:
  explicit JobBook(JobLog& log) : log_(log) {}
  void add(const LoggedJob& job, int line);
  /// Jobs by submission, names made unique.
  void finish();

 private:
  JobLog& log_;
  std::optional<double> latest_submit_s_;
};

struct ReadingJobs {
  const JobRequest& request;
  JobLog& log;
  JobBook& book;
  LogLines& lines;
  CsvProblems& problems;
};

void read_swf(ReadingJobs& file);
void read_sacct(ReadingJobs& file);
void read_alibaba(ReadingJobs& file);
void read_acme(ReadingJobs& file);

struct JobFormat {
  std::string_view name;
  std::string_view words;
  void (*read)(ReadingJobs&);
};

inline constexpr std::array job_formats{
    JobFormat{"swf", "Standard Workload Format", &read_swf},
    JobFormat{"sacct", "sacct -P", &read_sacct},
    JobFormat{"alibaba", "Alibaba GPU 2023, openb_pod_list_*.csv", &read_alibaba},
    JobFormat{"acme", "AcmeTrace, trace_*.csv", &read_acme},
};

/// Throws InputError with every mistake.
JobLog import_jobs(const std::filesystem::path& file, const JobRequest& request);

}  // namespace wattloop::twin
