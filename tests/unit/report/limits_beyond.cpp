// Limits that hold at one instant, against a small file whose events and series are written by hand.
#include "twin/report/events/limits_beyond.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"
#include "twin/results/reader/results_reader.hpp"
#include "twin/results/writer/results_writer.hpp"

using namespace wattloop::twin;
using wattloop::tests::TemporaryFolder;

namespace {

LimitRecord limit(const char* part, const char* quantity, const char* unit, double allowed, double worst,
                  double first_s) {
  return {.part = part,
          .quantity = quantity,
          .unit = unit,
          .limited_by = "it",
          .beyond = "log",
          .limit = allowed,
          .worst = worst,
          .worst_time_s = first_s,
          .first_time_s = first_s,
          .duration_s = 60.0};
}

/// Two coolers, whose loading is recorded each 100 s, and racks, of whose inlet air only the table of limits knows.
ResultsReader results_in(const TemporaryFolder& folder, const std::vector<EventRecord>& events) {
  ResultsWriter writer(folder / "x.h5", "2026-01-01T00:00:00");
  const std::size_t coolers = writer.add_table({.group = "dry_coolers",
                                                .item_dimension = "dry_cooler",
                                                .items = {"cooler_1", "cooler_2"},
                                                .columns = {{"loading", "1", "l"}}});
  for (int k = 0; k <= 10; ++k) writer.append(coolers, 100.0 * k, std::vector{1.0F + 0.01F * float(k), 1.25F});
  writer.write_events(events);
  writer.write_limits(std::vector{limit("cooler_2", "loading", "1", 1.0, 1.3, 600.0),
                                  limit("cooler_1", "loading", "1", 1.0, 1.9, 100.0),
                                  limit("row_1.rack_1", "inlet_air_temperature", "K", 303.15, 306.15, 300.0),
                                  limit("ups_b", "loading", "1", 1.0, 1.1, 150.0)});
  writer.finish();
  return ResultsReader(folder / "x.h5");
}

}  // namespace

TEST_CASE("a limit holds from when it is reported exceeded until it is reported kept again", "[limits_beyond]") {
  const TemporaryFolder folder;
  const ResultsReader results = results_in(
      folder, {{100.0, "limit_exceeded", "cooler_1", "loading 101.0 %, more heat than its air takes: 100.0 %"},
               {300.0, "limit_exceeded", "row_1.rack_1",
                "inlet_air_temperature 30.1 degC, hotter than it allows: 30 degC; and 3 more of 8 racks"},
               {500.0, "limit_cleared", "row_1.rack_2",
                "inlet_air_temperature after 3 min; at worst 33 degC; and 1 more of 8 racks"},
               {900.0, "limit_cleared", "cooler_1", "loading after 13 min; at worst 190.0 %"}});
  CHECK(limits_beyond_at(results, 99.0).count == 0);
  CHECK(limits_beyond_at(results, 99.0).worst.empty());
  CHECK(limits_beyond_at(results, 100.0).count == 1);
  CHECK(limits_beyond_at(results, 300.0).count == 5);
  CHECK(limits_beyond_at(results, 500.0).count == 3);
  CHECK(limits_beyond_at(results, 900.0).count == 2);
}

TEST_CASE("the limit that is farthest beyond is reported with what was recorded then, else with its worst",
          "[limits_beyond]") {
  const TemporaryFolder folder;
  const ResultsReader results = results_in(
      folder, {{100.0, "limit_exceeded", "cooler_1", "loading 101.0 %, more heat than its air takes: 100.0 %"},
               {300.0, "limit_exceeded", "row_1.rack_1", "inlet_air_temperature 30.1 degC, hotter: 30 degC"},
               {600.0, "limit_exceeded", "cooler_2", "loading 125.0 %, more heat than its air takes: 100.0 %"},
               {950.0, "limit_cleared", "cooler_1", "loading after 14 min; at worst 190.0 %; and 1 more of 2"}});
  CHECK(limits_beyond_at(results, 200.0).worst == "cooler 1: loading 102.0 % where 100.0 % is allowed");
  CHECK(limits_beyond_at(results, 500.0).worst ==  // 3 K of the 30 K above 0 degC, against 5 % of a loading
        "row 1, rack 1: inlet air temperature at worst 33 degC where 30 degC is allowed");
  CHECK(limits_beyond_at(results, 700.0).worst == "cooler 2: loading 125.0 % where 100.0 % is allowed");
  CHECK(limits_beyond_at(results, 960.0).worst ==
        "row 1, rack 1: inlet air temperature at worst 33 degC where 30 degC is allowed");
}

TEST_CASE("a switch whose load grows is beyond one limit, and none when it trips", "[limits_beyond]") {
  const TemporaryFolder folder;
  const ResultsReader results =
      results_in(folder, {{150.0, "limit_exceeded", "ups_b", "102.0 % of 14 MW; carries up to 110 % continuously"},
                          {160.0, "limit_exceeded", "ups_b", "115.0 % of 14 MW; trips after 2 min at this load"},
                          {280.0, "tripped", "ups_b", "overload"}});
  CHECK(limits_beyond_at(results, 170.0).count == 1);
  CHECK(limits_beyond_at(results, 170.0).worst == "UPS b: loading at worst 110.0 % where 100.0 % is allowed");
  CHECK(limits_beyond_at(results, 280.0).count == 0);
}
