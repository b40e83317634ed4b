// The network of a technology loop: two headers. Between them stand its racks, those of a kind taken together, one that clogs by
// itself, and its CDUs: pumps with check valves side by side, then the exchanger.
#pragma once

#include <cstddef>
#include <vector>

#include "twin/plant/equipment/network_flows.hpp"

namespace wattloop::twin {

/// Racks of one kind on a loop.
struct RackFlows {
  double count = 0.0;
  double resistance_pa_s2_per_kg2 = 0.0;   ///< of one
  std::size_t flow_signal = no_signal;     ///< kg/s through each
  std::size_t passage_signal = no_signal;  ///< what a clogged rack lets through; none: they stay clean
};

/// Pumps of one CDU, in series with its exchanger.
struct CduFlows {
  std::vector<std::size_t> pump_speed_states;
  std::vector<std::size_t> pump_flow_signals;  ///< kg/s through each pump
  std::size_t flow_signal = 0;                 ///< kg/s through the exchanger
  std::size_t passage_signal = no_signal;      ///< what a clogged exchanger lets through; none: it stays clean
};

/// One technology loop; its signals may be codes.
struct LoopFlows {
  std::vector<RackFlows> racks;
  double rack_exponent = 2.0;
  double cdu_resistance_pa_s2_per_kg2 = 0.0;
  double cdu_exponent = 2.0;
  physics::PumpCurve pump;
  std::vector<CduFlows> cdus;

  double rack_count() const;
};

NetworkFlows network_of(const LoopFlows& loop);

}  // namespace wattloop::twin
