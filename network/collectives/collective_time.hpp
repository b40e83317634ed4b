// Time of a collective operation over levels of links, by algorithm.
//
//   n ranks, S bytes, B bandwidth of a rank in each direction, a latency of a hop; level i has n_i members
//
//   ring           all-reduce      2 (n - 1) a + 2 (n - 1)/n S / B        B of the slowest level; beyond a domain: of its GPUs together
//                  reduce-scatter, all-gather: half of it
//   double tree    all-reduce      2 ceil(log2 n) a + 2 S / B
//   hierarchical   all-reduce      sum over levels of 2 (n_i - 1) a_i + 2 (n_i - 1)/n_i S_i / B_i,    S_1 = S, S_i+1 = S_i / n_i
//                  rails: each GPU of a domain goes on with its own share over its own adapter
//   in switch      all-reduce      a_s + S / B_s inside a domain; each GPU sends and receives S once. Beyond it, over rails as hierarchical
//   all-to-all     max over levels of (n_i - 1) a_i + (share of the peers behind this level) S / B_i
//   point to point a + S / B of the outermost level
//
// Latency and transfer add up where messages are sent whole. Where they are cut into chunks of the best size, time is
// (sqrt(latency) + sqrt(transfer))^2 [johnsson_ho1989].
// Sources: [thakur2005] (ring), [sanders2009] (double tree), [nccl_tests] (bus bandwidth). Verified in tests/verification/network/collectives.cpp.
// Documented in docs/models/collectives.md.
#pragma once

#include <span>

#include "network/collectives/link_levels.hpp"

namespace wattloop::network {

/// Bytes of a collective are: all-reduce: of the buffer of each rank; reduce-scatter: what each rank gives; all-gather: what each rank has in the end;
/// all-to-all: what each rank has for all ranks, itself among them; point to point: of the message.
enum class Collective { all_reduce, reduce_scatter, all_gather, all_to_all, point_to_point };

enum class Algorithm { ring, double_tree, hierarchical, in_switch };

/// What a collective takes: start-up and hops, and bytes over bandwidth.
struct CollectiveTime {
  double latency_s = 0.0;
  double transfer_s = 0.0;

  double sum_s() const { return latency_s + transfer_s; }  ///< messages are sent whole
  double chunked_s() const;                                ///< messages are cut into chunks of the best size
};

/// Levels from the inside. An algorithm that an operation does not have is that of a hierarchy: trees and switches reduce, so that all-to-all has none.
CollectiveTime collective_time(Collective operation, Algorithm algorithm, std::span<const LinkLevel> levels,
                               double bytes_b);

/// Bus bandwidth as nccl-tests define it: what each link carried if the algorithm were a ring, whatever it is. 0 for one rank.
double bus_bandwidth_b_per_s(Collective operation, int ranks, double bytes_b, double time_s);

/// A size and how long it took.
struct MeasuredTime {
  double bytes_b;
  double time_s;
};

/// Start-up and bandwidth of chunked messages that take these times at two sizes; the larger one is second.
struct FittedTime {
  double startup_s;
  double bandwidth_b_per_s;  ///< bytes over transfer

  double time_s(double bytes_b) const { return CollectiveTime{startup_s, bytes_b / bandwidth_b_per_s}.chunked_s(); }
};
FittedTime fit_two_sizes(const MeasuredTime& small, const MeasuredTime& large);

}  // namespace wattloop::network
