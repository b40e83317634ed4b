// Failures of a training cluster: a process for each kind, each GPU alike and without memory (exponential times between failures).
//
//   t_n = t_(n-1) - ln(1 - u) / (GPUs rate)        u uniform, drawn by counter: kind, number n
//
// The same seed gives the same failures, whatever else a run does. Rates: [llama3_herd], in scenarios/failures. Verified in
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

  static constexpr auto fields() {
    using P = FailureKind;
    return std::array{
        Field<P>{&P::mean_time_s, "mean_time", "s", Range::positive,
                 "Mean time between failures of this kind, of one GPU and what belongs to it."},
        Field<P>{&P::takes_node, "takes_node",
                 "Whether the node is out until it is repaired; else only the job is interrupted."},
    };
  }
};

struct FailureParams {
  std::vector<FailureKind> kinds = {};
  double repair_s = 43200.0;

  static constexpr auto fields() {
    using P = FailureParams;
    return std::array{
        Field<P>{&P::repair_s, "repair", "s", Range::positive,
                 "Time after which a node that failed is back; estimate."},
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
  FailureProcess(const FailureParams& params, std::size_t gpus, std::uint64_t seed);

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

  FailureParams params_;
  std::size_t gpus_;
  RandomKey key_;
};

}  // namespace wattloop::workload
