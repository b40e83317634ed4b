#include "twin/ratings/power/redundant_parts.hpp"

#include <algorithm>
#include <array>

#include "core/numbers/joined.hpp"
#include "electrical/mesh_voltages.hpp"
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

struct ClosedBranch {
  std::size_t branch, from, to;
};

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

std::vector<std::uint8_t> branches_in_loops(const Plant& plant) {
  const electrical::PowerTree& tree = plant.power_tree;
  std::vector<std::uint8_t> is_in_loop(tree.branch_name.size(), 0);
  if (!plant.voltages || plant.voltages->method == electrical::FlowMethod::radial) return is_in_loop;
  const electrical::SwitchState switches = electrical::normal_switch_state(tree);
  const std::vector<std::uint8_t> is_link = electrical::links_of(tree, switches);
  if (std::ranges::count(is_link, std::uint8_t{1}) == 0) return is_in_loop;
  const std::size_t ground = tree.bus_name.size();  // all feeds are joined to it
  std::vector<ClosedBranch> closed;
  for (std::size_t branch = 0; branch < tree.branch_name.size(); ++branch) {
    const bool carries = is_link[branch] != 0 || switches.branch_mode[branch] == electrical::BranchMode::carrying;
    if (!carries || tree.branch_makes_voltage[branch] != 0) continue;
    closed.push_back(
        {branch, static_cast<std::size_t>(tree.branch_from[branch]), static_cast<std::size_t>(tree.branch_to[branch])});
  }
  for (const ClosedBranch& one : closed) {
    Joined others(ground + 1);
    for (std::size_t source = 0; source < tree.source_name.size(); ++source)
      if (switches.source_live[source] != 0) others.join(ground, static_cast<std::size_t>(tree.source_bus[source]));
    for (const ClosedBranch& other : closed)
      if (other.branch != one.branch) others.join(other.from, other.to);
    is_in_loop[one.branch] = others.are(one.from, one.to) ? 1 : 0;
  }
  return is_in_loop;
}

}  // namespace wattloop::twin
