// Key figures and the first sentences of reports on made-up results.
#include "twin/report/run/run_tables.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"
#include "twin/results/writer/results_writer.hpp"

using namespace wattloop::twin;
using namespace wattloop::tests;
using Catch::Matchers::Contains;

namespace {

constexpr double freezing_k = 273.15;

LimitRecord inlet_limit(const std::string& rack, double limit_degc, double worst_degc) {
  return {.part = rack,
          .quantity = "inlet_air_temperature",
          .unit = "K",
          .limit = freezing_k + limit_degc,
          .worst = freezing_k + worst_degc};
}

/// Two rows, of which the second gets warmer, up to 31 degC.
std::string key_figures_of(const std::vector<LimitRecord>& limits) {
  const TemporaryFolder folder;
  ResultsWriter writer(folder / "x.h5", "2026-01-01T00:00:00");
  const auto rows = writer.add_table({.group = "rows",
                                      .item_dimension = "row",
                                      .items = {"row_1", "row_2"},
                                      .columns = {{"cold_aisle_temperature", "K", "air before racks"}}});
  const auto racks = writer.add_table({.group = "racks",
                                       .item_dimension = "rack",
                                       .items = {"row_1.rack_1", "row_2.rack_1", "row_2.rack_2"},
                                       .columns = {{"it_power", "W", "power"}}});
  writer.append(rows, 0.0, std::vector<float>{298.15F, 275.15F});
  writer.append(rows, 60.0, std::vector<float>{299.15F, 304.15F});
  writer.append(racks, 0.0, std::vector<float>{1.0F, 1.0F, 1.0F});
  writer.write_limits(limits);
  const std::vector<NamedValue> summary{{"highest_cold_aisle_temperature", freezing_k + 31.0, "K", "warmest"}};
  writer.write_summary(summary);
  writer.finish();
  return key_figures(ResultsReader(folder / "x.h5"));
}

/// The report of a run in which nothing happened, but for what its summary says.
struct Quiet {
  explicit Quiet(const std::vector<NamedValue>& summary) {
    const TemporaryFolder folder;
    ResultsWriter writer(folder / "x.h5", "2026-01-01T00:00:00");
    writer.write_summary(summary);
    writer.finish();
    const ResultsReader results(folder / "x.h5");
    said = verdict(results, {});
    figures = key_figures(results);
  }
  std::string said{}, figures{};
};

}  // namespace

TEST_CASE("the warmest cold aisle stands beside upper limits of racks of its row, and no others", "[run_tables]") {
  const std::string alone = "<td>Warmest cold aisle</td><td>31 degC</td><td></td>";
  const LimitRecord warm = inlet_limit("row_2.rack_1", 27.0, 31.0), cold = inlet_limit("row_2.rack_1", 5.0, 2.0);
  CHECK_THAT(key_figures_of({}), Contains(alone));
  CHECK_THAT(key_figures_of({cold}), Contains(alone));
  CHECK_THAT(key_figures_of({inlet_limit("row_1.rack_1", 25.0, 26.0)}), Contains(alone));
  const std::string beyond = "<td>31 degC</td><td>limit 27 degC: 4 K beyond it</td>";
  CHECK_THAT(key_figures_of({warm}), Contains(beyond));
  CHECK_THAT(
      key_figures_of({cold, inlet_limit("row_1.rack_1", 25.0, 26.0), inlet_limit("row_2.rack_2", 30.0, 31.0), warm}),
      Contains(beyond));
}

TEST_CASE("a report does not say that nothing is off beside failed nodes", "[run_tables]") {
  const auto said = [](std::int64_t failed) {
    return Quiet({{"shut_down_gpus", std::int64_t{0}, "1", "off"}, {"failed_nodes", failed, "1", "failed"}}).said;
  };
  CHECK_THAT(said(0), Contains("At the end nothing is off."));
  CHECK_THAT(said(1), Contains("At the end: 1 node failed.") && !Contains("nothing is off"));
  CHECK_THAT(said(12), Contains("At the end: 12 nodes failed.") && !Contains("nothing is off"));
}

TEST_CASE("a report says what was above or below its set-point though nothing failed", "[run_tables]") {
  const Quiet held(
      {{"facility_above_set_point_time", 0.0, "s", "warm"}, {"room_1_above_set_point_time", 59.0, "s", "warm"}});
  CHECK_THAT(held.said, Contains("Nothing happened in this run.") && !Contains("set-point"));
  CHECK_THAT(held.figures, !Contains("set-point"));
  const Quiet warm({{"facility_above_set_point_time", 20640.0, "s", "warm"}});
  CHECK_THAT(warm.said,
             Contains("Nothing failed. Above its set-point for 5 h 44 min: facility.") && !Contains("happened"));
  CHECK_THAT(warm.figures, Contains("<td>Above its set-point: facility</td><td>5 h 44 min</td>"));
  const Quiet two(
      {{"room_1_above_set_point_time", 600.0, "s", "warm"}, {"loop_1_above_set_point_time", 1200.0, "s", "warm"}});
  CHECK_THAT(two.said, Contains("Above its set-point for 20 min: loop 1, and 1 more."));
  const Quiet cold({{"facility_below_set_point_time", 600.0, "s", "cold"},
                    {"facility_most_below_set_point", 3.5, "delta_K", "cold"}});
  CHECK_THAT(cold.said, Contains("Nothing failed. Below its set-point for 10 min: facility."));
  CHECK_THAT(cold.figures, Contains("<td>Below its set-point: facility</td><td>10 min, by up to 3.5 K</td>"));
  CHECK_THAT(two.figures, Contains("set-point: loop 1</td><td>20 min") && Contains("set-point: room 1</td><td>10 min"));
}
