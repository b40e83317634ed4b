// A coil on which water condenses, against limits that are known and against a coil of many cells.
//
//   dry limit         liquid no colder than the dew point of the air: the dry coil, to the bit; just below: continuous
//   endless coil      much cold liquid: air leaves saturated at the temperature of the liquid
//   balances          sensible m c (T_in - T_out), latent m r (W_in - W_out), both together to the liquid
//   cells             counterflow in 200 cells, in each a surface on which heat of air, of vapour and of liquid meet:
//                     (T - T_s) / R_a + r (W - W_s)^+ / (c R_a) = (T_s - T_w) / R_w, march from the air inlet, shoot for the water inlet
//
// Source of the cells: Lewis number 1 and the balance of the surface [mitchell_braun2012] as a differential equation; saturation by
// [buck1981], which the model does not use. Tolerances are those that the header states.
#include "physics/air/wet_coil.hpp"

#include <array>
#include <cmath>

#include <fmt/format.h>

#include "physics/air/crah_in_humid_air.hpp"
#include "physics/air/rear_door_coil.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/verification.hpp"

using namespace wattloop;
using namespace wattloop::physics;

namespace {

constexpr double sea_level_pa = 101325.0, air_c = 1006.0, water_c = 4184.0;
constexpr double vapour_r = 2.501e6;

double kelvin(double celsius) { return 273.15 + celsius; }

/// Water per kg of saturated air [buck1981].
double saturated(double temperature_k) {
  const double t = temperature_k - 273.15;
  const double pa = 611.21 * std::exp((18.678 - t / 234.5) * t / (257.14 + t));
  return 0.621945 * pa / (sea_level_pa - pa);
}

struct Cell {
  double air_w, kg_per_s, water_w;  ///< from the air, of vapour, to the water
};

Cell cell_of(const CoilFilms& films, double air_k, double ratio, double water_k, double share) {
  double low = water_k, high = air_k;
  for (int step = 0; step < 60; ++step) {
    const double surface = 0.5 * (low + high);
    const double vapour = std::max(ratio - saturated(surface), 0.0) * vapour_r / air_c;
    const double gained = (air_k - surface + vapour) / films.air_k_per_w - (surface - water_k) / films.liquid_k_per_w;
    (gained > 0.0 ? low : high) = surface;
  }
  const double kg_per_s = share * std::max(ratio - saturated(low), 0.0) / (air_c * films.air_k_per_w);
  const double air_w = share * (air_k - low) / films.air_k_per_w;
  return {air_w, kg_per_s, air_w + vapour_r * kg_per_s};
}

struct Marched {
  CoilHeat heat;
  double water_in_k;
};

Marched march(const WetCoil& coil, double ratio, double leaving_k) {
  constexpr int cells = 200;
  constexpr double share = 1.0 / cells;
  Marched marched{{0.0, 0.0}, leaving_k};
  double air_k = coil.air.temperature_k;
  for (int n = 0; n < cells; ++n) {  // midpoint
    const auto moved = [&](const Cell& by, double part) {
      return std::array{air_k - part * by.air_w / (coil.air.flow_kg_per_s * air_c),
                        ratio - part * by.kg_per_s / coil.air.flow_kg_per_s,
                        marched.water_in_k - part * by.water_w / (coil.liquid.flow_kg_per_s * water_c)};
    };
    const auto middle = moved(cell_of(coil.films, air_k, ratio, marched.water_in_k, share), 0.5);
    const Cell cell = cell_of(coil.films, middle[0], middle[1], middle[2], share);
    const auto end = moved(cell, 1.0);
    air_k = end[0], ratio = end[1], marched.water_in_k = end[2];
    marched.heat.sensible_w += cell.air_w;
    marched.heat.latent_w += vapour_r * cell.kg_per_s;
  }
  return marched;
}

CoilHeat coil_of_cells(const WetCoil& coil) {
  const double ratio = saturated(coil.humidity.dew_point_k);
  double low = coil.liquid.temperature_k, high = coil.air.temperature_k;
  for (int step = 0; step < 50; ++step) {
    const double leaving_k = 0.5 * (low + high);
    (march(coil, ratio, leaving_k).water_in_k > coil.liquid.temperature_k ? high : low) = leaving_k;
  }
  return march(coil, ratio, low).heat;
}

/// Air of 27 degC, 4 kg/s, on water of 7 degC.
WetCoil coil_with(double dew_point_c, double air_ntu, double air_share, double water_kg_per_s) {
  const double air_w_per_k = air_ntu * 4.0 * air_c;
  return {.air = {kelvin(27.0), 4.0, air_c},
          .liquid = {kelvin(7.0), water_kg_per_s, water_c},
          .humidity = {kelvin(dew_point_c), sea_level_pa},
          .films = {1.0 / air_w_per_k, (1.0 / air_share - 1.0) / air_w_per_k},
          .arrangement = FlowArrangement::counterflow};
}

double dry_heat_w(const WetCoil& coil) {
  return exchanged_heat_w({coil.air.temperature_k, coil.air.flow_kg_per_s * air_c},
                          {coil.liquid.temperature_k, coil.liquid.flow_kg_per_s * water_c},
                          1.0 / (coil.films.air_k_per_w + coil.films.liquid_k_per_w), coil.arrangement);
}

/// 1 where the surface is nowhere above the dew point.
double wet_share(const WetCoil& coil) {
  const double dew_k = coil.humidity.dew_point_k;
  const double dry_k =
      coil.surface_k(coil.air.temperature_k - dry_heat_w(coil) / (4.0 * air_c), coil.liquid.temperature_k);
  const double air_j_per_kg = air_c * coil.air.temperature_k + vapour_r * coil.saturated_ratio(dew_k);
  return WetCoil::share_of_wet(dew_k - dry_k,
                               coil.surface_k(coil.air.temperature_k, coil.wet_leaving_k(air_j_per_kg)) - dry_k);
}

double ratio_of(double temperature_k) {
  return humidity_ratio_of_vapour(saturation_pressure_pa(temperature_k), sea_level_pa);
}

}  // namespace

