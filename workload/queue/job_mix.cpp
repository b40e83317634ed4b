#include "workload/queue/job_mix.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace wattloop::workload {

namespace {

constexpr std::uint32_t mix_stream = 0x4A4F4253;  // letters, so that no other part of a run has them

/// Uniform in [0, 1) from 53 random bits.
double uniform_of(std::uint32_t high, std::uint32_t low) {
  const std::uint64_t bits = (static_cast<std::uint64_t>(high) << 32 | low) >> 11;
  return static_cast<double>(bits) * 0x1p-53;
}

struct Scores {
  double first, second;
};

/// Two independent normal numbers of two uniform ones.
Scores normal_scores(double first, double second) {
  const double radius = std::sqrt(-2.0 * std::log1p(-first)), angle = 2.0 * std::numbers::pi * second;
  return {radius * std::cos(angle), radius * std::sin(angle)};
}

std::size_t whole(double count) { return static_cast<std::size_t>(std::ceil(count - 1e-9)); }

std::size_t nodes_of_gpus(double gpus, const JobHall& hall) {
  return std::max<std::size_t>(1,
                               (std::max<std::size_t>(whole(gpus), 1) + hall.gpus_per_node - 1) / hall.gpus_per_node);
}

/// Into the list, or out of it.
void add(FoundJobs& found, JobRequest job, std::size_t row, std::size_t source, const JobHall& hall) {
  if (job.nodes > hall.nodes) {
    found.too_large.push_back({std::move(job.name), job.nodes, row});
    return;
  }
  found.jobs.push_back(std::move(job));
  found.source.push_back(source);
}

JobRequest request_of(const JobTraceRow& row, const JobHall& hall, double compress) {
  JobRequest job{.name = row.name, .submit_s = row.submit_s / compress};
  job.nodes = row.nodes > 0.0 ? std::max<std::size_t>(whole(row.nodes), 1) : nodes_of_gpus(row.gpus, hall);
  job.run_time_s = row.run_time_s;
  if (row.time_limit_s > 0.0) job.time_limit_s = row.time_limit_s;
  job.priority = row.priority;
  return job;
}

}  // namespace

JobMix::JobMix(const std::vector<JobClass>& classes, std::uint64_t seed)
    : classes_(classes), key_(random_key(seed, mix_stream)) {
  double sum = 0.0;
  for (const JobClass& each : classes) {
    distributions_.emplace_back(each);
    up_to_.push_back(sum += each.share);
  }
  for (double& up_to : up_to_) up_to /= sum;
}

DrawnJob JobMix::job(std::uint64_t number) const {
  const auto low = static_cast<std::uint32_t>(number), high = static_cast<std::uint32_t>(number >> 32);
  const RandomCounter first = philox({low, high, 0, 0}, key_), second = philox({low, high, 1, 0}, key_);
  const double choice = uniform_of(first[0], first[1]);
  const auto place = std::ranges::upper_bound(up_to_.begin(), up_to_.end() - 1, choice);
  const auto number_of_class = static_cast<std::size_t>(place - up_to_.begin());
  const Scores scores = normal_scores(uniform_of(second[0], second[1]), uniform_of(second[2], second[3]));
  const double correlation = classes_[number_of_class].size_correlation;
  const double size_score = correlation * scores.first + std::sqrt(1.0 - correlation * correlation) * scores.second;
  return {.job_class = number_of_class,
          .pause_s = -std::log1p(-uniform_of(first[2], first[3])),
          .run_time_s = distributions_[number_of_class].run_time_s(scores.first),
          .gpus = distributions_[number_of_class].gpus(size_score)};
}

FoundJobs jobs_of_mix(const JobMix& mix, const Submissions& when, const JobHall& hall) {
  FoundJobs found;
  double submit_s = when.from_s;
  for (std::uint64_t number = 0;; ++number) {
    const DrawnJob drawn = mix.job(number);
    submit_s += drawn.pause_s / when.rate_per_s;
    if (!(submit_s < when.to_s)) return found;
    const JobClass& of_class = mix.job_class(drawn.job_class);
    JobRequest job{.name = of_class.name + "_" + std::to_string(number + 1), .submit_s = submit_s};
    job.nodes = nodes_of_gpus(drawn.gpus, hall);
    job.run_time_s = drawn.run_time_s;
    if (of_class.time_limit_ratio > 0.0) job.time_limit_s = of_class.time_limit_ratio * drawn.run_time_s;
    job.priority = of_class.priority;
    job.is_preemptable = of_class.is_preemptable;
    add(found, std::move(job), number, drawn.job_class, hall);
  }
}

FoundJobs jobs_of_rows(std::span<const JobTraceRow> rows, const JobHall& hall, double compress) {
  std::vector<std::size_t> order(rows.size());
  for (std::size_t row = 0; row < order.size(); ++row) order[row] = row;
  std::ranges::stable_sort(order, {}, [&](std::size_t row) { return rows[row].submit_s; });
  FoundJobs found;
  for (const std::size_t row : order) add(found, request_of(rows[row], hall, compress), row, row, hall);
  return found;
}

}  // namespace wattloop::workload
