// The acceptance test of a hall (burn-in): matrix products on rack after rack, then all-reduces in groups of growing size.
//
//   matrix products    racks in turn, `racks_at_once` together, each for `matrix_time`; a set begins `rack_interval` after the one before
//   all-reduce sweeps  after all of them, each for `sweep_time`: single nodes, neighbours in two pairings, 4, 8, ... nodes, all nodes
//
//   t = 2 (n - 1) / n bytes / (bandwidth share)          of n GPUs; share: the smallest of the links of the group
//
// Source: [nccl_tests] for the bus bandwidth of an all-reduce. Verified in tests/verification/work/burn_in.cpp. Documented in
// docs/models/burn_in.md.
#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/parts/field.hpp"
#include "workload/nodes/node_split.hpp"

namespace wattloop::workload {

/// Parameters of an acceptance test.
struct BurnInParams {
  static constexpr std::string_view kind = "burn_in", noun = "burn-in", page = "docs/models/burn_in.md";
  static constexpr std::string_view doc =
      "An acceptance test: matrix products rack by rack, then all-reduces by size of group.";

  /// Stands for a power that follows the GPU; no one can write it.
  static constexpr double by_gpu_w = std::numeric_limits<double>::infinity();

  double sample_interval_s = 10.0;
  std::string order = "forward";
  int racks_at_once = 1;
  double matrix_time_s = 300.0;
  double rack_interval_s = 0.0;
  double matrix_gpu_w = by_gpu_w;
  double sweep_time_s = 60.0;
  double sweep_gpu_w = by_gpu_w;
  double all_reduce_b = 4294967296.0;
  double node_bandwidth_b_per_s = 473.6e9;
  double fabric_bandwidth_b_per_s = 365.84e9;
  double outlier_time_ratio = 1.03;
  std::map<std::string, double> link_fraction = {};  ///< [name of a node] bandwidth left

  bool contains_leakage() const { return false; }
  bool contains_fans() const { return false; }

  static constexpr auto fields() {
    using P = BurnInParams;
    return std::array{
        Field<P>{&P::order, "order", "forward|backward",
                 "Whether the test begins with the first or with the last rack."},
        Field<P>{&P::racks_at_once, "racks_at_once", Range::positive, "Number of racks that begin together."},
        Field<P>{&P::matrix_time_s, "matrix_time", "s", Range::positive,
                 "Time for which each rack multiplies matrices."},
        Field<P>{&P::rack_interval_s, "rack_interval", "s", Range::non_negative,
                 "Time between the starts of two sets of racks; if it is not given, `matrix_time`: the sets do not "
                 "overlap."},
        Field<P>{&P::matrix_gpu_w, "matrix_gpu_power", "W", Range::positive,
                 "Power of a GPU during matrix products, without leakage; if it is not given, its power limit."},
        Field<P>{&P::sweep_time_s, "sweep_time", "s", Range::non_negative,
                 "Duration of the all-reduces for each group size; 0: no all-reduces."},
        Field<P>{&P::sweep_gpu_w, "sweep_gpu_power", "W", Range::positive,
                 "Power of a GPU during all-reduces; if it is not given, 220 W for a power limit of 700 W, otherwise "
                 "in proportion to the limit."},
        Field<P>{&P::all_reduce_b, "all_reduce", "B", Range::positive, "Message size of the all-reduces."},
        Field<P>{&P::node_bandwidth_b_per_s, "node_bandwidth", "B/s", Range::positive,
                 "Bus bandwidth of an all-reduce inside one node."},
        Field<P>{&P::fabric_bandwidth_b_per_s, "fabric_bandwidth", "B/s", Range::positive,
                 "Bus bandwidth of an all-reduce over several nodes."},
        Field<P>{&P::outlier_time_ratio, "outlier", "1", Range::positive,
                 "Limit for outliers: time of a GPU, rack or node divided by the median time; above 1."},
        Field<P>{&P::sample_interval_s, "sample_interval", "s", Range::positive, "Averaging interval of the power."},
    };
  }
};

/// What a run counts of acceptance tests. A value; all is empty where there is none.
struct TestState {
  std::vector<double> clock_s = {};  ///< [gpu of the hall] integral of its clock over its matrix products
  std::vector<double> time_ratio =
      {};                ///< [gpu of the hall] time of its matrix products over the median; NaN before they are over
  double until_s = 0.0;  ///< they are counted up to here
};

/// Times of the run; before zero nothing is tested.
struct TestSpan {
  double from_s = 0.0, to_s = 0.0;
  bool contains(double t_s) const { return t_s >= from_s && t_s < to_s; }
  double overlap_s(double a_s, double b_s) const;
};

/// When what is tested of nodes that are counted from 0.
class AcceptanceTest {
 public:
  /// `nodes` in racks of `nodes_per_rack`, with GPUs that have these powers.
  AcceptanceTest(const BurnInParams& params, std::size_t nodes, std::size_t nodes_per_rack, std::size_t gpus_per_node);

  const BurnInParams& params() const { return params_; }
  std::size_t nodes() const { return nodes_; }

  /// Matrix products of a rack.
  TestSpan matrix_span(std::size_t rack) const;
  TestSpan matrix_span_of_node(std::size_t node) const { return matrix_span(node / nodes_per_rack_); }
  /// Of all racks.
  double matrix_end_s() const;

  /// All-reduces in groups of so many nodes side by side; the last group may be smaller. Pairs go round: the last node has the first one as its
  /// other neighbour.
  struct Sweep {
    std::size_t group_nodes = 1;
    bool is_shifted = false;  ///< pairs of the second and third node, and so on
  };
  const std::vector<Sweep>& sweeps() const { return sweeps_; }
  TestSpan sweep_span(std::size_t sweep) const;
  double end_s() const;

  /// Nodes of the group of a node in a sweep.
  std::vector<std::size_t> group_of(std::size_t sweep, std::size_t node) const;

  /// [node] time of one all-reduce of its group; fraction [node] of the bandwidth that its links have.
  std::vector<double> all_reduce_s(std::size_t sweep, const std::vector<double>& fraction) const;

  /// [node] time in pairs over the median of all nodes, in the better one of its two pairs: that of a node is 1 whose neighbour alone is slow.
  /// Empty where there are no pairs.
  std::vector<double> node_time_ratios(const std::vector<double>& fraction) const;

 private:
  std::size_t racks() const { return (nodes_ + nodes_per_rack_ - 1) / nodes_per_rack_; }

  BurnInParams params_;
  std::size_t nodes_, nodes_per_rack_, gpus_per_node_;
  std::vector<Sweep> sweeps_;
};

/// Of at least one value; of an even count the mean of the two in the middle.
double median_of(std::vector<double> values);

/// Powers that no one has given, for this GPU.
BurnInParams with_powers_of_gpu(BurnInParams params, const NodeSplitParams& gpu);

}  // namespace wattloop::workload
