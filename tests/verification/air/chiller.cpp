// The chiller against its implicit equations, the first law, Carnot's limit in closed form, and its curves of part load by hand. Makers' maps:
// chiller_catalogue.cpp.
#include "physics/water/chiller.hpp"
#include "physics/water/chiller_machine.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "physics/air/psychrometrics.hpp"
#include "tests/support/by_hand/chiller_by_hand.hpp"
#include "tests/support/catch.hpp"

using namespace wattloop;
using namespace wattloop::physics;

namespace {

constexpr double water_heat = 4186.0;

ChillerParams machine_1250kw() {
  ChillerParams machine;
  machine.rated_heat_w = 1.25e6;
  machine.rated_power_w = 250e3;
  machine.carnot_fraction = 0.5;
  machine.chilled_design_flow_kg_per_s = 37.3;
  machine.condenser_design_flow_kg_per_s = 60.0;
  return machine;
}

PortNow chilled(double celsius, double flow = 37.3) { return {freezing_k + celsius, flow, water_heat}; }
PortNow condenser(double celsius, double flow = 60.0) { return {freezing_k + celsius, flow, water_heat}; }

}  // namespace

TEST_CASE("the chiller fulfils Carnot's fraction between its own refrigerant temperatures", "[chiller]") {
  const ChillerParams machine = machine_1250kw();
  for (double inlet_c : {22.0, 25.0, 28.0}) {
    for (double condenser_c : {24.0, 30.0, 36.0}) {
      const ChillerNow now = chiller_now(machine, chilled(inlet_c), condenser(condenser_c), freezing_k + 20.0);
      REQUIRE(now.evaporator_heat_w > 0.15 * 1.25e6);
      const double cold_k = now.chilled_leaving_k - 2.0, hot_k = now.condenser_leaving_k + 3.0;
      const double load = now.evaporator_heat_w / 1.25e6;  // its motor could lift all of its rated heat
      CHECK(now.evaporator_heat_w / now.power_w ==
            Approx(0.5 * cold_k / (hot_k - cold_k) / tests::part_load_by_hand(false, load)).epsilon(1e-10));
    }
  }
}

TEST_CASE("condenser heat is evaporator heat plus power, whatever limits the chiller", "[chiller]") {
  const ChillerParams machine = machine_1250kw();
  for (double inlet_c : {10.0, 20.0, 20.5, 25.0, 40.0}) {
    for (double condenser_c : {5.0, 25.0, 45.0, 90.0}) {
      for (double flow : {1e-6, 1.0, 60.0}) {
        const PortNow cold = chilled(inlet_c), warm = condenser(condenser_c, flow);
        const ChillerNow now = chiller_now(machine, cold, warm, freezing_k + 20.0);
        CHECK(now.condenser_heat_w == Approx(now.evaporator_heat_w + now.power_w).epsilon(1e-14));
        CHECK(now.evaporator_heat_w >= 0.0);
        CHECK(now.evaporator_heat_w <= 1.25e6);
        CHECK(now.power_w >= 0.0);
        CHECK(now.power_w <= 250e3 * (1.0 + 1e-9));
        CHECK(37.3 * water_heat * (cold.temperature_k - now.chilled_leaving_k) ==
              Approx(now.evaporator_heat_w).margin(1e-3));
        CHECK(now.evaporator_heat_w * (now.chilled_leaving_k - freezing_k - 20.0) >= -1e-3);
      }
    }
  }
}

TEST_CASE("rated heat and motor power limit the chiller, and it warms its water beyond them", "[chiller]") {
  ChillerParams machine = machine_1250kw();
  machine.highest_condensing_k = freezing_k + 90.0;
  const ChillerNow full = chiller_now(machine, chilled(35.0), condenser(28.0), freezing_k + 20.0);
  CHECK(full.evaporator_heat_w == 1.25e6);
  CHECK(full.chilled_leaving_k > freezing_k + 20.0);
  const ChillerNow hot = chiller_now(machine, chilled(28.0), condenser(60.0), freezing_k + 20.0);
  CHECK(hot.power_w == Approx(250e3).epsilon(1e-9));
  CHECK(hot.evaporator_heat_w < 0.8 * 1.25e6);
}

