// Case: the reference hall on a winter day with facility water at its usual 24 degC and at 15 degC, below the chilled water of
// 20 degC.
//
// Expected values and where they come from:
//   compressors   by hand from waters' temperatures in the run: 6 % of the rating for each kelvin that condenser water enters
//                 below leaving chilled water moves by itself [energyplus_refrigerant_migration], the rest of the heat is
//                 compressed at the smallest lift, P = Q 10 K / (0.6 T_cold), pinch 2 K; 1 %
//   event         one, at the first control tick, of the first machine; none at 24 degC, where the lift is above 10 K
//   humidity      of the outside air from dry and wet bulb, where the run takes it from the dew point; 0.1 %
#include <algorithm>
#include <cmath>

#include "physics/air/psychrometrics.hpp"
#include "tests/support/by_hand/chiller_by_hand.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/scenario_run.hpp"

using namespace wattloop;
using namespace wattloop::twin;
using tests::ScenarioRun;

namespace {

/// Compressors and pumps of the machines that run, with `share_by_itself` of the rating for each kelvin.
double chillers_by_hand_w(const ScenarioRun& run, double share_by_itself) {
  double sum_w = 0.0;
  for (const std::string& chiller : tests::running_chillers(run)) {
    const double leaving_k = run.node_k(chiller + ".evaporator");
    const double pumps_w = 60.0 / 998.0 * (80e3 + 120e3) / 0.75;
    const double heat_w = tests::evaporator_heat_by_hand_w(run, chiller);
    const double colder_k = leaving_k - run.node_k("facility.supply");
    const double by_itself_w = 1.25e6 * std::clamp(share_by_itself * colder_k, 0.0, 0.4);
    const double compressed_w = std::max(heat_w - by_itself_w, 0.0);
    const double factor = tests::part_load_by_hand(true, std::max(compressed_w / 1.25e6, 0.17));
    sum_w += pumps_w + factor * compressed_w * 10.0 / (0.6 * (leaving_k - 2.0));
  }
  return sum_w;
}

using By = ScenarioRun::By;

}  // namespace

TEST_CASE(
    "with facility water of 15 degC chillers draw three fifths, pumps included, and say that they left their range",
    "[case]") {
  ScenarioRun usual("h100_10k", {"weather.design_day=winter"}, By::multirate);
  ScenarioRun cold("h100_10k",
                   {"weather.design_day=winter", "hall.cooling.facility.supply_temperature=15 degC", "sequences=null"},
                   By::multirate);
  for (ScenarioRun* run : {&usual, &cold}) run->until(600.0);

  CHECK(usual.times_s("out_of_range").empty());
  CHECK(cold.times_s("out_of_range").size() == 1);
  CHECK(cold.times_s("out_of_range", "chiller_1") == cold.times_s("out_of_range"));

  CHECK(cold.use_w("chiller") == Approx(chillers_by_hand_w(cold, 0.06)).epsilon(0.01));
  CHECK(cold.use_w("chiller") < 0.8 * chillers_by_hand_w(cold, 0.0));  // without migration
  CHECK(cold.use_w("chiller") < 0.62 * usual.use_w("chiller"));        // whose drives spare at part load, too
  CHECK(std::abs(cold.energy_residual()) < 1e-6);
}

TEST_CASE("towers feel the humidity of the air outside, and evaporate less on a winter day", "[case]") {
  ScenarioRun winter("h100_10k", {"weather.design_day=winter"}, By::multirate);
  ScenarioRun summer("h100_10k", {"weather.design_day=summer"}, By::multirate);
  for (ScenarioRun* run : {&winter, &summer}) {
    run->until(600.0);
    const OutsideInputs& outside = run->plant.outside;
    const auto input = [&](std::size_t number) { return run->state().inputs[number]; };
    CHECK(input(outside.pressure) == Approx(99.9e3).epsilon(1e-9));
    CHECK(input(outside.humidity_ratio) ==
          Approx(physics::humidity_ratio_at_wet_bulb(input(outside.dry_bulb), input(outside.wet_bulb), 99.9e3))
              .epsilon(1e-3));
  }
  const auto water_kg = [](const ScenarioRun& run) { return run.state().states[run.plant.meters.make_up_water]; };
  CHECK(water_kg(winter) < 0.85 * water_kg(summer));
}
