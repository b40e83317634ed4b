// A results file with something of everything, whose values are known by a formula.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "twin/results/writer/results_writer.hpp"

namespace wattloop::tests {

/// How much of everything a sample holds.
struct SampleSize {
  std::size_t facility_rows = 3000, rack_rows = 700, gpu_rows = 70;
  std::size_t racks = 160, gpus = 10240;
  std::size_t events = 3;
};

/// The value that stands in a sample for a column, a row and an item; the third column has holes.
inline float sample_value(std::size_t column, std::size_t row, std::size_t item) {
  if (column == 2 && row % 7 == 3) return std::nanf("");
  return 300.0F + 1000.0F * static_cast<float>(column) + static_cast<float>(row % 101) +
         0.001F * static_cast<float>(item % 977);
}

inline twin::TableSpec facility_table() {
  return {.group = "facility",
          .columns = {{"power", "W", "power at the meter"},
                      {"pue", "1", "power usage effectiveness"},
                      {"wet_bulb", "K", "wet-bulb temperature outside"}}};
}

inline twin::TableSpec rack_table(std::size_t racks) {
  twin::TableSpec table{.group = "racks",
                        .item_dimension = "rack",
                        .columns = {{"it_power", "W", "power of nodes in the rack"},
                                    {"supply_temperature", "K", "coolant into the rack"},
                                    {"flow", "kg/s", "coolant flow through the rack"}}};
  for (std::size_t rack = 1; rack <= racks; ++rack) table.items.push_back(fmt::format("row_1.rack_{}", rack));
  return table;
}

inline twin::TableSpec gpu_table(std::size_t gpus) {
  return {.group = "gpus",
          .item_dimension = "gpu",
          .columns = {{"die_temperature", "K", "die temperature"}, {"power", "W", "power drawn"}},
          .numbered_items = gpus,
          .item_long_name = "number of the GPU"};
}

inline std::vector<float> sample_row(const twin::TableSpec& table, std::size_t row) {
  std::vector<float> values;
  for (std::size_t column = 0; column < table.columns.size(); ++column) {
    for (std::size_t item = 0; item < table.item_count(); ++item) values.push_back(sample_value(column, row, item));
  }
  return values;
}

inline void append_rows(twin::ResultsWriter& writer, const twin::TableSpec& table, std::size_t rows,
                        double interval_s) {
  const std::size_t number = writer.add_table(table);
  for (std::size_t row = 0; row < rows; ++row) {
    writer.append(number, interval_s * static_cast<double>(row), sample_row(table, row));
  }
}

inline std::vector<twin::EventRecord> sample_events(std::size_t count) {
  std::vector<twin::EventRecord> events;
  for (std::size_t event = 0; event < count; ++event) {
    events.push_back({.time_s = 60.5 * static_cast<double>(event),
                      .kind = event % 2 == 0 ? "fail" : "restore",
                      .target = fmt::format("cdu_{}.pump_a", event + 1),
                      .detail = event == 0 ? "" : "réglé à 40 °C"});
  }
  return events;
}

inline std::vector<twin::LimitRecord> sample_limits() {
  return {{"row_1.rack_1", "inlet_air_temperature", "K", "hotter than the maker of the nodes allows", "log", 303.15,
           311.5, 420.5, 61.25, 1200.0},
          {"ups_a", "loading", "1", "over its rating", "trip", 1.0, 1.47, 12.0, 10.0, 72.5}};
}

inline std::vector<twin::LayoutBox> sample_layout(std::size_t racks) {
  std::vector<twin::LayoutBox> boxes{{.name = "hall", .kind = "room", .centre_m = {6, 3, 2}, .size_m = {12, 6, 4}}};
  for (std::size_t rack = 1; rack <= racks; ++rack) {
    boxes.push_back({.name = fmt::format("row_1.rack_{}", rack),
                     .kind = "rack",
                     .parent = "hall",
                     .centre_m = {0.6 * static_cast<double>(rack), 1.0, 1.15},
                     .size_m = {0.6, 1.2, 2.3}});
  }
  return boxes;
}

inline std::vector<twin::NamedValue> sample_summary(double wall_time_s) {
  return {{"pue", 1.18, "1", "power usage effectiveness"},
          {"it_energy", 3.6e9, "J", "energy drawn by nodes"},
          {"first_throttle_time", std::nan(""), "s", "when the first GPU throttled"},
          {"throttled_gpus", std::int64_t{0}, "1", "GPUs that throttled"},
          {"verdict", std::string("no limit violated"), "", "in words"},
          {"wall_time", wall_time_s, "s", "real time that the run took"}};
}

inline std::vector<twin::NamedValue> sample_provenance() {
  return {{"scenario", std::string("title: Ein Gestell\nhall:\n  racks: { count: 1 }\n"), "", "resolved scenario"},
          {"threads", std::int64_t{2}, "1", "threads used"}};
}

/// Everything but `finish`.
inline void write_sample(twin::ResultsWriter& writer, const SampleSize& size = {}, double wall_time_s = 4.0) {
  append_rows(writer, facility_table(), size.facility_rows, 1.0);
  append_rows(writer, rack_table(size.racks), size.rack_rows, 15.0);
  append_rows(writer, gpu_table(size.gpus), size.gpu_rows, 60.0);
  writer.write_events(sample_events(size.events));
  writer.write_layout(sample_layout(size.racks));
  writer.write_limits(sample_limits());
  writer.write_summary(sample_summary(wall_time_s));
  writer.write_provenance(sample_provenance());
}

}  // namespace wattloop::tests