TEST_CASE("a coil whose surface is nowhere below the dew point is the dry coil to the bit", "[wet_coil]") {
  for (const double dew_point_c : {-10.0, 0.0, 5.0, 7.0, 8.0}) {
    const WetCoil coil = coil_with(dew_point_c, 1.5, 0.7, 2.0);
    const double dry_w = dry_heat_w(coil);
    CHECK(coil.heat(dry_w).sensible_w == dry_w);
    CHECK(coil.heat(dry_w).latent_w == 0.0);
    CHECK(may_condense(dry_w, coil.liquid, coil.humidity) == (dew_point_c > 7.0));
  }
  CHECK_FALSE(may_condense(-1.0, {kelvin(7.0), 1.0, water_c}, {kelvin(20.0), sea_level_pa}));  // it is a heater
}

TEST_CASE("heat of a coil rises smoothly with the dew point, from dry to wet all over", "[wet_coil]") {
  WetCoil coil = coil_with(5.0, 1.5, 0.7, 2.0);
  const double dry_w = dry_heat_w(coil);
  CoilHeat before = coil.heat(dry_w);
  for (double dew_point_c = 5.0; dew_point_c < 26.0; dew_point_c += 0.01) {
    coil.humidity.dew_point_k = kelvin(dew_point_c);
    const CoilHeat now = coil.heat(dry_w);
    CHECK(now.latent_w >= before.latent_w);
    CHECK(now.total_w() >= before.total_w() * (1.0 - 1e-3));
    CHECK(now.total_w() - before.total_w() < 0.005 * dry_w);
    CHECK(std::abs(now.sensible_w - before.sensible_w) < 0.005 * dry_w);
    before = now;
  }
  CHECK(before.latent_w > before.sensible_w);
}

