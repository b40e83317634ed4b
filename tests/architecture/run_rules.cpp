#include <regex>
#include <set>

#include "tests/architecture/rules.hpp"

namespace wattloop::tests {

namespace {

/// Tests that made a `Simulation` before there was `HallRun`. The list becomes shorter; no test comes onto it.
const std::set<std::string> still_by_hand{"tests/cases/nameplate_runs.cpp",
                                          "tests/cases/readme_figures.cpp",
                                          "tests/properties/checkpoint.cpp",
                                          "tests/properties/checkpoint_file.cpp",
                                          "tests/properties/close_instants.cpp",
                                          "tests/properties/fabric_load.cpp",
                                          "tests/properties/limits.cpp",
                                          "tests/properties/multirate.cpp",
                                          "tests/properties/node_states.cpp",
                                          "tests/properties/overload.cpp",
                                          "tests/properties/settings_in_run.cpp",
                                          "tests/properties/simulation.cpp",
                                          "tests/properties/step_order.cpp",
                                          "tests/unit/plant/clogged_air.cpp",
                                          "tests/unit/plant/clogged_racks.cpp",
                                          "tests/unit/plant/condensation.cpp",
                                          "tests/unit/plant/door_fans.cpp",
                                          "tests/unit/plant/fault_events.cpp",
                                          "tests/unit/plant/node_states.cpp",
                                          "tests/unit/plant/part_limits.cpp",
                                          "tests/unit/plant/power_protection.cpp",
                                          "tests/unit/plant/switching.cpp",
                                          "tests/unit/plant/ups_bypass.cpp",
                                          "tests/unit/scenario/power_modules.cpp",
                                          "tests/verification/air/altitude_indoors.cpp",
                                          "tests/verification/air/machines_in_run.cpp",
                                          "tests/verification/air/node_fans.cpp",
                                          "tests/verification/air/room_mass.cpp",
                                          "tests/verification/air/rooms.cpp",
                                          "tests/verification/integration/core_integrators.cpp",
                                          "tests/verification/integration/energy_balance.cpp",
                                          "tests/verification/integration/multirate.cpp",
                                          "tests/verification/integration/recorded_columns.cpp",
                                          "tests/verification/integration/small_hall.cpp",
                                          "tests/verification/power/battery_in_run.cpp",
                                          "tests/verification/power/battery_of_modules.cpp",
                                          "tests/verification/power/sampled_losses.cpp",
                                          "tests/verification/power/ups_room.cpp",
                                          "tests/verification/units/gpu_protection_in_run.cpp",
                                          "tests/verification/units/gpus_in_order.cpp",
                                          "tests/verification/units/inlet_protection.cpp",
                                          "tests/verification/units/settled_units.cpp",
                                          "tests/verification/water/chilled_waters.cpp",
                                          "tests/verification/water/pressure_control.cpp",
                                          "tests/verification/water/water_network.cpp",
                                          "tests/verification/water/waterside_economiser.cpp",
                                          "tests/verification/water/weather_in_run.cpp",
                                          "tests/verification/work/constant_load.cpp",
                                          "tests/verification/work/fabric_failures.cpp",
                                          "tests/verification/work/followed.cpp",
                                          "tests/verification/work/long_samples.cpp",
                                          "tests/verification/work/rack_groups.cpp",
                                          "tests/verification/work/transformer_fabric.cpp"};

/// A variable or an owned object of that type; a reference is not one.
const std::regex made(R"((unique_ptr|optional|make_unique)<(twin::)?Simulation>|\b(twin::)?Simulation [a-z_]+[({;])");

bool may_make(const std::string& path) {
  return path.starts_with("twin/run/") || path.starts_with("tests/architecture/");  // which quotes what it looks for
}

}  // namespace

Violations simulation_violations(const Project& project) {
  Violations found;
  std::set<std::string> seen;
  for (const TextFile& file : project.files) {
    if (!file.is_code() || may_make(file.path)) continue;
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      if (!std::regex_search(file.lines[i], made)) continue;
      seen.insert(file.path);
      if (!still_by_hand.contains(file.path))
        found.push_back(violation(file, i, "a run is made by HallRun (docs/decisions/0062-one-way-to-run.md)"));
    }
  }
  for (const TextFile& file : project.files) {
    if (still_by_hand.contains(file.path) && !seen.contains(file.path))
      found.push_back(file.path +
                      " makes no Simulation any more: it leaves the list of tests/architecture/run_rules.cpp");
  }
  return found;
}

}  // namespace wattloop::tests
