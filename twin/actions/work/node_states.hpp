// Nodes that switch off and on: hot inlet air slows a rack or switches it off, a rack without power loses its nodes, and nodes that
// return have to boot. Throttling and shutdown by hot dies: twin/actions/work/coupling.hpp.
#pragma once

#include <cstddef>
#include <vector>

#include "twin/actions/work/coupling.hpp"
#include "twin/plant/state/plant_state.hpp"
#include "twin/results/schema/event_record.hpp"

namespace wattloop::twin {

/// Where the air before racks stands in the signals. [rack]
std::vector<std::size_t> inlet_air_signals(const Plant& plant);

/// The board management controllers of all racks, which look at the air before their nodes at control ticks. One without supply
/// sees nothing. Both arguments must outlive it.
class InletWatch {
 public:
  InletWatch(const Plant& plant, const NodeCouplings& nodes);

  /// Whether any rack would be slowed, switched off, or let go. Reads temperatures, switches and stages only.
  bool would_act(const PlantState& state) const;

  /// Of the air before all racks of a group.
  double hottest_k(const RackGroup& group, const PlantState& state) const;

  /// Does so, and reports all racks to which the same happens in one event. True if there was any.
  bool act(PlantState& state, std::vector<EventRecord>& events) const;

 private:
  double inlet_k(std::size_t rack, const PlantState& state) const;
  workload::InletStage next(std::size_t rack, const PlantState& state) const;
  bool act_on(const RackGroup& group, PlantState& state, std::vector<EventRecord>& events) const;

  const Plant& plant_;
  const NodeCouplings& nodes_;
  std::vector<std::size_t> inlet_signals_;  ///< [rack]
};

/// Nodes whose supply is lost or back, who have booted, or may start again after their dies were too hot. True if there was any.
bool follow_supply(const Plant& plant, const NodeCouplings& nodes, PlantState& state, std::vector<EventRecord>& events);

/// Makes a node what it is from now on, with the clocks that firmware allows its GPUs. The node is counted through the hall.
void put_node(const Plant& plant, const NodeCouplings& nodes, std::size_t node, NodeIs is, PlantState& state);

/// When the next node has booted or starts again; infinity: none.
double next_node_s(const Plant& plant, const PlantState& state);

}  // namespace wattloop::twin
