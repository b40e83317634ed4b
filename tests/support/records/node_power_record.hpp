// Watts of many nodes, sample by sample, and the statistics by which a synthetic training job is set against a measured one.
// Neither side of the comparison computes them itself.
//
//   correlation   mean over all pairs of nodes of Pearson's r over all samples, nothing taken out
//   deviation     of one node about its mean, averaged over nodes; and of the mean node
//   change        from one sample to the next, of 64 times the mean node
//   fall          largest drop of 64 times the mean node from one sample to the next, within 6 s of an evaluation's start
//   ratio         mean from 4 s after the start to 4 s before the end of an evaluation, over 11 whole steps of the block after it
//   peak          period at which the powers of blocks between evaluations, summed, are largest; grid of 0.005 s
//
// The standard error of a statistic is the delete-one jackknife's over cycles (an evaluation and the block after it) and over nodes, in
// quadrature [efron_stein1981].
#pragma once

#include <array>
#include <string>
#include <vector>

namespace wattloop::tests {

struct Evaluation {
  double start_s, end_s;
};

struct NodePowerRecord {
  double interval_s = 2.0;
  std::vector<std::vector<double>> node_w;  // [node][sample]
  std::vector<Evaluation> evaluations;      // in order
};

/// A run of GPT-3 on 64 nodes at 2 s [mlperf_training_v40_smc]. Of its 64 columns 30 repeat another to the last digit: each is read
/// once, 34 remain. An empty cell holds the value before it, at the start the first value.
NodePowerRecord read_gpt3_record(const std::string& folder, const std::string& meter);

struct NodePowerStatistics {
  enum Which : std::size_t {
    mean_w,
    deviation_w,
    common_deviation_w,
    correlation,
    largest_change_w,
    fall_w,
    ratio,
    peak_s,
    count
  };
  std::array<double, count> values{};
};

NodePowerStatistics node_power_statistics(const NodePowerRecord& record);

/// The standard error of each statistic, from the record's own scatter.
NodePowerStatistics standard_errors(const NodePowerRecord& record);

}  // namespace wattloop::tests