TEST_CASE("at its condenser limit a chiller unloads, so that its refrigerant condenses at the limit", "[chiller]") {
  ChillerParams machine = machine_1250kw();
  machine.rated_power_w = 1e6;  // the motor is not the limit
  for (const double limit_c : {45.0, 50.0, 55.0}) {
    machine.highest_condensing_k = freezing_k + limit_c;
    const ChillerNow below = chiller_now(machine, chilled(29.0), condenser(limit_c - 12.0), freezing_k + 20.0);
    CHECK(below.evaporator_heat_w == 1.25e6);
    const ChillerNow at = chiller_now(machine, chilled(29.0), condenser(limit_c - 5.0), freezing_k + 20.0);
    CHECK(at.condenser_leaving_k + 3.0 == Approx(freezing_k + limit_c).epsilon(1e-12));
    CHECK(at.evaporator_heat_w < 0.5 * 1.25e6);
    // First law and Carnot's fraction at 2 K of warming in 60 kg/s: evaporating where full load would, 2 K below what leaves.
    const double cop = 0.5 * (freezing_k + 29.0 - 1.25e6 / (37.3 * water_heat) - 2.0) /
                       (limit_c - (29.0 - 1.25e6 / (37.3 * water_heat) - 2.0));
    CHECK(at.evaporator_heat_w == Approx(60.0 * water_heat * 2.0 * cop / (1.0 + cop)).epsilon(1e-9));
    CHECK(at.power_w == Approx(60.0 * water_heat * 2.0 / (1.0 + cop)).epsilon(1e-9));
    const ChillerNow none = chiller_now(machine, chilled(29.0), condenser(limit_c - 3.0), freezing_k + 20.0);
    CHECK(none.evaporator_heat_w == 0.0);
    CHECK(none.power_w == 0.0);
  }
}

TEST_CASE("a chiller is reported as soon as it unloads at its condenser limit", "[chiller]") {
  ChillerMachine::Params placed{};
  placed.chiller = machine_1250kw();
  placed.chiller.highest_condensing_k = freezing_k + 50.0;
  // At the limit, 5 K of condenser water below it: what leaves is 3 K below the refrigerant, whatever the load.
  const ChillerNow at = chiller_now(placed.chiller, chilled(29.0), condenser(45.0), freezing_k + 20.0);
  const auto limit = ChillerMachine::limits().front();
  REQUIRE(limit.quantity == "condenser_leaving_temperature");
  CHECK(limit.endurance(placed).limit < at.condenser_leaving_k);
  CHECK(limit.endurance(placed).limit > at.condenser_leaving_k - 1.0);
}

TEST_CASE("what its waters leave of a chiller's rating is what it moves with its set-point just met", "[chiller]") {
  const ChillerParams machine = machine_1250kw();
  CHECK(chiller_left_w(machine, chilled(21.0), condenser(25.0), freezing_k + 20.0) == Approx(1.25e6).epsilon(1e-12));
  CHECK(chiller_left_w(machine, chilled(21.0, 1.0), condenser(60.0), freezing_k + 20.0) == 1.25e6);  // it stands
  CHECK(chiller_left_w(machine, chilled(21.0), condenser(60.0), freezing_k + 20.0) == 12.5e3);
  const double left_w = chiller_left_w(machine, chilled(21.0), condenser(43.0), freezing_k + 20.0);
  CHECK(left_w < 1.1e6);
  ChillerParams small = machine;  // rated for that much it holds its set-point, whatever comes
  small.rated_heat_w = left_w;
  small.minimum_part_load_fraction = 0.0;
  const PortNow warm = chilled(20.0 + left_w / (37.3 * water_heat));
  CHECK(chiller_now(small, warm, condenser(43.0), freezing_k + 20.0).evaporator_heat_w == Approx(left_w).epsilon(1e-9));
  CHECK(chiller_now(machine, chilled(30.0), condenser(43.0), freezing_k + 20.0).chilled_leaving_k > freezing_k + 20.5);
}

TEST_CASE("power does not fall below that of the smallest load and follows the inverse Carnot fraction", "[chiller]") {
  ChillerParams machine = machine_1250kw();
  const double smallest_w =
      chiller_now(machine, chilled(20.0 + 0.15 * 1.25e6 / (37.3 * water_heat)), condenser(28.0), freezing_k + 20.0)
          .power_w;
  for (double inlet_c : {15.0, 20.0, 20.5}) {
    const double power_w = chiller_now(machine, chilled(inlet_c), condenser(28.0), freezing_k + 20.0).power_w;
    CHECK(power_w > 0.0);
    if (inlet_c >= 20.0) CHECK(power_w == Approx(smallest_w).epsilon(1e-9));
  }
  const PortNow endless = condenser(28.0, 1e9);
  const double half_w = chiller_now(machine, chilled(25.0), endless, freezing_k + 20.0).power_w;
  machine.carnot_fraction = 1.0;
  CHECK(2.0 * chiller_now(machine, chilled(25.0), endless, freezing_k + 20.0).power_w == Approx(half_w).epsilon(1e-6));
  // Carnot itself at full load: 18 to 31 degC.
  const double full_k = 1.25e6 / (37.3 * water_heat);
  const ChillerNow ideal = chiller_now(machine, chilled(20.0 + full_k), endless, freezing_k + 20.0);
  CHECK(ideal.evaporator_heat_w / ideal.power_w == Approx(291.15 / 13.0).epsilon(1e-5));
}

