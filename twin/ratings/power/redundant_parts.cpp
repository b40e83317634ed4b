#include "twin/ratings/power/redundant_parts.hpp"

#include <array>

#include "twin/actions/power/switching.hpp"
#include "twin/plant/state/plant_state.hpp"

namespace wattloop::twin {

namespace {

constexpr double settled_s = 3600.0;  ///< all that switches by itself has switched

bool do_all_go_on(const Plant& plant, PlantState state, const std::string& name) {
  const std::vector<std::array<double, 2>> before = state.switches.cord_share;
  if (const auto branch = electrical::find_branch(plant.power_tree, name))
    state.switching.branch_is_failed[*branch] = 1;
  else if (const auto source = electrical::find_source(plant.power_tree, name))
    state.switching.source_is_failed[*source] = 1;
  std::vector<EventRecord> log;
  switch_until(settled_s, plant, state, log);
  for (const BatteryPart& battery : plant.batteries) state.states[battery.charge_state] = 0.0;
  switch_until(settled_s, plant, state, log);
  for (std::size_t load = 0; load < before.size(); ++load) {
    if (before[load][0] + before[load][1] > 0.0 && !electrical::is_served(state.switches, load)) return false;
  }
  return true;
}

}  // namespace

std::vector<std::string> redundant_parts(const Plant& plant) {
  std::vector<std::string> names;
  if (plant.switch_rules.may_be_out.empty()) return names;
  const PlantState normal = initial_state(plant);
  for (const std::string& name : plant.switch_rules.may_be_out) {
    if (do_all_go_on(plant, normal, name)) names.push_back(name);
  }
  return names;
}

}  // namespace wattloop::twin
