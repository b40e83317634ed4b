#include "workload/queue/job_class.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace wattloop::workload {

namespace {

/// Share of a normal distribution below a score.
double below(double score) { return 0.5 * std::erfc(-score / std::numbers::sqrt2); }

/// Where an increasing function is zero.
template <class Function>
double zero_of(double low, double high, const Function& function) {
  for (int halving = 0; halving < 200; ++halving) {
    const double middle = 0.5 * (low + high);
    (function(middle) < 0.0 ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

/// Mean of min(median exp(sigma z), longest).
double cut_mean_s(double median_s, double longest_s, double sigma) {
  if (sigma == 0.0) return median_s;
  const double score = std::log(longest_s / median_s) / sigma;
  return median_s * std::exp(0.5 * sigma * sigma) * below(score - sigma) + longest_s * below(-score);
}

constexpr double largest_sigma = 8.0;

int doublings(const JobClass& c) { return static_cast<int>(std::log2(static_cast<double>(c.most_gpus)) + 1e-9); }

/// [k] share of 2^k GPUs among jobs with more than one, k from 1.
std::vector<double> shares_of_sizes(int doublings, double ratio) {
  std::vector<double> shares(static_cast<std::size_t>(doublings) + 1);
  double sum = 0.0;
  for (int k = 1; k <= doublings; ++k) sum += shares[k] = std::exp2((k - doublings) * std::log2(ratio));
  for (double& share : shares) share /= sum;
  return shares;
}

double mean_size(const std::vector<double>& shares) {
  double mean = 0.0;
  for (std::size_t k = 1; k < shares.size(); ++k) mean += shares[k] * std::exp2(static_cast<double>(k));
  return mean;
}

/// Mean GPUs of jobs with more than one.
double mean_of_larger(const JobClass& c) {
  return (c.mean_gpus - c.single_gpu_fraction) / (1.0 - c.single_gpu_fraction);
}

/// [k] share of jobs with at most 2^k GPUs.
std::vector<double> cumulative_sizes(const JobClass& c) {
  std::vector<double> up_to{c.single_gpu_fraction};
  if (c.single_gpu_fraction >= 1.0 || doublings(c) == 0) return {1.0};
  const double wanted = mean_of_larger(c);
  const double log_ratio =
      zero_of(-30.0, 30.0, [&](double x) { return mean_size(shares_of_sizes(doublings(c), std::exp2(x))) - wanted; });
  const std::vector<double> shares = shares_of_sizes(doublings(c), std::exp2(log_ratio));
  for (std::size_t k = 1; k < shares.size(); ++k) {
    up_to.push_back(up_to.back() + (1.0 - c.single_gpu_fraction) * shares[k]);
  }
  up_to.back() = 1.0;
  return up_to;
}

}  // namespace

std::vector<std::string> class_mistakes(const JobClass& c) {
  std::vector<std::string> mistakes;
  const bool has_times = c.median_run_time_s > 0.0 && c.mean_run_time_s > 0.0 && c.longest_run_time_s > 0.0;
  if (!has_times) {  // not numbers, which is reported elsewhere
  } else if (c.longest_run_time_s < c.median_run_time_s) {
    mistakes.push_back(
        fmt::format("longest_run_time: {} s is below the median of {} s", c.longest_run_time_s, c.median_run_time_s));
  } else if (const double most_s = cut_mean_s(c.median_run_time_s, c.longest_run_time_s, largest_sigma);
             c.mean_run_time_s < c.median_run_time_s || c.mean_run_time_s > most_s) {
    mistakes.push_back(
        fmt::format("mean_run_time: {} s is out of range, expected {} to {:.6g} s, from the median to what "
                    "the longest run time allows",
                    c.mean_run_time_s, c.median_run_time_s, most_s));
  }
  const bool has_sizes = c.mean_gpus > 0.0 && c.most_gpus > 0 && c.single_gpu_fraction >= 0.0;
  if (!has_sizes) return mistakes;
  const bool is_single = c.single_gpu_fraction >= 1.0 || doublings(c) == 0;
  const double least = is_single ? 1.0 : 2.0, most = is_single ? 1.0 : std::exp2(doublings(c));
  const double single = c.single_gpu_fraction;
  if (const double from = single + (1.0 - single) * least, to = single + (1.0 - single) * most;
      c.mean_gpus < from - 1e-9 || c.mean_gpus > to + 1e-9) {
    mistakes.push_back(
        fmt::format("mean_gpus: {} is out of range, expected {:.6g} to {:.6g}, as {:.6g} of the jobs have one "
                    "GPU and the largest {}",
                    c.mean_gpus, from, to, is_single ? 1.0 : single, c.most_gpus));
  }
  return mistakes;
}

JobDistribution::JobDistribution(const JobClass& c)
    : median_s_(c.median_run_time_s),
      longest_s_(c.longest_run_time_s),
      sigma_(zero_of(0.0, largest_sigma,
                     [&](double sigma) {
                       return cut_mean_s(c.median_run_time_s, c.longest_run_time_s, sigma) - c.mean_run_time_s;
                     })),
      up_to_(cumulative_sizes(c)) {}

double JobDistribution::run_time_s(double score) const {
  return std::min(median_s_ * std::exp(sigma_ * score), longest_s_);
}

std::uint32_t JobDistribution::gpus(double score) const {
  const auto place = std::ranges::upper_bound(up_to_.begin(), up_to_.end() - 1, below(score));
  return std::uint32_t{1} << (place - up_to_.begin());
}

}  // namespace wattloop::workload
