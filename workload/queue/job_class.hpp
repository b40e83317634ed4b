// A class of jobs of a cluster, by a few published numbers: how long they run, how many GPUs they ask for.
//
//   run time  min(median exp(sigma z), longest)        sigma: such that the mean of it is the published one
//   GPUs      1, 2, 4, ..., most; 1 with the share of one GPU, 2^k of the others in proportion to r^k: r from the mean
//   z and the score of the size are normal, with a correlation
//
// Verified in tests/verification/work/job_mix.cpp. Documented in docs/models/scheduler.md.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/parts/field.hpp"

namespace wattloop::workload {

struct JobClass {
  std::string name = {};
  double share = 1.0;
  double median_run_time_s = required;
  double mean_run_time_s = required;
  double longest_run_time_s = required;
  double single_gpu_fraction = 0.6;
  double mean_gpus = required;
  int most_gpus = required_count;
  double size_correlation = 0.0;
  double time_limit_ratio = 0.0;
  int priority = 0;
  bool is_preemptable = false;

  static constexpr auto fields() {
    using P = JobClass;
    return std::array{
        Field<P>{&P::share, "share", "1", Range::positive,
                 "Share of this class in the jobs, divided by the sum of the shares of all classes."},
        Field<P>{&P::median_run_time_s, "median_run_time", "s", Range::positive,
                 "Median run time: half of the jobs run longer."},
        Field<P>{&P::mean_run_time_s, "mean_run_time", "s", Range::positive,
                 "Mean run time, the longest jobs included."},
        Field<P>{&P::longest_run_time_s, "longest_run_time", "s", Range::positive,
                 "Longest run time; longer run times are cut to it."},
        Field<P>{&P::single_gpu_fraction, "single_gpu", "1", Range::fraction, "Share of jobs that ask for one GPU."},
        Field<P>{&P::mean_gpus, "mean_gpus", "1", Range::positive, "Mean number of GPUs of a job."},
        Field<P>{&P::most_gpus, "most_gpus", Range::positive, "GPUs of the largest job."},
        Field<P>{&P::size_correlation, "size_correlation", "1", Range::fraction,
                 "Correlation of run time and size, between their normal scores; above 0, larger jobs run longer."},
        Field<P>{&P::time_limit_ratio, "time_limit_ratio", "1", Range::non_negative,
                 "Time limit that users request, divided by the run time; 0: no limit."},
        Field<P>{&P::priority, "priority", Range::any, "Jobs of higher priority start first."},
        Field<P>{&P::is_preemptable, "preemptable",
                 "Whether a job of higher priority may take the nodes of such a job."},
    };
  }
};

/// What no distribution can have: sentences that begin with the key; empty: nothing.
std::vector<std::string> class_mistakes(const JobClass& job_class);

/// Run times and sizes of a class that has no mistakes.
class JobDistribution {
 public:
  explicit JobDistribution(const JobClass& job_class);

  /// Of scores of the normal distribution.
  double run_time_s(double score) const;
  std::uint32_t gpus(double score) const;

  double log_deviation() const { return sigma_; }

 private:
  double median_s_, longest_s_, sigma_;
  std::vector<double> up_to_;  ///< [k] share of jobs with at most 2^k GPUs
};

}  // namespace wattloop::workload
