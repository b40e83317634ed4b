// Panels beside a picture that show what a run moved: each curve against the column of its name, in small files in which no two numbers are equal.
#include <algorithm>
#include <map>

#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"
#include "twin/results/writer/results_writer.hpp"
#include "viz/charts/timeline.hpp"

using namespace wattloop;
using namespace wattloop::tests;
using namespace wattloop::viz;

namespace {

struct MovedColumn {
  std::string name, unit;
  std::vector<std::vector<float>> by_minute;  ///< of each item
};

/// Power of the facility, and a table; three records, a minute apart.
Timeline timeline_of(const std::string& group, const std::vector<std::string>& items,
                     const std::vector<MovedColumn>& columns, const std::vector<MovedColumn>& of_facility = {}) {
  const TemporaryFolder folder;
  twin::ResultsWriter writer(folder / "x.h5", "2026-01-01T00:00:00");
  std::vector<twin::ColumnSpec> facility_columns{{"power", "W", "all"}, {"it_power", "W", "IT"}}, group_columns;
  for (const MovedColumn& one : of_facility) facility_columns.push_back({one.name, one.unit, "words"});
  for (const MovedColumn& one : columns) group_columns.push_back({one.name, one.unit, "words"});
  const auto facility = writer.add_table({.group = "facility", .columns = facility_columns});
  const auto table =
      group.empty()
          ? facility
          : writer.add_table({.group = group, .item_dimension = "item", .items = items, .columns = group_columns});
  for (std::size_t minute = 0; minute < 3; ++minute) {
    std::vector<float> now{9e3F + float(minute), 8e3F + float(minute)}, of_group;
    for (const MovedColumn& one : of_facility) now.push_back(one.by_minute[0][minute]);
    writer.append(facility, 60.0 * double(minute), now);
    for (const MovedColumn& one : columns)
      for (const std::vector<float>& item : one.by_minute) of_group.push_back(item[minute]);
    if (!group.empty()) writer.append(table, 60.0 * double(minute), of_group);
  }
  writer.finish();
  return read_timeline(twin::ResultsReader(folder / "x.h5"), {.shown_s = 60.0});
}

/// Values by label of the panel with that title.
std::map<std::string, std::vector<double>> curves_of(const Timeline& timeline, const std::string& title) {
  std::map<std::string, std::vector<double>> curves;
  for (const Panel& panel : timeline.panels)
    if (panel.title == title)
      for (const Curve& curve : panel.curves) curves[curve.label] = curve.values;
  return curves;
}

void check(const std::vector<double>& values, const std::vector<double>& expected) {
  REQUIRE(values.size() == expected.size());
  for (std::size_t k = 0; k < values.size(); ++k) CHECK(values[k] == Approx(expected[k]).margin(1e-4));
}

constexpr float cold_k = 273.15F;

}  // namespace

TEST_CASE("the panel of GPUs has those that are down and those that are throttled, each under its name",
          "[moved_panels]") {
  const Timeline timeline = timeline_of(
      "", {}, {},
      {{"throttled_gpus", "1", {{0, 12, 7}}}, {"shut_down_gpus", "1", {{1, 2, 3}}}, {"down_gpus", "1", {{0, 40, 48}}}});
  auto curves = curves_of(timeline, "GPUs");
  check(curves["down"], {0, 40, 48});
  check(curves["throttled"], {0, 12, 7});
}

TEST_CASE("panels of generators, batteries and CDUs have their own columns in their own units", "[moved_panels]") {
  auto generators = curves_of(
      timeline_of("generators", {"generator_1", "generator_2"}, {{"power", "W", {{0, 1e6F, 2e6F}, {0, 3e6F, 5e6F}}}}),
      "generators, MW");
  check(generators["power"], {0, 4, 7});  // of both
  const std::vector<MovedColumn> battery{{"battery_power", "W", {{0, 2e6F, 1e6F}}}};
  auto charge = curves_of(timeline_of("ups", {"ups_a", "ups_b"},
                                      {{"state_of_charge", "1", {{1.0F, 0.8F, 0.5F}, {1.0F, 0.9F, 0.7F}}}}, battery),
                          "UPS state of charge, %");
  check(charge["UPS a"], {100, 80, 50});
  check(charge["UPS b"], {100, 90, 70});
  check(curves_of(timeline_of("", {}, {}, battery), "battery power, MW")["battery"], {0, 2, 1});
  auto cdus =
      curves_of(timeline_of("cdus", {"cdu_1", "cdu_2"}, {{"loading", "1", {{0.5F, 0.6F, 0.9F}, {0.4F, 0.3F, 0.2F}}}}),
                "CDU loading, % of rated");
  check(cdus["CDU 1"], {50, 60, 90});
  check(cdus["CDU 2"], {40, 30, 20});
}

TEST_CASE("the panel of air has the warmest inlet, hot aisles and cold aisles in degrees Celsius", "[moved_panels]") {
  const auto from = [](float first, float step) {
    return std::vector<float>{cold_k + first, cold_k + first + step, cold_k + first + 2.0F * step};
  };
  const Timeline timeline = timeline_of("rows", {"row_1", "row_2"},
                                        {{"hot_aisle_temperature", "K", {from(40, 2), from(45, 4)}},
                                         {"cold_aisle_temperature", "K", {from(20, 1), from(25, 3)}}},
                                        {{"hottest_rack_inlet_temperature", "K", {from(27, 5)}}});
  auto curves = curves_of(timeline, "air, °C");
  check(curves["warmest inlet"], {27, 32, 37});
  check(curves["hot, row 2"], {45, 49, 53});
  check(curves["hot, row 1"], {40, 42, 44});
  check(curves["cold, row 2"], {25, 28, 31});
  check(curves["cold, row 1"], {20, 21, 22});
}

TEST_CASE("the panel of flows has each loop under its name", "[moved_panels]") {
  auto curves = curves_of(timeline_of("loops", {"loop_1", "loop_2"}, {{"flow", "kg/s", {{7, 7.25F, 6.5F}, {6, 5, 1}}}}),
                          "coolant flow of a loop, kg/s");
  check(curves["loop 1"], {7, 7.25, 6.5});
  check(curves["loop 2"], {6, 5, 1});
}
