#include "workload/replay/replayed_job.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/numbers/series.hpp"
#include "workload/replay/followed_columns.hpp"
#include "workload/replay/spread.hpp"

namespace wattloop::workload {

namespace {

constexpr double busy_share =
    0.95;  ///< of the samples of a column, those that ask for less than its GPUs while they compute

double position_s(const JobClock& job, double t_s) {
  return job.is == JobClock::Is::running ? job.position_s + (t_s - job.since_s) : job.position_s;
}

double waiting_w(const ReplayParams& params, const NodeSplitParams& split) {
  constexpr double h100_waiting_w = 220.0, h100_limit_w = 700.0;  // of the training job [mlperf_training_v40_smc]
  if (params.waiting_gpu_w != ReplayParams::waiting_by_gpu_w) return params.waiting_gpu_w;
  return h100_waiting_w * split.gpu_limit_w / h100_limit_w;
}

class ReplayedJob final : public Workload {
 public:
  ReplayedJob(const PowerTrace& trace, const ReplayParams& params, const NodeSet& nodes, const ReplaySetting& setting)
      : columns_(trace, params, nodes),
        after_end_(after_end_of(params)),
        trace_(stamps_from_zero_s(trace), trace.duration_s(), inlet_power_w(trace, params, setting.ac_from_dc_w),
               spread_delays_s(params.spread, followers_of(trace, params, nodes), setting.seed), true),
        interval_s_(trace.interval_s),
        lead_in_s_(std::min(params.lead_in_s, trace.duration_s())),
        waiting_w_(waiting_w(params, nodes.split)),
        stretches_(params.stretches) {
    if (stretches_) find_busy_levels();
  }

  double next_change_s(double t_s) const override { return (sample_index(t_s) + 1.0) * interval_s_; }

  void sample(double t_s, NodeRange nodes, std::span<double> gpu_w, std::span<double> node_ac_w) const override {
    SampleBasis basis;
    Workload::prepare(t_s, basis);
    fill(basis, nodes, gpu_w, node_ac_w);
  }

  void mean_before(NodeRange nodes, std::span<double> gpu_w, std::span<double> node_ac_w) const override {
    columns_.follow(nodes, gpu_w, node_ac_w,
                    [&](std::size_t column, std::size_t) { return trace_.mean_until_w(lead_in_s_, column); });
  }

  std::vector<JobNodes> jobs() const override {
    const SynchronousJob& clock = stretches_ ? static_cast<const SynchronousJob&>(stretched_) : as_measured_;
    return {{&clock, {{0, static_cast<std::size_t>(columns_.nodes().nodes)}}}};
  }

  /// numbers: place in the trace from which and to which the sample goes, clock of the slowest GPU.
  void prepare(double t_s, const JobsNow& jobs, SampleBasis& basis) const override {
    basis.t_s = t_s;
    basis.job = jobs.clocks.empty() ? JobClock{} : jobs.clocks.front();
    const double start_s = sample_index(t_s) * interval_s_, end_s = start_s + interval_s_;
    const JobClock& job = basis.job;
    const bool is_part = job.since_s > start_s + boundary_slack_s && job.since_s <= t_s + boundary_slack_s;
    const double clock = stretches_ ? job.clock_fraction : 1.0;
    double from_s = position_s(job, is_part ? job.since_s : start_s) * clock;
    double to_s = position_s(job, end_s) * clock;
    if (from_s < -boundary_slack_s) {  // before the run
      const double before_s = std::floor((from_s + boundary_slack_s) / lead_in_s_) * lead_in_s_;
      from_s -= before_s;
      to_s -= before_s;
    }
    basis.numbers.assign({from_s, to_s, clock});
  }

  void sample_with_sums(const SampleBasis& basis, NodeRange nodes, std::span<double> gpu_w,
                        const NodeWatts& of_nodes) const override {
    fill(basis, nodes, gpu_w, of_nodes.ac_w);
    sum_gpus(nodes, gpu_w, of_nodes);
  }

  SampleShares shares(const SampleBasis& basis, std::size_t node) const override {
    const double clock = clock_of(basis);
    if (!stretches_ || clock == 1.0 || basis.job.is != JobClock::Is::running) return {};
    const std::size_t gpus = static_cast<std::size_t>(columns_.nodes().gpus_per_node);
    double busy_w = 0.0;  // mean of the node
    for (std::size_t gpu = 0; gpu < gpus; ++gpu) busy_w += mean_gpu_w(basis, node, gpu) / static_cast<double>(gpus);
    const double asked_w = mixed_w(busy_w, clock);
    return {.busy_fraction = clock,
            .busy_above_w = busy_w - asked_w,
            .waiting_fraction = 1.0 - clock,
            .waiting_w = std::min(busy_w, waiting_w_),
            .slowest_fraction = clock};
  }

  double computing_w(std::size_t node, std::size_t gpu, const Placement&) const override {
    return stretches_ ? busy_w_[columns_.column_of(node, gpu)] : 0.0;
  }
  double most_computing_w(std::size_t) const override { return most_busy_w_; }

 private:
  double sample_index(double t_s) const { return std::floor((t_s + boundary_slack_s) / interval_s_); }

  static double clock_of(const SampleBasis& basis) { return basis.numbers.empty() ? 1.0 : basis.numbers[2]; }

  /// Of a GPU at full clock, in the mean of computing and waiting.
  double mixed_w(double busy_w, double clock) const {
    return clock * busy_w + (1.0 - clock) * std::min(busy_w, waiting_w_);
  }

