// Ratings of what gives heat to the air outside: what the warmest or wettest air of the run leaves of them.
#include "tests/support/catch.hpp"

#include <omp.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "twin/ratings/rating_check.hpp"
#include "twin/scenario/scenario_reader.hpp"

using namespace wattloop;
using namespace wattloop::twin;

namespace {

const std::filesystem::path halls = std::filesystem::path(WATTLOOP_SOURCE_DIR) / "scenarios" / "halls";

RatingCheck check_of(const std::string& hall, const std::vector<std::string>& overrides) {
  omp_set_num_threads(1);  // tests run side by side
  return check_ratings(read_scenario(halls / hall, overrides));
}

}  // namespace

TEST_CASE("a dry cooler is rated for the warmest air of the run", "[ratings]") {
  const auto of_air = [](const char* dry_bulb) {
    const RatingCheck check = check_of("nvl72_dry_coolers.yaml", {std::string("weather=") + dry_bulb});
    const auto found = std::ranges::find_if(check.rows, [](const CheckRow& rating) {
      return rating.quantity.starts_with("its share of the heat") && rating.name.find("cooler") != std::string::npos;
    });
    REQUIRE(found != check.rows.end());
    return std::pair{*found, check.warnings};
  };
  const auto [warm, of_warm] = of_air("{design_day: summer}");
  CHECK(warm.quantity.find("degC in air of ") != std::string::npos);
  CHECK(warm.margin_fraction() > 0.0);
  CHECK(of_warm.empty());
  const auto [cold, of_cold] = of_air("{design_day: winter}");
  CHECK(cold.quantity == "its share of the heat");  // its maker's rating is less than it can do there
  CHECK(cold.limit > warm.limit);
  CHECK(cold.limit == Approx(498e3).epsilon(0.05));
}

TEST_CASE("towers are rated for the set-point of their water in the wettest air of the run", "[ratings]") {
  const auto of_air = [](const std::vector<std::string>& overrides, const char* hall = "mixed.yaml") {
    const RatingCheck check = check_of(hall, overrides);
    const auto found = std::ranges::find_if(check.rows, [](const CheckRow& rating) {
      return rating.quantity.starts_with("all heat of the facility water");
    });
    REQUIRE(found != check.rows.end());
    return *found;
  };
  const CheckRow cool = of_air({"weather={design_day: winter}"});
  CHECK(cool.quantity == "all heat of the facility water");
  CHECK(cool.limit == 2.5e6);
  const CheckRow warm = of_air({});
  CHECK(warm.quantity == "all heat of the facility water, 24 degC at a wet bulb of 22.16 degC");
  CHECK(warm.out == "tower_1");
  CHECK(warm.margin_fraction() > 0.05);
  CHECK(warm.margin_fraction() < 0.2);
  const CheckRow too_warm = of_air({"weather={design_day: summer}", "sequences=null"},
                                   "../h100_10k.yaml");  // water floats: fans give all they have
  CHECK(too_warm.margin_fraction() == 0.0);
  CHECK(too_warm.is_met());
}

TEST_CASE("water above its set-point is reported as warm as it is with nothing out and in the worst outage",
          "[ratings]") {
  const RatingCheck check = check_of(
      "../h100_10k.yaml", {"weather={design_day: summer}", "sequences=null", "hall.cooling.facility.towers.count=5"});
  const auto row = std::ranges::find(check.rows, "facility water", &CheckRow::name);
  REQUIRE(row != check.rows.end());
  CHECK(row->out == "tower_1");
  REQUIRE(row->nothing_out);
  CHECK(*row->nothing_out > row->limit + 0.5);
  CHECK(row->value > *row->nothing_out + 0.5);
  const auto warning = std::ranges::find(check.warnings, row_text(*row));
  REQUIRE(warning != check.warnings.end());
  CHECK(warning->starts_with("with tower_1 out, facility water is at "));
  CHECK(warning->find(" with nothing out, its set-point is 24 degC, with a wet bulb of ") != std::string::npos);
}

TEST_CASE("a set-point that a sequence moves is judged where it is, not where the scenario put it", "[ratings]") {
  const auto doubts_towers = [](const std::vector<std::string>& overrides) {
    const RatingCheck check = check_of("mixed.yaml", overrides);
    return std::ranges::any_of(check.warnings, [](const std::string& warning) {
      return warning.find("below the highest outdoor wet bulb") != std::string::npos;
    });
  };
  const std::string cold = "hall.cooling.facility.supply_temperature=20 degC";
  CHECK(doubts_towers({cold}));
  CHECK_FALSE(
      doubts_towers({cold,
                     "sequences={t: {kind: wet_bulb_reset, setting: facility.supply_temperature, approach: 4 K, "
                     "lowest: 10 degC, highest: 30 degC}}"}));
}
