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
    const auto found = std::ranges::find_if(check.ratings, [](const twin::Rating& rating) {
      return rating.must_carry.starts_with("its share of the heat") &&
             rating.equipment.find("cooler") != std::string::npos;
    });
    REQUIRE(found != check.ratings.end());
    return std::pair{*found, check.warnings};
  };
  const auto [warm, of_warm] = of_air("{design_day: summer}");
  CHECK(warm.must_carry.find("degC in air of ") != std::string::npos);
  CHECK(warm.margin_fraction() > 0.0);
  CHECK(of_warm.empty());
  const auto [cold, of_cold] = of_air("{design_day: winter}");
  CHECK(cold.must_carry == "its share of the heat");  // its maker's rating is less than it can do there
  CHECK(cold.rating > warm.rating);
  CHECK(cold.rating == Approx(498e3).epsilon(0.05));
}

TEST_CASE("towers are rated for the set-point of their water in the wettest air of the run", "[ratings]") {
  const auto of_air = [](const std::vector<std::string>& overrides, const char* hall = "mixed.yaml") {
    const RatingCheck check = check_of(hall, overrides);
    const auto found = std::ranges::find_if(check.ratings, [](const twin::Rating& rating) {
      return rating.must_carry.starts_with("all heat of the facility water");
    });
    REQUIRE(found != check.ratings.end());
    return *found;
  };
  const twin::Rating cool = of_air({"weather={design_day: winter}"});
  CHECK(cool.must_carry == "all heat of the facility water");
  CHECK(cool.rating == 2.5e6);
  const twin::Rating warm = of_air({});
  CHECK(warm.must_carry == "all heat of the facility water, 24 degC at a wet bulb of 22.16 degC");
  CHECK(warm.out == "tower_1");
  CHECK(warm.margin_fraction() > 0.05);
  CHECK(warm.margin_fraction() < 0.2);
  const twin::Rating too_warm = of_air({"weather={design_day: summer}", "sequences=null"},
                                       "../h100_10k.yaml");  // water floats: fans give all they have
  CHECK(too_warm.margin_fraction() == 0.0);
  CHECK(too_warm.is_enough());
}

TEST_CASE("water that is not held is told as warm as the worst outage makes it, too", "[ratings]") {
  const RatingCheck check = check_of(
      "../h100_10k.yaml", {"weather={design_day: summer}", "sequences=null", "hall.cooling.facility.towers.count=5"});
  const auto with_a_tower_out = std::ranges::find_if(check.warnings, [](const std::string& warning) {
    return warning.starts_with("with tower_1 out, facility water is at ");
  });
  REQUIRE(with_a_tower_out != check.warnings.end());
  const auto whole = std::ranges::find_if(
      check.warnings, [](const std::string& warning) { return warning.starts_with("facility water is at "); });
  REQUIRE(whole != check.warnings.end());
  const auto degrees = [](const std::string& warning) { return std::stod(warning.substr(warning.find(" at ") + 4)); };
  CHECK(degrees(*with_a_tower_out) > degrees(*whole) + 0.5);
}

TEST_CASE("a set-point that a sequence moves is judged where it is, not where the scenario put it", "[ratings]") {
  const auto doubts_towers = [](const std::vector<std::string>& overrides) {
    const RatingCheck check = check_of("mixed.yaml", overrides);
    return std::ranges::any_of(check.warnings, [](const std::string& warning) {
      return warning.find("below the wet bulb outside") != std::string::npos;
    });
  };
  const std::string cold = "hall.cooling.facility.supply_temperature=20 degC";
  CHECK(doubts_towers({cold}));
  CHECK_FALSE(
      doubts_towers({cold,
                     "sequences={t: {kind: wet_bulb_reset, setting: facility.supply_temperature, approach: 4 K, "
                     "lowest: 10 degC, highest: 30 degC}}"}));
}