  /// Mean of a column over a sample, without what comes after the end of a trace that idles then.
  double column_w(const SampleBasis& basis, std::size_t column, std::size_t follower) const {
    const double from_s = basis.numbers[0], to_s = basis.numbers[1], end_s = trace_.duration_s();
    if (const auto row = trace_.row_between(from_s, to_s);
        row && (after_end_ == AfterEnd::repeat || to_s < end_s + boundary_slack_s))
      return trace_.mean_w(*row, column, follower);
    if (!(to_s > from_s)) return trace_.mean_w(trace_.stamps_s().size() - 1, column, follower);
    if (after_end_ == AfterEnd::repeat || to_s <= end_s) return trace_.mean_between_w(from_s, to_s, column, follower);
    const double last_w = trace_.mean_w(trace_.stamps_s().size() - 1, column, follower);
    if (from_s >= end_s) return last_w;
    const double before_w = trace_.mean_between_w(from_s, end_s, column, follower);
    if (after_end_ == AfterEnd::idle) return before_w;
    return (before_w * (end_s - from_s) + last_w * (to_s - end_s)) / (to_s - from_s);
  }

  double mean_gpu_w(const SampleBasis& basis, std::size_t node, std::size_t gpu) const {
    const std::size_t column = columns_.column_of(node, gpu);
    return columns_.gpu_w(column_w(basis, column, column));
  }

  void fill(const SampleBasis& basis, NodeRange nodes, std::span<double> gpu_w, std::span<double> node_ac_w) const {
    if (basis.job.is != JobClock::Is::running) return wait(basis, gpu_w, node_ac_w);
    const double from_s = basis.numbers[0], to_s = basis.numbers[1], end_s = trace_.duration_s();
    const double idle_share =
        after_end_ == AfterEnd::idle && to_s > end_s ? (to_s - std::clamp(end_s, from_s, to_s)) / (to_s - from_s) : 0.0;
    if (idle_share == 1.0) return columns_.rest(gpu_w, node_ac_w);
    columns_.follow(nodes, gpu_w, node_ac_w,
                    [&](std::size_t column, std::size_t follower) { return column_w(basis, column, follower); });
    const NodeSplitParams& split = columns_.nodes().split;
    const double clock = clock_of(basis);
    if (clock == 1.0 && idle_share == 0.0) return;
    const std::size_t gpus = static_cast<std::size_t>(columns_.nodes().gpus_per_node);
    for (std::size_t node = 0; node < nodes.count; ++node) {
      double less_w = 0.0;  // of GPUs that wait
      for (double& w : gpu_w.subspan(node * gpus, gpus)) {
        const double mixed = mixed_w(w, clock);
        less_w += w - mixed;
        w = mixed + idle_share * (split.gpu_idle_w - mixed);
      }
      double& ac_w = node_ac_w[node];
      ac_w -= split.overhead_ratio * less_w;
      ac_w += idle_share * (node_from_gpus_w(split, split.gpu_idle_w * static_cast<double>(gpus)) - ac_w);
    }
  }

  /// Of a job that waits for a lost node, or is idle.
  void wait(const SampleBasis& basis, std::span<double> gpu_w, std::span<double> node_ac_w) const {
    if (basis.job.is == JobClock::Is::idle) return columns_.rest(gpu_w, node_ac_w);
    const NodeSet& nodes = columns_.nodes();
    std::ranges::fill(gpu_w, waiting_w_);
    std::ranges::fill(node_ac_w, node_from_gpus_w(nodes.split, waiting_w_ * nodes.gpus_per_node));
  }

  /// [column] what GPUs ask for while they compute: the trace does not say when they do.
  void find_busy_levels() {
    const std::size_t rows = trace_.stamps_s().size();
    std::vector<double> of_rows_w(rows);
    for (std::size_t column = 0; column < columns_.columns(); ++column) {
      for (std::size_t row = 0; row < rows; ++row) of_rows_w[row] = trace_.row_w(row, column);
      const auto place = of_rows_w.begin() + static_cast<std::ptrdiff_t>(busy_share * static_cast<double>(rows - 1));
      std::ranges::nth_element(of_rows_w, place);
      busy_w_.push_back(columns_.gpu_w(*place));
      most_busy_w_ = std::max(most_busy_w_, busy_w_.back());
    }
  }

  FollowedColumns columns_;
  AfterEnd after_end_;
  SpreadTrace trace_;
  double interval_s_, lead_in_s_, waiting_w_;
  bool stretches_;
  IndependentJob as_measured_;
  StretchedJob stretched_;
  std::vector<double> busy_w_;  ///< [column]
  double most_busy_w_ = 0.0;
};

}  // namespace

JobClock StretchedJob::at_clock(const JobClock& job, double t_s, double clock_fraction) const {
  return {job.is, t_s, position_s(job, t_s) * job.clock_fraction / clock_fraction, clock_fraction};
}

JobClock StretchedJob::from_checkpoint(const JobClock& job, double t_s) const {
  return {JobClock::Is::running, t_s, 0.0, job.clock_fraction};
}

JobProgress StretchedJob::progress(const JobClock& job, double t_s) const {
  return {.steps = 0.0, .gained_s = position_s(job, t_s) * job.clock_fraction};
}

std::unique_ptr<Workload> make_replayed_job(const PowerTrace& trace, const ReplayParams& params, const NodeSet& nodes,
                                            const ReplaySetting& setting) {
  return std::make_unique<ReplayedJob>(trace, params, nodes, setting);
}

}  // namespace wattloop::workload
