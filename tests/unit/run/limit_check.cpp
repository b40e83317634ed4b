// How near a hall comes to its limits: rows of `check` against a run at nameplate, and what is said where a limit is not kept.
#include "twin/ratings/limit_check.hpp"

#include <omp.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/scenario_run.hpp"
#include "twin/ratings/ranked_text.hpp"
#include "twin/ratings/rating_check.hpp"
#include "twin/scenario/scenario_reader.hpp"

using namespace wattloop;
using namespace wattloop::twin;

namespace {

RatingCheck check_of(const char* name, const std::vector<std::string>& overrides = {}) {
  omp_set_num_threads(1);
  return check_ratings(read_scenario(
      std::filesystem::path(WATTLOOP_SOURCE_DIR) / "scenarios" / (std::string(name) + ".yaml"), overrides));
}

const CheckRow& row(const RatingCheck& check, const std::string& of, const std::string& why) {
  const auto found = std::ranges::find_if(
      check.rows, [&](const CheckRow& other) { return other.of == of && other.why.find(why) != std::string::npos; });
  INFO(of << ": " << why);
  REQUIRE(found != check.rows.end());
  return *found;
}

bool warns(const RatingCheck& check, const std::string& text) {
  return std::ranges::any_of(check.warnings, [&](const std::string& warning) { return warning.find(text) == 0; });
}

}  // namespace

TEST_CASE("rows of limits are what a run at nameplate comes to", "[limits][check]") {
  const RatingCheck check = check_of("one_rack");
  tests::ScenarioRun run("one_rack", {"workload={ kind: constant }", "duration=60 s"});
  run.to_end();
  const PlantSnapshot now{run.plant, run.state(), run.evaluation()};
  const auto compare = [&](const CheckRow& margin, const char* group, const char* part, const char* column) {
    CHECK(margin.name == part);
    CHECK(margin.quantity == column);
    CHECK(margin.value == Approx(now.reported(group, part, column)).margin(0.02));
    CHECK(margin.margin() == Approx(std::abs(margin.limit - margin.value)));
    CHECK(margin.is_met());
  };
  compare(row(check, "racks", "hotter than the maker"), "racks", "row_1.rack_1", "inlet_air_temperature");
  compare(row(check, "loops", "hotter than the range"), "loops", "loop_1", "return_temperature");
  compare(row(check, "loops", "colder than the range"), "loops", "loop_1", "supply_temperature");
  CHECK(row(check, "racks", "slows nodes down").limit == 308.15);
  CHECK(row(check, "racks", "switches nodes off").limit == 318.15);
  CHECK(row(check, "UPS", "switch off in hotter air").limit == 323.15);
  CHECK(row(check, "UPS", "switch off in hotter air").value ==
        Approx(now.reported("rooms", "room_1", "temperature")).margin(0.02));
  const CheckRow& dies = row(check, "dies", "firmware");
  CHECK(dies.limit == 360.15);
  CHECK(dies.value == Approx(run.hottest_die_k(64)).margin(0.02));
}

TEST_CASE("the outage that brings a hall nearest to a limit is named, and what is beyond is a warning",
          "[limits][check]") {
  const RatingCheck hall = check_of("h100_10k");
  const CheckRow& water = row(hall, "water systems", "it boils");
  CHECK(water.out == "chiller_1");  // without its condenser flow users bring back warmer water
  REQUIRE(water.nothing_out);
  CHECK(water.value > *water.nothing_out);
  CHECK(hall.warnings.empty());
  const RatingCheck warm = check_of("one_rack", {"hall.cooling.rear_doors.supply_temperature=34 degC"});
  const CheckRow& inlet = row(warm, "racks", "hotter than the maker");
  CHECK_FALSE(inlet.is_met());
  CHECK(inlet.margin() < -1.0);
  CHECK(warns(warm, "row_1.rack_1: inlet_air_temperature 3"));
  CHECK(ranked_text(warm.rows, "2026-01-01T00:00:00", false).find("hotter than the maker of the nodes allows") !=
        std::string::npos);
}
