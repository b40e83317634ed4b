#include "twin/ratings/power/supply_loads.hpp"

#include <array>

#include "twin/scenario/specs/node_supplies.hpp"

namespace wattloop::twin {

std::vector<LoadAtRating> loads_of_supplies(const PlantSnapshot& now, const RacksSpec& racks, std::size_t rack,
                                            const std::string& fans) {
  const electrical::PowerTree& tree = now.plant.power_tree;
  const std::size_t load = now.plant.it.racks[rack].load;
  const std::string of = racks.name.empty() ? "" : " of " + racks.name;
  const NodeSupplies supplies = node_supplies(racks.hardware);
  const std::array<double, 2>& cords = now.state.switches.cord_share[load];
  const bool has_two = tree.load_bus[load][1] != electrical::no_bus && tree.load_transfers[load] == 0;
  const bool is_on_one = has_two && !(cords[0] > 0.0 && cords[1] > 0.0);
  const double share = is_on_one ? supplies.one_cord_share : 1.0, rated_w = racks.hardware.psu.rated_w;
  const double given_w = share * supplies.curve.output_w(now.load_w(load) / racks.nodes / share);
  const std::string carries = "DC power at the nameplate of the node" + fans;
  const std::string name = "power supplies of a node" + of;
  const LoadAtRating all{"psu" + of, name, carries, given_w, share * rated_w, "W"};
  if (!has_two || supplies.one_cord_share == 1.0) return {all};
  const LoadAtRating half{"one cord" + of, name + " on one of two cords",     carries,
                          given_w,         supplies.one_cord_share * rated_w, "W"};
  if (is_on_one) return {half};
  return {all, half};
}

double Recharge::carried_by_w(std::string_view source) {
  const electrical::PowerTree& tree = now_.plant.power_tree;
  const auto number = electrical::find_source(tree, source);
  if (!number || tree.source_is_standby[*number] == 0) return 0.0;
  if (recharging_.source_w.empty()) {
    recharging_ = electrical::make_power_flow(tree);
    electrical::evaluate(tree, {now_.evaluation.loads_w(), now_.evaluation.charger_w}, now_.state.switches,
                         recharging_);
  }
  return recharging_.source_w[*number] - now_.evaluation.power.source_w[*number];
}

}  // namespace wattloop::twin