TEST_CASE("a drive changes the power of a chiller at part load and nothing at full load", "[chiller]") {
  ChillerParams machine = machine_1250kw();
  const PortNow endless = condenser(28.0, 1e9);
  const auto power_w = [&](double load) {
    return chiller_now(machine, chilled(20.0 + load * 1.25e6 / (37.3 * water_heat)), endless, freezing_k + 20.0)
        .power_w;
  };
  const double full_w = power_w(1.0), half_w = power_w(0.5), third_w = power_w(0.3);
  CHECK(full_w == Approx(1.25e6 * 13.0 / (0.5 * 291.15)).epsilon(1e-6));
  CHECK(half_w == Approx(full_w * (0.260 + 0.504 * 0.5 + 0.236 * 0.25)).epsilon(1e-6));
  CHECK(third_w == Approx(full_w * (0.260 + 0.504 * 0.3 + 0.236 * 0.09)).epsilon(1e-6));
  machine.has_variable_speed = true;
  CHECK(power_w(1.0) == Approx(full_w).epsilon(1e-12));
  CHECK(power_w(0.5) == Approx(full_w * (0.149 + 0.230 * 0.5 + 0.621 * 0.25)).epsilon(1e-6));
  CHECK(power_w(0.3) == Approx(full_w * (0.149 + 0.230 * 0.3 + 0.621 * 0.09)).epsilon(1e-6));
}

TEST_CASE("a machine that takes load is at part load, whatever share of its rating it may use", "[chiller]") {
  const ChillerParams machine = machine_1250kw();
  const PortNow warm = chilled(40.0), endless = condenser(28.0, 1e9);
  const ChillerNow now = chiller_now(machine, warm, endless, freezing_k + 20.0, 0.4);
  CHECK(now.evaporator_heat_w == Approx(0.4 * 1.25e6).epsilon(1e-12));
  const double cold_k = now.chilled_leaving_k - 2.0;
  CHECK(now.power_w == Approx(0.4 * 1.25e6 * std::max(freezing_k + 31.0 - cold_k, 10.0) / (0.5 * cold_k) *
                              tests::part_load_by_hand(false, 0.4))
                           .epsilon(1e-6));
}

TEST_CASE("heat and COP of a machine are its own after a restart, not those of water pushed out of it", "[chiller]") {
  ChillerMachine::Params placed{};
  placed.chiller = machine_1250kw();
  placed.chilled_pump = {37.3, 80e3, 0.75};
  placed.condenser_pump = {60.0, 120e3, 0.75};
  ChillerMachine::Now now{.chilled = {freezing_k + 32.0, 37.3, water_heat},
                          .condenser = {freezing_k + 25.0, 60.0, water_heat},
                          .set_point_k = freezing_k + 20.0,
                          .state = {0.0, 1.0},
                          .motor = {1.0}};
  const ChillerMachine::Shown cold{freezing_k + 16.0, freezing_k + 25.0};  // what stood in its evaporator
  const auto reported = [&](std::string_view name) {
    for (const auto& column : ChillerMachine::columns())
      if (column.name == name) return column.value({placed, now, cold, 30e3});
    throw std::out_of_range(std::string(name));
  };
  CHECK(reported("heat") == 0.0);
  CHECK(std::isnan(reported("cop")));
  CHECK(reported("loading") == 0.0);
  CHECK(reported("power") == 0.0);
  CHECK(reported("pump_power") == Approx((37.3 * 80e3 + 60.0 * 120e3) / 998.0 / 0.75));
  now.state.loading_fraction = -1e-6;  // of an integrator
  CHECK(reported("loading") == 0.0);
  now.state.loading_fraction = 0.5;
  CHECK(reported("heat") == Approx(0.5 * 1.25e6));
  CHECK(reported("loading") == Approx(0.5));
  CHECK(reported("cop") == Approx(reported("heat") / reported("power")));
  const ChillerMachine::Effect done = effect_of<ChillerMachine>(placed, now);
  CHECK(done.motor.power_w == Approx(reported("power") + reported("pump_power")));
}

TEST_CASE("without water on either side a chiller does nothing", "[chiller]") {
  const ChillerParams machine = machine_1250kw();
  for (const auto& [cold, warm] : {std::pair{0.0, 60.0}, std::pair{37.3, 0.0}, std::pair{-1.0, 60.0}}) {
    const ChillerNow now = chiller_now(machine, chilled(25.0, cold), condenser(28.0, warm), freezing_k + 20.0);
    CHECK(now.power_w == 0.0);
    CHECK(now.evaporator_heat_w == 0.0);
    CHECK(now.condenser_leaving_k == freezing_k + 28.0);
  }
}