TEST_CASE("an endless coil on much cold water leaves air saturated at the temperature of the water", "[wet_coil]") {
  const WetCoil coil = coil_with(24.0, 1e3, 0.5, 1e5);
  const CoilHeat heat = coil.heat(dry_heat_w(coil));
  const double leaving_k = coil.air.temperature_k - heat.sensible_w / (4.0 * air_c);
  const double leaving_ratio = ratio_of(kelvin(24.0)) - condensate_kg_per_s(heat.latent_w) / 4.0;
  CHECK(leaving_k == Approx(kelvin(7.0)).margin(1e-3));
  CHECK(leaving_ratio == Approx(ratio_of(kelvin(7.0))).epsilon(1e-4));
  tests::report_verification({"endless wet coil, 27 degC with a dew point of 24 degC on water of 7 degC", "closed form",
                              "air that leaves", leaving_k, kelvin(7.0), 1e-3, "K"});
  tests::report_verification({"endless wet coil, 27 degC with a dew point of 24 degC on water of 7 degC", "closed form",
                              "water per kg of air that leaves", leaving_ratio, ratio_of(kelvin(7.0)),
                              1e-4 * ratio_of(kelvin(7.0)), "1"});
}

// By hand: with next to no water the water leaves in balance with the air that enters, saturated at its enthalpy.
TEST_CASE("a trickle through a wet coil leaves as warm as saturated air of the enthalpy that enters", "[wet_coil]") {
  const WetCoil coil = coil_with(24.0, 50.0, 0.5, 1e-3);
  const double air_j_per_kg = air_c * kelvin(27.0) + vapour_r * ratio_of(kelvin(24.0));
  double low = kelvin(7.0), high = kelvin(27.0);
  for (int step = 0; step < 60; ++step) {
    const double middle = 0.5 * (low + high);
    (air_c * middle + vapour_r * ratio_of(middle) < air_j_per_kg ? low : high) = middle;
  }
  CHECK(coil.wet_leaving_k(air_j_per_kg) == Approx(low).margin(0.01));
}

TEST_CASE("no leaving air of a wet coil is drier than its coldest surface, and none gives more than it has",
          "[wet_coil][conservation]") {
  for (const double dew_point_c : {10.0, 15.0, 20.0, 26.0}) {
    for (const double air_ntu : {0.2, 1.0, 3.0}) {
      for (const double water_kg_per_s : {0.1, 1.0, 4.0, 20.0}) {
        const WetCoil coil = coil_with(dew_point_c, air_ntu, 0.7, water_kg_per_s);
        const CoilHeat heat = coil.heat(dry_heat_w(coil));
        const double leaving_ratio = ratio_of(kelvin(dew_point_c)) - condensate_kg_per_s(heat.latent_w) / 4.0;
        INFO(dew_point_c << " degC, " << air_ntu << ", " << water_kg_per_s << " kg/s");
        CHECK(heat.latent_w >= 0.0);
        CHECK(heat.sensible_w > 0.0);
        CHECK(leaving_ratio >= ratio_of(kelvin(7.0)));
        CHECK(heat.total_w() <= water_kg_per_s * water_c * 20.0);
        CHECK(heat.total_w() <=
              4.0 * (air_c * 20.0 + vapour_r * (ratio_of(kelvin(dew_point_c)) - ratio_of(kelvin(7.0)))));
      }
    }
  }
}

// By hand: a coil that is endless for so little air leaves it saturated at the temperature of the water.
TEST_CASE("what is left of the air when a fan runs down leaves as cold as the water", "[wet_coil][conservation]") {
  for (double air_kg_per_s = 1e-3; air_kg_per_s > 1e-13; air_kg_per_s *= 0.1) {
    WetCoil coil = coil_with(20.0, 1.0, 0.7, 4.0);
    coil.films.air_k_per_w *= std::sqrt(4.0 / air_kg_per_s);
    coil.air.flow_kg_per_s = air_kg_per_s;
    const CoilHeat heat = coil.heat(dry_heat_w(coil));
    INFO(air_kg_per_s << " kg/s of air");
    CHECK(heat.sensible_w == Approx(air_kg_per_s * air_c * 20.0).epsilon(0.002));
    CHECK(heat.latent_w ==
          Approx(air_kg_per_s * vapour_r * (ratio_of(kelvin(20.0)) - ratio_of(kelvin(7.0)))).epsilon(0.002));
  }
}

