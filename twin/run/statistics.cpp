#include "twin/run/statistics.hpp"

#include <algorithm>
#include <utility>

#include "twin/run/energy_parts.hpp"

namespace wattloop::twin {

namespace {

void observe_water(const Moment& m, const WaterPart& water, WaterExtremes& extremes) {
  extremes.supply_k.add(m.node_k(water.supply_node), m.state.time_s);
  extremes.return_k.add(m.node_k(water.return_node), m.state.time_s);
}

}  // namespace

void Extremes::add(double value, double time_s, std::size_t item) {
  if (value < lowest) {
    lowest = value;
    lowest_at_s = time_s;
    lowest_item = item;
  }
  if (value > highest) {
    highest = value;
    highest_at_s = time_s;
    highest_item = item;
  }
}

Statistics::Statistics(const Plant& plant)
    : loads(rated_loads(plant)), load_w(loads.size()), plant_(plant), load_j_(loads.size()) {}

void Statistics::observe_coolant(const Moment& m) {
  const HallParts& hall = plant_.hall;
  const double t = m.state.time_s;
  for (std::size_t l = 0; l < hall.loops.size(); ++l) {
    supply_k.add(m.node_k(hall.loops[l].supply_node), t, l);
    return_k.add(m.node_k(hall.loops[l].return_node), t, l);
  }
  for (std::size_t c = 0; c < hall.cdus.size(); ++c) {
    const double set_point_k = m.input(hall.loops[hall.cdus[c].loop].set_point_input);
    supply_error_k.add(m.node_k(hall.cdus[c].outlet_node) - set_point_k, t, c);
  }
  observe_water(m, hall.facility, facility_water);
  observe_water(m, hall.chilled_water, chilled_water);
}

void Statistics::observe_air(const Moment& m) {
  const HallParts& hall = plant_.hall;
  const double t = m.state.time_s;
  for (std::size_t r = 0; r < hall.rooms.size(); ++r) room_k.add(m.node_k(hall.rooms[r].node), t, r);
  for (std::size_t r = 0; r < hall.rows.size(); ++r) cold_aisle_k.add(m.node_k(hall.rows[r].cold_node), t, r);
  if (hall.wet_bulb_input != no_part) wet_bulb_k.add(m.input(hall.wet_bulb_input), t);
}

void Statistics::observe_power(const Moment& m) {
  const double t = m.state.time_s;
  if (duration_s_ == 0.0) add_powers(m, 1.0);  // the start
  facility_w.add(facility_j_ / duration_s_, t);
  it_w.add(it_j_ / duration_s_, t);
  node_w.add(node_j_ / duration_s_, t);
  for (std::size_t k = 0; k < loads.size(); ++k) load_w[k].add(load_j_[k] / duration_s_, t);
  facility_j_ = it_j_ = node_j_ = duration_s_ = 0.0;
  std::fill(load_j_.begin(), load_j_.end(), 0.0);
  for (std::size_t k = 0; k < plant_.batteries.size(); ++k) {
    charge_fraction.add(m.state.states[plant_.batteries[k].charge_state], t, k);
  }
  if (std::exchange(is_first_, false)) first_battery_j = battery_energy_j(plant_, m.state);
}

void Statistics::add_powers(const Moment& m, double duration_s) {
  facility_j_ += duration_s * m.evaluation.power.source_total_w;
  it_j_ += duration_s * m.it_power_w();
  node_j_ += duration_s * m.power_w(LoadUse::node);
  for (std::size_t k = 0; k < loads.size(); ++k) load_j_[k] += duration_s * loads[k].load_w(m);
  duration_s_ += duration_s;
}

void Statistics::integrate(const PlantState& state, const Evaluation& evaluation, double duration_s) {
  add_powers({plant_, state, evaluation}, duration_s);
}

void Statistics::observe(const PlantState& state, const Evaluation& evaluation) {
  const Moment m{plant_, state, evaluation};
  const double t = state.time_s;
  observe_power(m);
  observe_coolant(m);
  observe_air(m);
  for (const RackDigest& rack : evaluation.racks) {
    die_k.add(rack.hottest_k, t, rack.hottest_gpu);
    die_k.lowest = std::min(die_k.lowest, rack.coolest_k);
  }
  most_throttled = std::max(most_throttled, throttled_gpus(evaluation.racks));
}

}  // namespace wattloop::twin
