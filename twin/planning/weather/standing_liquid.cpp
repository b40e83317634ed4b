#include "twin/planning/weather/standing_liquid.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "core/units/units.hpp"
#include "physics/fluids/fluid.hpp"
#include "physics/water/dry_cooler.hpp"

namespace wattloop::twin {

namespace {

/// Of the water system of that name; none where it is of chilled water, which is indoors.
std::optional<std::string> coolant_of(const CoolingSpec& cooling, std::string_view system) {
  for (const FacilitySpec& water : cooling.water)
    if (water.name == system) return water.coolant;
  return std::nullopt;
}

/// Where a part takes its liquid from: "facility.return" is of "facility".
std::string system_of(const PartSpec& part) {
  const auto liquid = std::ranges::find(part.ports, "liquid", &PortSpec::port);
  return liquid == part.ports.end() ? "" : liquid->from.substr(0, liquid->from.find('.'));
}

}  // namespace

std::vector<std::string> standing_liquid_notes(const Scenario& scenario, const Outdoors& outdoors) {
  std::map<std::string, std::vector<std::string>> coolers;  // by system
  for (const PartSpec& part : scenario.parts)
    if (part.kind == physics::DryCooler::kind) coolers[system_of(part)].push_back(part.name);
  if (coolers.empty()) return {};
  double coldest_k = std::numeric_limits<double>::infinity();
  for_each_sample(outdoors, scenario.duration_s,
                  [&](const physics::WeatherNow& now) { coldest_k = std::min(coldest_k, now.dry_bulb_k); });
  std::vector<std::string> notes;
  for (const auto& [system, names] : coolers) {
    const std::optional<std::string> coolant = coolant_of(scenario.cooling, system);
    if (!coolant) continue;
    const double freezes_k = physics::find_fluid(*coolant).freezes_k;
    if (coldest_k >= freezes_k) continue;
    const std::string where =
        names.size() == 1 ? names.front() : fmt::format("any of {} to {}", names.front(), names.back());
    notes.push_back(
        fmt::format("the outdoor air falls to {}, and {} freezes at {}: drain or heat {} while it is off for long",
                    format_quantity(coldest_k, "K"), *coolant, format_quantity(freezes_k, "K"), where));
  }
  return notes;
}

}  // namespace wattloop::twin