TEST_CASE("a coil with condensate is near a coil of 200 cells with the same films", "[wet_coil]") {
  double squares = 0.0, count = 0.0;
  for (const double dew_point_c : {9.0, 12.0, 14.0, 16.0, 18.0, 22.0, 25.0}) {
    for (const double air_ntu : {0.5, 1.0, 1.5, 2.0, 3.0}) {
      for (const double air_share : {0.5, 0.6, 0.8}) {
        for (const double water_kg_per_s : {1.0, 2.0, 4.0}) {
          const WetCoil coil = coil_with(dew_point_c, air_ntu, air_share, water_kg_per_s);
          const CoilHeat ours = coil.heat(dry_heat_w(coil)), theirs = coil_of_cells(coil);
          INFO(fmt::format(
              "dew point {} degC, {} units, share {}, {} kg/s: ours {:.0f} + {:.0f}, theirs {:.0f} + {:.0f} W",
              dew_point_c, air_ntu, air_share, water_kg_per_s, ours.sensible_w, ours.latent_w, theirs.sensible_w,
              theirs.latent_w));
          const double total = ours.total_w() / theirs.total_w() - 1.0;
          const double sensible = (ours.sensible_w - theirs.sensible_w) / theirs.total_w();
          const bool is_all_wet = wet_share(coil) == 1.0;
          CHECK(std::abs(total) < (is_all_wet ? 0.025 : 0.17));
          CHECK(std::abs(sensible) < 0.06);
          squares += total * total;
          count += 1.0;
        }
      }
    }
  }
  CHECK(std::sqrt(squares / count) < 0.04);
}

TEST_CASE("of a coil that is wet all over heat and condensate are those of 200 cells", "[wet_coil]") {
  const WetCoil coil = coil_with(20.0, 1.5, 0.7, 4.0);
  REQUIRE(wet_share(coil) == 1.0);
  const CoilHeat ours = coil.heat(dry_heat_w(coil)), theirs = coil_of_cells(coil);
  CHECK(ours.total_w() == Approx(theirs.total_w()).epsilon(0.02));
  CHECK(ours.latent_w == Approx(theirs.latent_w).epsilon(0.04));
  tests::report_verification({"wet coil, 27 degC with a dew point of 20 degC on water of 7 degC, beside 200 cells",
                              "mitchell_braun2012", "heat", ours.total_w(), theirs.total_w(), 0.02 * theirs.total_w(),
                              "W", "second reading"});
  tests::report_verification({"wet coil, 27 degC with a dew point of 20 degC on water of 7 degC, beside 200 cells",
                              "mitchell_braun2012", "condensate", condensate_kg_per_s(ours.latent_w),
                              condensate_kg_per_s(theirs.latent_w), 0.04 * condensate_kg_per_s(theirs.latent_w), "kg/s",
                              "second reading"});
}

// A coil is a coil, by whatever it is called.
TEST_CASE("doors and air handlers of the same coil condense the same", "[wet_coil]") {
  CrahParams unit;
  unit.design_conductance_w_per_k = 5e3;
  unit.air_design_flow_kg_per_s = 4.0;
  unit.water_design_flow_kg_per_s = 3.0;
  unit.fan_power_w = 0.0;
  RearDoorParams door;
  door.design_conductance_w_per_k = 5e3;
  door.air_design_flow_kg_per_s = 4.0;
  door.water_design_flow_kg_per_s = 3.0;
  const Humidity humidity{kelvin(18.0), sea_level_pa};
  const PortNow air{kelvin(27.0), 3.0, air_c}, water{kelvin(8.0), 2.0, water_c};
  const HumidCrahNow now = crah_in_humid_air(unit, air, water, 0.75, humidity);
  const RearDoorCoil::Now seen{{air.temperature_k, air.flow_kg_per_s, air_c},
                               {water.temperature_k, water.flow_kg_per_s, water_c},
                               humidity.dew_point_k,
                               humidity.pressure_pa};
  const auto of_door = effect_of<RearDoorCoil>(door, seen);
  CHECK(now.latent_w > 1e3);
  CHECK(now.latent_w == Approx(-of_door.vapour.heat_w).epsilon(1e-12));
  CHECK(now.unit.heat_w == Approx(of_door.water.heat_w).epsilon(1e-12));
  CHECK(now.sensible_w() == Approx(-of_door.air.heat_w).epsilon(1e-12));
  CHECK(3.0 * air_c * (kelvin(27.0) - now.unit.supply_k) == Approx(now.sensible_w()).epsilon(1e-9));
}
