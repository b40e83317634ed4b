// A results file by hand of a hall in which equipment is beyond limits and racks of storage and of switches lose their power at 60 s.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "twin/results/writer/results_writer.hpp"

namespace wattloop::tests {

/// Two racks of a row with doors, with two racks of storage between them, a rack of switches, two CDUs, a UPS and a PDU on each of two sides, an air
/// handler. At 0 s all is well. At 60 s storage rack 2 and the rack of switches have no power, the loading of CDU 2 is 130 % and that of UPS b 110 %,
/// the door of the second rack takes up 40 kW of 30 kW, and inlet air of both racks is beyond what the maker allows.
inline std::filesystem::path write_marked_run(const std::filesystem::path& file) {
  using namespace twin;
  using Names = std::vector<std::string>;
  ResultsWriter writer(file, "2026-01-01T00:00:00");
  const auto box = [](const char* name, const char* kind, const char* parent, double x_m, double y_m,
                      std::array<double, 3> size_m) {
    return LayoutBox{name, kind, parent, {x_m, y_m, 1.0}, size_m};
  };
  const std::array<double, 3> rack_m{0.6, 1.2, 2.2}, door_m{0.58, 0.14, 2.1};
  writer.write_layout(
      std::vector<LayoutBox>{box("row_1.rack_1", "rack", "", 0.3, 0.6, rack_m),
                             box("row_1.rack_1.rear_door", "rear_door", "row_1.rack_1", 0.3, 1.27, door_m),
                             box("row_1.rack_2", "rack", "", 2.1, 0.6, rack_m),
                             box("row_1.rack_2.rear_door", "rear_door", "row_1.rack_2", 2.1, 1.27, door_m),
                             box("storage_rack_1", "storage_rack", "hall", 0.9, 0.6, rack_m),
                             box("storage_rack_2", "storage_rack", "hall", 1.5, 0.6, rack_m),
                             box("network_rack_1", "network_rack", "network", 0.3, 4.0, rack_m),
                             box("cdu_1", "cdu", "loop_1", -1.0, 0.6, {0.9, 1.2, 2.05}),
                             box("cdu_2", "cdu", "loop_1", -2.2, 0.6, {0.9, 1.2, 2.05}),
                             box("ups_a", "ups", "side_a", 8.0, 4.0, {1.2, 7.5, 2.0}),
                             box("ups_b", "ups", "side_b", -8.0, 4.0, {1.2, 7.5, 2.0}),
                             box("pdu_a_1", "pdu", "side_a", 4.0, 0.6, {0.9, 0.9, 2.0}),
                             box("pdu_b_1", "pdu", "side_b", -4.0, 0.6, {0.9, 0.9, 2.0}),
                             box("crah_1", "crah", "hall", 6.0, 3.0, {0.9, 2.6, 2.0})});
  const auto table = [&](const char* group, const char* item, Names items, const char* column, const char* unit,
                         const std::vector<float>& before, const std::vector<float>& after) {
    const std::size_t number = writer.add_table(
        {.group = group, .item_dimension = item, .items = std::move(items), .columns = {{column, unit, column}}});
    writer.append(number, 0.0, before);
    writer.append(number, 60.0, after);
  };
  table("racks", "rack", {"row_1.rack_1", "row_1.rack_2"}, "max_die_temperature", "K", {330, 331}, {332, 333});
  table("storage_racks", "storage_rack", {"storage_rack_1", "storage_rack_2"}, "power", "W", {8e3F, 7e3F}, {8e3F, 0});
  table("network", "network_rack", {"network_rack_1"}, "power", "W", {9e3F}, {0});
  table("cdus", "cdu", {"cdu_1", "cdu_2"}, "loading", "1", {0.5F, 0.6F}, {0.7F, 1.3F});
  table("feeders", "feeder", {"ups_a", "ups_b", "pdu_a_1", "pdu_b_1"}, "loading", "1", {0.4F, 0.5F, 0.3F, 0.2F},
        {0.1F, 1.1F, 0.1F, 0.6F});
  table("motors", "motor", {"cdu_1.pump_a", "cdu_2.pump_a", "storage_rack_1.door_fan"}, "state", "1", {1, 1, 0},
        {1, 1, 0});
  const auto limit = [](const char* part, const char* quantity, const char* unit, double allowed, double worst) {
    return LimitRecord{.part = part,
                       .quantity = quantity,
                       .unit = unit,
                       .limited_by = "it",
                       .beyond = "log",
                       .limit = allowed,
                       .worst = worst,
                       .worst_time_s = 60.0,
                       .first_time_s = 30.0,
                       .duration_s = 30.0};
  };
  writer.write_events(std::vector<EventRecord>{
      {30.0, "limit_exceeded", "cdu_2", "loading 101.0 %, over its rating: 100 %"},
      {30.0, "limit_exceeded", "ups_b", "101.0 % of 2 MW; nothing protects against it"},
      {30.0, "limit_exceeded", "row_1.rack_2", "door_heat 31 kW, over the rating of the rear door: 30 kW"},
      {30.0, "limit_exceeded", "row_1.rack_1",
       "inlet_air_temperature 30.1 degC, hotter than it allows: 30 degC; and 1 more of 2 racks"}});
  writer.write_limits(std::vector{limit("cdu_2", "loading", "1", 1.0, 1.3), limit("ups_b", "loading", "1", 1.0, 1.1),
                                  limit("row_1.rack_2", "door_heat", "W", 30e3, 40e3),
                                  limit("row_1.rack_1", "inlet_air_temperature", "K", 303.15, 305.15)});
  writer.finish();
  return file;
}

}  // namespace wattloop::tests
