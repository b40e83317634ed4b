#include "twin/ratings/check_hour.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/units/units.hpp"
#include "twin/ratings/ranked_text.hpp"

namespace wattloop::twin {

CheckHour check_hour(std::string_view name, double hour_s, const PlantSnapshot& now) {
  CheckHour hour{.name = name,
                 .hour_s = hour_s,
                 .dry_bulb_k = now.input(now.plant.outside.dry_bulb),
                 .wet_bulb_k = now.input(now.plant.outside.wet_bulb)};
  for (const SystemPart& system : now.plant.systems) {
    if (system.is_own())
      hour.places.push_back(
          {system.name, system.fluid, now.node_k(system.supply_node), now.input(system.set_point_input)});
  }
  for (const RoomPart& room : now.plant.rooms) {
    if (room.set_point_input != no_part)
      hour.places.push_back({room.name, "air of " + room.name, now.node_k(room.node), now.input(room.set_point_input)});
  }
  if (now.plant.it.gpu_count() > 0) hour.hottest_die_k = hottest_die_k(now.all_racks());
  return hour;
}

std::string hours_text(const std::vector<CheckHour>& hours, std::string_view start) {
  if (hours.empty()) return {};
  const auto line = [&](const std::string& head, const auto& cell) {
    std::string text = fmt::format("{:<28}", head);
    for (const CheckHour& hour : hours) text += fmt::format("  {:>16}", cell(hour));
    return text + "\n";
  };
  const auto degrees = [](double k) { return format_quantity(k, "K"); };
  std::string text = line("with nothing out", [](const CheckHour& hour) { return fmt::format("{} hour", hour.name); });
  text += line("", [&](const CheckHour& hour) { return local_time_text(start, hour.hour_s); });
  text += line("dry bulb outside", [&](const CheckHour& hour) { return degrees(hour.dry_bulb_k); });
  text += line("wet bulb outside", [&](const CheckHour& hour) { return degrees(hour.wet_bulb_k); });
  for (std::size_t place = 0; place < hours.front().places.size(); ++place)
    text += line(hours.front().places[place].text,
                 [&](const CheckHour& hour) { return degrees(hour.places[place].temperature_k); });
  if (hours.front().hottest_die_k)
    text += line("hottest die", [&](const CheckHour& hour) { return degrees(*hour.hottest_die_k); });
  return text;
}

}  // namespace wattloop::twin
