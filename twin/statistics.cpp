#include "twin/statistics.hpp"

#include <algorithm>

#include "twin/recorder.hpp"

namespace wattloop::twin {

void Extremes::add(double value, double time_s, std::size_t item) {
  lowest = std::min(lowest, value);
  if (value > highest) {
    highest = value;
    highest_at_s = time_s;
    highest_item = item;
  }
}

void Statistics::observe(const PlantState& state, const Evaluation& evaluation) {
  const Moment m{plant_, state, evaluation};
  const HallParts& hall = plant_.hall;
  const double t = state.time_s;
  facility_w.add(evaluation.power.source_total_w, t);
  double nodes_w = 0.0;
  for (const RackPart& rack : hall.racks) nodes_w += m.load_w(rack.load);
  node_w.add(nodes_w, t);
  std::size_t throttled = 0;
  for (const RackDigest& rack : evaluation.racks) {
    die_k.add(rack.hottest_k, t, rack.hottest_gpu);
    die_k.lowest = std::min(die_k.lowest, rack.coolest_k);
    throttled += rack.throttled_gpus;
  }
  for (std::size_t l = 0; l < hall.loops.size(); ++l) {
    supply_k.add(m.node_k(hall.loops[l].supply_node), t, l);
    return_k.add(m.node_k(hall.loops[l].return_node), t, l);
  }
  for (std::size_t c = 0; c < hall.cdus.size(); ++c) {
    const double set_point_k = state.inputs[hall.loops[hall.cdus[c].loop].set_point_input];
    supply_error_k.add(m.node_k(hall.cdus[c].outlet_node) - set_point_k, t, c);
  }
  for (const RoomPart& room : hall.rooms) room_k.add(m.node_k(room.node), t);
  for (std::size_t b = 0; b < plant_.power_tree.branch_name.size(); ++b) {
    branch_loading.add(evaluation.power.branch_loading_fraction[b], t, b);
  }
  most_throttled = std::max(most_throttled, throttled);
}

}  // namespace wattloop::twin
