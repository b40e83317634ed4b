// Failures of a training cluster: a renewal process for each kind.
//
//   t_n = t_(n-1) + mean / GPUs (-ln(1 - u))^(1/k) / Gamma(1 + 1/k)        u uniform, drawn by counter: kind, number n
//
// k: shape of Weibull's distribution; 1, the default, is exponential: without memory. The GPU is drawn with equal probability, or each node fails
// exp(sigma z - sigma^2 / 2) times as often as the mean node, z normal, drawn by counter: node. The same seed gives the same failures, whatever else a run does. Rates: [llama3_herd], in scenarios/failures. Verified in
// tests/verification/work/failures.cpp. Documented in docs/models/failures.md.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/numbers/random.hpp"
#include "core/parts/field.hpp"

namespace wattloop::workload {

/// One kind of failure.
struct FailureKind {
  std::string name = {};
  double mean_time_s = required;  ///< between failures of one GPU, of this kind
  bool takes_node = true;         ///< the node is out until it is repaired; else the job alone is interrupted
  double shape_ratio = 1.0;       ///< of Weibull's distribution

  static constexpr auto fields() {
    using P = FailureKind;
    return std::array{
        Field<P>{&P::mean_time_s, "mean_time", "s", Range::positive,
                 "Mean time between failures of this kind for one GPU and its share of the equipment."},
        Field<P>{&P::takes_node, "takes_node",
                 "true: the node is out of service until it is repaired. false: only the job is interrupted."},
        Field<P>{&P::shape_ratio, "shape", "1", Range::positive,
                 "Shape of the Weibull distribution of the times between failures of this kind, 0.2 to 20; 1 is "
                 "exponential, and below 1 failures come in bursts."},
    };
  }
};

struct FailureParams {
  std::vector<FailureKind> kinds = {};
  double repair_s = 43200.0;
  double node_spread_ratio = 0.0;

  static constexpr auto fields() {
    using P = FailureParams;
    return std::array{
        Field<P>{&P::repair_s, "repair", "s", Range::positive,
                 "Repair time: time after which a failed node is back in service; estimate."},
        Field<P>{&P::node_spread_ratio, "node_spread", "1", Range::non_negative,
                 "Spread of the failure rates of nodes: standard deviation of the logarithm of the rate, lognormal, at "
                 "most 3; 0: all nodes have the same rate."},
    };
  }
};

/// Where the process of each kind stands. A value.
struct FailureCounters {
  std::vector<std::uint64_t> number;  ///< [kind] of the next failure
  std::vector<double> next_s;         ///< [kind]
};

class FailureProcess {
 public:
  /// Nodes are blocks of so many GPUs; who they are matters where they fail more or less often.
  FailureProcess(const FailureParams& params, std::size_t gpus, std::uint64_t seed, std::size_t gpus_per_node = 1);

  FailureCounters at_begin() const;
  double next_s(const FailureCounters& counters) const;

  struct Failure {
    std::size_t kind = 0, gpu = 0;
  };
  /// The next failure, and goes on to the one after it.
  Failure take_next(FailureCounters& counters) const;

  const FailureParams& params() const { return params_; }

 private:
  RandomCounter drawn(std::size_t kind, std::uint64_t number) const;
  double pause_s(std::size_t kind, std::uint64_t number) const;
  std::size_t gpu_at(double place_fraction) const;

  FailureParams params_;
  std::size_t gpus_;
  RandomKey key_;
  std::size_t gpus_per_node_;
  std::vector<double> weight_before_;  ///< [node] of all nodes before it; then of all; empty: nodes are alike
};

}  // namespace wattloop::workload
