#include "twin/ratings/water_users.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "twin/scenario/checks/coil_water.hpp"

namespace wattloop::twin {

namespace {

bool draws_a_part(const Scenario& scenario, const std::string& water) {
  return std::ranges::any_of(scenario.parts, [&](const PartSpec& part) {
    return std::ranges::any_of(part.ports, [&](const PortSpec& port) { return port.from == water + ".supply"; });
  });
}

/// "CDUs, parts and condensers".
std::string in_words(std::vector<std::string_view> users) {
  if (users.empty()) return {};
  const std::string_view last = users.back();
  users.pop_back();
  return users.empty() ? std::string(last) : fmt::format("{} and {}", fmt::join(users, ", "), last);
}

}  // namespace

std::string coils_on(const Scenario& scenario, const ChilledWaterSpec& water) {
  const CoolingSpec& cooling = scenario.cooling;
  if (water.name == "chilled_water") return "doors and air handlers";
  const auto is_on = [&](const auto& coils) { return coil_water_of(cooling, coils)->name == water.name; };
  const ElectricalRoomsSpec& rooms = scenario.power.rooms;
  std::vector<std::string_view> users;
  if (std::ranges::any_of(cooling.doors, is_on)) users.emplace_back("doors");
  const auto hang_on = [&](const CrahsSpec& crahs) { return crahs.is_given && is_on(crahs); };
  if (std::ranges::any_of(cooling.crahs, hang_on) || (rooms.is_given && is_on(rooms.crahs)))
    users.emplace_back("air handlers");
  if (draws_a_part(scenario, water.name)) users.emplace_back("parts");
  return in_words(std::move(users));
}

std::string users_of(const Scenario& scenario, const FacilitySpec& water, bool has_condensers) {
  const CoolingSpec& cooling = scenario.cooling;
  const auto is_on = [&](const LoopsSpec& loops) { return find_water(cooling, loops.on) == &water; };
  std::vector<std::string_view> users;
  if (std::ranges::any_of(cooling.loops, is_on)) users.emplace_back("CDUs");
  if (draws_a_part(scenario, water.name)) users.emplace_back("parts");
  if (has_condensers) users.emplace_back("condensers");
  return in_words(std::move(users));
}

}  // namespace wattloop::twin
