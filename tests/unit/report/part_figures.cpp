// Values beside parts of a diagram: means over the longest interval that holds the moment, in which each table counts for the part of its own
// intervals that lies in it. Tables of other intervals, in which no two numbers are equal.
#include "twin/drawings/diagrams/part_figures.hpp"

#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"
#include "twin/results/writer/results_writer.hpp"

using namespace wattloop::twin;
using wattloop::tests::TemporaryFolder;

namespace {

/// Racks every 90 s and pumps every 60 s, as means; loops every 60 s, as values of an instant.
void write(const std::filesystem::path& file, const std::vector<EventRecord>& events = {}) {
  ResultsWriter writer(file, "2026-01-01T00:00:00");
  const auto racks = writer.add_table({.group = "racks",
                                       .item_dimension = "rack",
                                       .items = {"rack_1", "rack_2"},
                                       .columns = {{"it_power", "W", "power of nodes", true}}});
  const auto pumps = writer.add_table({.group = "pumps",
                                       .item_dimension = "pump",
                                       .items = {"pump_a", "pump_b"},
                                       .columns = {{"flow", "kg/s", "facility water through the pump", true},
                                                   {"speed", "1", "speed that was ordered"}}});
  const auto site = writer.add_table({.group = "facility", .columns = {{"dry_bulb", "K", "outside"}}});
  for (int row = 0; row < 3; ++row)
    writer.append(racks, 90.0 * row, std::vector{1000.0F + 10.0F * float(row), 2000.0F + 30.0F * float(row)});
  const std::vector<std::vector<float>> flows{{1.0F, 2.0F}, {10.0F, 20.0F}, {100.0F, 230.0F}, {400.0F, 830.0F}};
  for (std::size_t row = 0; row < flows.size(); ++row) {
    std::vector<float> values = flows[row];
    values.insert(values.end(), {0.5F + 0.01F * float(row), 0.7F + 0.01F * float(row)});
    writer.append(pumps, 60.0 * double(row), values);
    writer.append(site, 60.0 * double(row), std::vector{290.0F + float(row)});
  }
  writer.write_events(events);
  writer.finish();
}

}  // namespace

TEST_CASE("values of a diagram are means over the longest interval at that time, by the parts that tables have in it",
          "[diagram][part_figures]") {
  const TemporaryFolder folder;
  write(folder / "x.h5");
  const ResultsReader results(folder / "x.h5");
  const MeanSpan span = common_span(results, 100.0);
  CHECK((span.begin_s == 90.0 && span.end_s == 180.0));
  PartFigures figures(results, 100.0);
  CHECK(figures.value("rack_1", "it_power") == 1020.0);
  CHECK(figures.value("rack_2", "it_power") == 2060.0);
  // 30 s of the interval that ends at 120 s, and 60 s of that until 180 s.
  CHECK(figures.value("pump_a", "flow").value() == Approx((30.0 * 100.0 + 60.0 * 400.0) / 90.0));
  CHECK(figures.value("pump_b", "flow").value() == Approx((30.0 * 230.0 + 60.0 * 830.0) / 90.0));
  // What is no mean is of the record nearest to the moment.
  CHECK(figures.value("pump_b", "speed").value() == Approx(0.72));
  CHECK(figures.site_value("dry_bulb") == 292.0);
  const std::vector<std::string> pumps{"pump_b", "rack_1", "pump_a"};
  const std::vector<double> speeds = figures.values(pumps, "speed");
  REQUIRE(speeds.size() == 2);
  CHECK((speeds[0] == Approx(0.72) && speeds[1] == Approx(0.52)));
  CHECK(figures.medium("pump_a", "flow") == "facility water");
  CHECK_FALSE(figures.value("pump_c", "flow"));
  CHECK_FALSE(figures.value("rack_1", "flow"));
  CHECK_FALSE(figures.value_in("racks", "pump_a", "flow"));
}

TEST_CASE("an interval ends before the moment at its end, and the last one holds the end of the run",
          "[diagram][part_figures]") {
  const TemporaryFolder folder;
  write(folder / "x.h5");
  const ResultsReader results(folder / "x.h5");
  CHECK(common_span(results, 90.0).begin_s == 90.0);
  CHECK(common_span(results, 89.0).begin_s == 0.0);
  CHECK(common_span(results, 200.0).end_s == 180.0);
  PartFigures first(results, 30.0);
  CHECK(first.value("pump_a", "flow").value() == Approx((60.0 * 10.0 + 30.0 * 100.0) / 90.0));
}

TEST_CASE("at the moment of a repair, values are means over what came before it", "[diagram][part_figures]") {
  const TemporaryFolder folder;
  write(folder / "x.h5", {{30.0, "fail", "pump_a", ""}, {90.0, "restore", "pump_a", ""}});
  const ResultsReader results(folder / "x.h5");
  CHECK(common_span(results, 90.0).begin_s == 0.0);
  CHECK(common_span(results, 90.0).end_s == 90.0);
  PartFigures figures(results, 90.0);
  CHECK(figures.value("rack_1", "it_power") == 1010.0);
  CHECK(figures.value("pump_a", "flow").value() == Approx((60.0 * 10.0 + 30.0 * 100.0) / 90.0));
  CHECK(common_span(results, 91.0).begin_s == 90.0);
}
