#include "twin/ratings/odd_set_points.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/units/units.hpp"
#include "twin/scenario/checks/coil_water.hpp"

namespace wattloop::twin {

namespace {

/// A set-point of water that a sequence moves is none to judge by what the scenario says.
bool is_moved(const Scenario& scenario, const FacilitySpec& water) {
  return std::ranges::find(scenario.sequences, water.name + ".supply_temperature", &SequenceSpec::setting) !=
         scenario.sequences.end();
}

}  // namespace

std::vector<std::string> odd_set_points(const Scenario& scenario, double wet_bulb_k) {
  const CoolingSpec& cooling = scenario.cooling;
  const auto text = [](double kelvin) { return format_quantity(kelvin, "K"); };
  std::vector<std::string> odd;
  const auto words = [](const std::string& name) { return name == "facility" ? "facility water" : "water of " + name; };
  for (const LoopsSpec& loops : cooling.loops) {
    const FacilitySpec& water = *find_water(cooling, loops.on);
    if (water.supply_k < loops.supply_k || is_moved(scenario, water)) continue;
    odd.push_back(fmt::format(
        "the supply temperature of {0} ({1}) is not below that of {3} ({2}): valves are fully open, pumps run up, and "
        "the coolant does not reach its set-point; lower the first or raise the second",
        words(water.name), text(water.supply_k), text(loops.supply_k), loops.name.empty() ? "the loops" : loops.name));
  }
  for (const FacilitySpec& water : cooling.water) {
    if (!water.towers.is_given || water.supply_k >= wet_bulb_k || is_moved(scenario, water)) continue;
    odd.push_back(
        fmt::format("{} has a set-point of {}, below the highest outdoor wet bulb of {}: no tower cools that far; "
                    "raise the set-point",
                    words(water.name), text(water.supply_k), text(wet_bulb_k)));
  }
  const auto compare_air = [&](const CrahsSpec& crahs, const std::string& of_what) {
    const double water_k = crahs.is_given ? coil_water_of(cooling, crahs)->supply_k : 0.0;
    if (!crahs.is_given || crahs.air_k > water_k) return;
    odd.push_back(
        fmt::format("air handlers {} cannot cool air to {} with water of {}: raise the first or lower the second",
                    of_what, text(crahs.air_k), text(water_k)));
  };
  for (const CrahsSpec& crahs : cooling.crahs)
    compare_air(crahs, crahs.name.empty() ? "of the hall" : "of " + crahs.name);
  if (scenario.power.rooms.is_given) compare_air(scenario.power.rooms.crahs, "of UPS rooms");
  for (const ChilledWaterSpec& chilled : cooling.chilled_water) {
    const ChillersSpec& chillers = chilled.chillers;
    const std::string of_whom = chilled.name == "chilled_water" ? "a chiller" : "a chiller of " + chilled.name;
    const auto compare_flow = [&](double pump_kg_per_s, double design_kg_per_s, const char* water) {
      if (!chillers.is_given || pump_kg_per_s >= 0.999 * design_kg_per_s) return;
      odd.push_back(fmt::format("the {} pump of {} has a flow of {}, less than the design flow of {}", water, of_whom,
                                format_quantity(pump_kg_per_s, "kg/s"), format_quantity(design_kg_per_s, "kg/s")));
    };
    compare_flow(chillers.chilled_pump.rated_flow_kg_per_s, chillers.chiller.chilled_design_flow_kg_per_s,
                 "chilled-water");
    compare_flow(chillers.condenser_pump.rated_flow_kg_per_s, chillers.chiller.condenser_design_flow_kg_per_s,
                 "condenser");
  }
  return odd;
}

}  // namespace wattloop::twin
