#include "twin/commands/results/time_current.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/text/nearest.hpp"
#include "core/text/problem.hpp"
#include "core/units/units.hpp"
#include "electrical/tree_voltages.hpp"
#include "twin/build/plant_builder.hpp"
#include "twin/drawings/charts/time_current_chart.hpp"
#include "twin/ratings/power/fault_network.hpp"
#include "twin/ratings/power/protection_devices.hpp"
#include "twin/report/charts/diagrams.hpp"
#include "twin/scenario/scenario_reader.hpp"

namespace wattloop::twin {

namespace {

using electrical::PowerTree;

std::vector<std::string> devices_in(const PowerTree& tree) {
  std::vector<std::string> names;
  for (std::size_t branch = 0; branch < tree.branch_name.size(); ++branch) {
    if (device_of(tree, branch, 1.0)) names.push_back(tree.branch_name[branch]);
  }
  return names;
}

std::vector<std::size_t> named(const PowerTree& tree, const std::string& path) {
  const std::vector<std::string> devices = devices_in(tree);
  std::vector<std::size_t> branches;
  Problems problems;
  std::istringstream names(path);
  for (std::string name; std::getline(names, name, ',');) {
    name.erase(0, name.find_first_not_of(' '));
    name.erase(name.find_last_not_of(' ') + 1);
    const auto refuse = [&](std::string message, std::string hint) {
      problems.add({{"--path", 0, 0}, std::move(message), std::move(hint), {}});
    };
    if (name.empty()) {
      refuse(fmt::format("'{}' has a comma without a name", path), "write names of devices with commas between them");
    } else if (std::ranges::find(devices, name) != devices.end()) {
      const std::size_t branch = *electrical::find_branch(tree, name);
      if (std::ranges::find(branches, branch) != branches.end())
        refuse(fmt::format("{} is named twice", name), "name each device once");
      branches.push_back(branch);
    } else {
      const bool is_there = electrical::find_branch(tree, name).has_value();
      refuse(is_there ? fmt::format("{} has no inverse-time curve", name) : fmt::format("there is no '{}'", name),
             nearest_hint(name, devices));
    }
  }
  problems.throw_if_any("the command line");
  return branches;
}

/// All devices between a source, or a converter without a bypass, and the end of the way that has most of them.
std::vector<std::size_t> longest_path(const PowerTree& tree) {
  const electrical::SwitchState switches = electrical::normal_switch_state(tree);
  std::vector<std::vector<std::size_t>> to_bus(tree.bus_name.size());
  std::vector<std::size_t> longest;
  for (std::size_t place = 0; place < tree.branch_name.size(); ++place) {
    const std::size_t branch = switches.branch_order.empty() ? place : switches.branch_order[place];
    if (switches.branch_mode[branch] != electrical::BranchMode::carrying) continue;
    const auto [from, to] = electrical::ends_of_flow(tree, switches, branch);
    std::vector<std::size_t> path;
    if (passes_short_circuits(tree, branch)) path = to_bus[static_cast<std::size_t>(from)];
    if (is_device(tree, branch)) path.push_back(branch);
    if (path.size() > longest.size()) longest = path;
    to_bus[static_cast<std::size_t>(to)] = std::move(path);
  }
  return longest;
}

/// Whether power that goes through one branch may go on through the other, in that position.
bool is_behind(const PowerTree& tree, const electrical::SwitchState& switches, std::size_t one, std::size_t other) {
  std::vector<bool> is_reached(tree.bus_name.size(), false);
  is_reached[static_cast<std::size_t>(electrical::ends_of_flow(tree, switches, one).second)] = true;
  for (bool any = true; any;) {
    any = false;
    for (std::size_t branch = 0; branch < tree.branch_name.size(); ++branch) {
      if (switches.branch_mode[branch] != electrical::BranchMode::carrying) continue;
      const auto [from, to] = electrical::ends_of_flow(tree, switches, branch);
      if (!is_reached[static_cast<std::size_t>(from)]) continue;
      if (branch == other) return true;
      if (is_reached[static_cast<std::size_t>(to)]) continue;
      is_reached[static_cast<std::size_t>(to)] = any = true;
    }
  }
  return false;
}

std::vector<std::string> not_in_series(const PowerTree& tree, const std::vector<std::size_t>& path) {
  const electrical::SwitchState switches = electrical::normal_switch_state(tree);
  std::vector<std::string> notes;
  for (std::size_t k = 0; k + 1 < path.size(); ++k) {
    if (is_behind(tree, switches, path[k], path[k + 1]) || is_behind(tree, switches, path[k + 1], path[k])) continue;
    notes.push_back(fmt::format(
        "{} and {} are not in series: in the normal position no short-circuit current goes through both devices",
        tree.branch_name[path[k]], tree.branch_name[path[k + 1]]));
  }
  return notes;
}

constexpr double slowest_s = 1e4;

/// Up at its pickup, then as it operates; closest points are where it is steepest, just above the pickup.
TimeCurrentCurve curve_of(const electrical::OvercurrentDevice& device, double up_to_a) {
  constexpr int points = 400;
  constexpr double first_beyond = 1e-3;  // of the pickup
  TimeCurrentCurve curve{.name = std::string(device.name)};
  const double last_beyond = up_to_a / device.pickup_a - 1.0;
  if (!(last_beyond > first_beyond)) return curve;
  curve.currents_a.push_back(device.pickup_a);
  curve.times_s.push_back(slowest_s);
  for (int point = 0; point <= points; ++point) {
    const double beyond = first_beyond * std::pow(last_beyond / first_beyond, double(point) / points);
    curve.currents_a.push_back(device.pickup_a * (1.0 + beyond));
    curve.times_s.push_back(electrical::operating_time_s(device, curve.currents_a.back()));
  }
  return curve;
}

/// What its stage for earth faults adds, a curve of its own.
void add_earth_stage(const electrical::OvercurrentDevice& device, double up_to_a,
                     std::vector<TimeCurrentCurve>& curves) {
  if (!(device.earth.pickup_a < up_to_a)) return;
  const double time_s = std::max(device.earth.time_s, device.fastest_s);
  curves.push_back({.name = std::string(device.name) + ", earth faults",
                    .currents_a = {device.earth.pickup_a, device.earth.pickup_a, up_to_a},
                    .times_s = {slowest_s, time_s, time_s},
                    .is_of_earth_faults = true});
}

}  // namespace

TimeCurrentPicture time_current_picture(const std::filesystem::path& scenario, const std::string& path) {
  const Plant plant = build_plant(read_scenario(scenario));
  const PowerTree& tree = plant.power_tree;
  const std::vector<std::size_t> branches = path.empty() ? longest_path(tree) : named(tree, path);
  if (branches.empty())
    throw InputError({{{scenario.string(), 0, 0}, "no equipment of this hall has an inverse-time curve", {}, {}}},
                     "the command line");
  const std::vector<double> nominal_v = electrical::nominal_voltages(tree);
  const BusCurrents largest = currents_of_buses(tree, FaultSize::largest),
                    smallest = currents_of_buses(tree, FaultSize::smallest_spared);
  const double at_v = nominal_v[static_cast<std::size_t>(tree.branch_to[branches.back()])];
  std::vector<TimeCurrentCurve> curves;
  std::vector<std::string> names;
  for (const std::size_t branch : branches) {
    const electrical::OvercurrentDevice device = *device_of(tree, branch, at_v);
    const auto to = static_cast<std::size_t>(tree.branch_to[branch]);
    const double largest_a = largest.three_phase_a[to] * nominal_v[to] / at_v;
    const double up_to_a = largest_a > 0.0 ? largest_a : 20.0 * device.pickup_a;
    curves.push_back(curve_of(device, up_to_a));
    curves.back().largest_a = largest_a;
    curves.back().smallest_a = smallest.three_phase_a[to] * nominal_v[to] / at_v;
    add_earth_stage(*earth_device_of(tree, branch, at_v), up_to_a, curves);
    names.push_back(tree.branch_name[branch]);
  }
  const std::string title = fmt::format("time over current of {}", fmt::join(names, ", "));
  const std::string words =
      "beside each name: the smallest and the largest short-circuit current downstream of the device, with all "
      "switches in their normal position; each curve ends at the largest current";
  return {standing_alone(time_current_chart(curves, format_quantity(at_v, "V")), {title, words}), title,
          not_in_series(tree, branches)};
}

}  // namespace wattloop::twin
