// What a meter of costs makes of the energy of each source: carbon, fuel and water by hand, with prices that all differ.
#include "twin/run/meters/cost_meter.hpp"

#include <cmath>
#include <limits>

#include "tests/support/catch.hpp"
#include "tests/support/halls/lively_hall.hpp"
#include "twin/build/plant_builder.hpp"

using namespace wattloop;
using namespace wattloop::twin;

namespace {

/// 100 s with 3 MW from each feed and 2 MW from each set that stands by, then 50 s with 1 MW and 5 MW.
struct Metered {
  double utility_j = 0.0, generator_j = 0.0;
};

Metered meter_two_intervals(CostMeter& meter, const Plant& plant) {
  PlantState state{};
  Evaluation evaluation(plant);
  evaluation.power.source_w.assign(plant.power_tree.source_name.size(), 0.0);
  Metered sums;
  meter.observe(state);  // the begin
  double at_s = 0.0;
  for (const auto& [duration_s, utility_w, standby_w] : {std::tuple(100.0, 3e6, 2e6), std::tuple(50.0, 1e6, 5e6)}) {
    for (std::size_t source = 0; source < evaluation.power.source_w.size(); ++source) {
      const bool stands_by = plant.power_tree.source_is_standby[source] != 0;
      evaluation.power.source_w[source] = stands_by ? standby_w : utility_w;
      (stands_by ? sums.generator_j : sums.utility_j) += duration_s * (stands_by ? standby_w : utility_w);
    }
    meter.integrate(evaluation, duration_s);
    state.time_s = at_s += duration_s;
    meter.observe(state);
  }
  return sums;
}

}  // namespace

TEST_CASE("carbon of feeds and of generators is counted by the energy of each", "[cost_meter]") {
  Scenario scenario = tests::lively_hall_scenario();
  scenario.economics.has_carbon = true;
  scenario.economics.carbon_kg_per_j = 0.4 / 3.6e6;
  scenario.economics.standby_carbon_kg_per_j = 0.9 / 3.6e6;
  scenario.economics.standby_energy_per_j = 0.5 / 3.6e6;
  scenario.economics.water_per_m3 = 7.0;
  const Plant plant = build_plant(scenario);
  CostMeter meter(plant, scenario);
  const Metered sums = meter_two_intervals(meter, plant);
  REQUIRE(sums.generator_j > 0.0);
  REQUIRE(sums.utility_j > 0.0);
  CHECK(meter.generator_j() == Approx(sums.generator_j).epsilon(1e-12));
  CHECK(meter.carbon_kg() == Approx((0.4 * sums.utility_j + 0.9 * sums.generator_j) / 3.6e6).epsilon(1e-12));
  CHECK(meter.fuel_cost(meter.generator_j()) == Approx(0.5 * sums.generator_j / 3.6e6).epsilon(1e-12));
  CHECK(meter.water_cost(3.0) == 21.0);
  CHECK(meter.seen_s() == 150.0);
  CHECK(meter.has_generator_carbon());

  scenario.economics.standby_carbon_kg_per_j = std::numeric_limits<double>::quiet_NaN();  // not given
  CostMeter of_utility(plant, scenario);
  meter_two_intervals(of_utility, plant);
  CHECK_FALSE(of_utility.has_generator_carbon());
  CHECK(of_utility.carbon_kg() == Approx(0.4 * sums.utility_j / 3.6e6).epsilon(1e-12));
}
