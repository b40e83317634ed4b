// Lists of jobs: drawn from classes, or made of the rows of a trace.
//
//   t_n = t_(n-1) - ln(1 - u_n) / rate          submissions of a Poisson process
//
// Random numbers are drawn by counter: job n of a seed has the same class, run time and size whatever the rate is. Verified in
// tests/verification/work/job_mix.cpp. Documented in docs/models/scheduler.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/numbers/random.hpp"
#include "workload/queue/job_class.hpp"
#include "workload/queue/job_list.hpp"

namespace wattloop::workload {

/// A job before its GPUs are whole nodes.
struct DrawnJob {
  std::size_t job_class = 0;
  double pause_s = 0.0;  ///< since the submission of the job before it, at one submission in a second
  double run_time_s = 0.0;
  std::uint32_t gpus = 1;
};

class JobMix {
 public:
  /// At least one class, none with mistakes.
  JobMix(const std::vector<JobClass>& classes, std::uint64_t seed);

  DrawnJob job(std::uint64_t number) const;
  const JobClass& job_class(std::size_t number) const { return classes_[number]; }

 private:
  std::vector<JobClass> classes_;
  std::vector<JobDistribution> distributions_;
  std::vector<double> up_to_;  ///< [class] share of jobs of it and those before it
  RandomKey key_;
};

/// Where jobs run.
struct JobHall {
  std::size_t nodes = 1, gpus_per_node = 8;
};

/// A job that asks for more nodes than there are.
struct TooLarge {
  std::string name = {};
  std::size_t nodes = 0;
  std::size_t row = 0;  ///< of the trace, or number of the draw
};

struct FoundJobs {
  JobList jobs = {};
  std::vector<std::size_t> source = {};  ///< [job] row of the trace, or class of the mix
  std::vector<TooLarge> too_large = {};  ///< they are not in the list
};

/// When jobs of a mix are submitted.
struct Submissions {
  double rate_per_s = 0.0;
  double from_s = 0.0, to_s = 0.0;
};

/// Jobs submitted in [from_s, to_s).
FoundJobs jobs_of_mix(const JobMix& mix, const Submissions& when, const JobHall& hall);

/// A row of a table of jobs.
struct JobTraceRow {
  std::string name = {};
  double submit_s = 0.0;
  double nodes = 0.0, gpus = 0.0;  ///< zero or NaN: not given; nodes count where both are
  double run_time_s = 0.0;
  double time_limit_s = 0.0;  ///< zero or NaN: none
  int priority = 0;
};

/// Submission times over `compress`; a share of a GPU counts as one GPU, GPUs as the nodes that have them. Rows in any order.
FoundJobs jobs_of_rows(std::span<const JobTraceRow> rows, const JobHall& hall, double compress);

}  // namespace wattloop::workload
