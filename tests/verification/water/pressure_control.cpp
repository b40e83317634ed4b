// The differential-pressure control of a loop's pumps.
//
//   Control alone, pump and sensor as lags, pressure with the square of speed. With T_i equal to the pump's lag the loop of
//   small changes is tau_s T_i y'' + T_i y' + g y = g step, g = K n d(dp)/dn / dp = 2 K / n: a second-order system, whose
//   step response is known [astrom_hagglund2006].
//   In a hall: racks get the flow that the set-point drives through them, sqrt(dp / R), whatever pumps serve them; the speed
//   follows from the pump curve and all resistances, a quadratic by hand.
#include "physics/water/pressure_control.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "physics/fluids/fluid.hpp"
#include "tests/support/by_hand/two_sides.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/halls/one_rack.hpp"
#include "tests/support/halls/plant_names.hpp"
#include "tests/support/halls/small_hall.hpp"
#include "tests/support/verification.hpp"
#include "tests/support/work_run.hpp"
#include "twin/build/plant_builder.hpp"

using namespace wattloop;
using namespace wattloop::physics;

namespace {

struct SmallLoop {
  PressureControlParams control;
  double pump_lag_s = 2.0;
  double full_speed_pa = 160e3;  ///< of the racks' pressure at full speed
};

struct SmallLoopState {
  double speed_fraction;
  PressureControl control;
};

SmallLoopState rates(const SmallLoop& loop, const PressureDemand& demand, const SmallLoopState& now) {
  const double pressure_pa = loop.full_speed_pa * now.speed_fraction * now.speed_fraction;
  const double ordered = ordered_speed(loop.control, demand, now.control).output;
  return {(ordered - now.speed_fraction) / loop.pump_lag_s,
          pressure_control_rates(loop.control, demand, now.control, pressure_pa)};
}

SmallLoopState moved(const SmallLoopState& from, double by_s, const SmallLoopState& rate) {
  return {from.speed_fraction + by_s * rate.speed_fraction,
          {from.control.sensor_pa + by_s * rate.control.sensor_pa,
           from.control.integral_fraction + by_s * rate.control.integral_fraction}};
}

SmallLoopState after(const SmallLoop& loop, const PressureDemand& demand, SmallLoopState state, double duration_s) {
  constexpr double h = 1e-3;  // explicit midpoint
  for (double t_s = 0.0; t_s < duration_s - 0.5 * h; t_s += h) {
    state = moved(state, h, rates(loop, demand, moved(state, 0.5 * h, rates(loop, demand, state))));
  }
  return state;
}

SmallLoopState at_rest(const SmallLoop& loop, double pressure_pa) {
  const double speed = std::sqrt(pressure_pa / loop.full_speed_pa);
  return {speed, {pressure_pa, speed}};
}

/// Step response of an underdamped second-order system.
double second_order(double natural_per_s, double damping, double time_s) {
  const double root = std::sqrt(1.0 - damping * damping);
  const double phase = natural_per_s * root * time_s;
  return 1.0 - std::exp(-damping * natural_per_s * time_s) * (std::cos(phase) + damping / root * std::sin(phase));
}

/// A small hall whose pumps hold 30 kPa; both pumps of one of the two CDUs of loop 1 fail at 20 s.
twin::Scenario pressure_hall() {
  twin::Scenario scenario = tests::small_hall_scenario();
  scenario.cooling.loops.front().differential_pressure_pa = 30e3;
  scenario.cooling.loops.front().pump_speed_fraction = 1.0;
  scenario.duration_s = 120.0;
  scenario.events = {tests::event(20.0, twin::EventSpec::Kind::fail, {"cdu_1"})};
  return scenario;
}

double racks_of_loop(const twin::Plant& plant) { return static_cast<double>(tests::count_on(plant, "rack", "loop_1")); }

double rack_flow_kg_per_s(const twin::Plant& plant, const tests::WorkRun& run) {
  return run.evaluation().signals[tests::link_named(plant, "row_1.rack_1.cold_plates").flow_signal];
}

struct LoopByHand {
  double flow_kg_per_s;
  double speed_fraction;
};

/// n^2 a + n b Q + c Q^2 = d Q^2 + dp for each of the CDUs that carry the loop, with the racks' flow from dp alone.
LoopByHand by_hand(const twin::Scenario& scenario, double racks, double cdus) {
  const twin::LoopsSpec& spec = scenario.cooling.loops.front();
  const twin::NodeHardware& node = scenario.racks.front().hardware;
  const double density = find_fluid(spec.coolant).density_kg_per_m3(spec.supply_k);
  const double dp = spec.differential_pressure_pa;
  const double flow = std::sqrt(dp / node.coolant_pressure_drop_pa) * node.coolant_design_flow_kg_per_s *
                      scenario.racks.front().nodes * racks;
  const double q = flow / cdus / density;
  const double inside =
      spec.cdu.internal_pressure_drop_pa * std::pow(flow / cdus / spec.cdu.technology_design_flow_kg_per_s, 2);
  const double a = spec.pump.shutoff_pressure_pa, b = spec.pump.linear_pa_s_per_m3 * q;
  const double c = spec.pump.quadratic_pa_s2_per_m6 * q * q - inside - dp;
  return {flow, (-b + std::sqrt(b * b - 4.0 * a * c)) / (2.0 * a)};
}

/// Reports under the name of `integrator`, if it has one.
void check_loop(const twin::Scenario& scenario, const twin::Plant& plant, const tests::WorkRun& run, double cdus,
                const char* integrator = nullptr) {
  const LoopByHand expected = by_hand(scenario, racks_of_loop(plant), cdus);
  REQUIRE(expected.speed_fraction < 0.97);
  const double flow = rack_flow_kg_per_s(plant, run) * racks_of_loop(plant);
  const double speed = run.state().states[plant.motors[tests::motor_named(plant, "cdu_2.pump_a")].speed_state];
  CHECK(flow == Approx(expected.flow_kg_per_s).epsilon(1e-3));
  CHECK(speed == Approx(expected.speed_fraction).epsilon(1e-3));
  if (integrator == nullptr) return;
  const std::string name = fmt::format("pumps hold 30 kPa with {:.0f} of 2 CDUs, {}", cdus, integrator);
  tests::report_verification(
      {name, "closed form", "flow of the loop", flow, expected.flow_kg_per_s, 1e-3 * expected.flow_kg_per_s, "kg/s"});
  tests::report_verification(
      {name, "closed form", "pump speed", speed, expected.speed_fraction, 1e-3 * expected.speed_fraction, "1"});
}

}  // namespace

TEST_CASE("a small step of the set-point is answered as a second-order system", "[control]") {
  SmallLoop loop;
  loop.control = {.gain_ratio = 0.6, .integral_time_s = 2.0, .sensor_lag_s = 0.5, .lowest_speed_fraction = 0.2};
  const double set_pa = 80e3, step_pa = 80.0;
  const SmallLoopState start = at_rest(loop, set_pa);
  const double g = 2.0 * loop.control.gain_ratio / start.speed_fraction;
  const double natural_per_s = std::sqrt(g / (loop.control.sensor_lag_s * loop.control.integral_time_s));
  const double damping = 0.5 * std::sqrt(loop.control.integral_time_s / (g * loop.control.sensor_lag_s));
  REQUIRE(damping < 1.0);
  for (const double time_s : {0.5, 1.0, 2.0, 3.0, 5.0, 8.0}) {
    const SmallLoopState now = after(loop, {set_pa + step_pa, 1.0}, start, time_s);
    const double ours = (now.control.sensor_pa - set_pa) / step_pa;
    CHECK(ours == Approx(second_order(natural_per_s, damping, time_s)).margin(2e-3));  // 0.1 % of step: nonlinearity
    tests::report_verification({"pressure control, 0.1 % step", "astrom_hagglund2006",
                                fmt::format("response after {} s", time_s), ours,
                                second_order(natural_per_s, damping, time_s), 2e-3, "1"});
  }
}

TEST_CASE("at a limit the pressure integral waits, and without a set-point pumps run at their highest speed",
          "[control]") {
  SmallLoop loop;
  const SmallLoopState start = at_rest(loop, 80e3);
  const SmallLoopState limited = after(loop, {300e3, 0.9}, start, 600.0);  // cannot be reached
  CHECK(limited.speed_fraction == Approx(0.9).margin(1e-9));
  const SmallLoopState back = after(loop, {80e3, 0.9}, limited, 15.0);
  CHECK(back.control.sensor_pa == Approx(80e3).epsilon(0.02));
  const SmallLoopState low = after(loop, {1.0, 0.9}, start, 60.0);
  CHECK(low.speed_fraction == Approx(loop.control.lowest_speed_fraction).margin(1e-6));
  const SmallLoopState free = after(loop, {0.0, 0.77}, start, 60.0);
  CHECK(free.speed_fraction == Approx(0.77).margin(1e-9));
  CHECK(free.control.integral_fraction == Approx(0.77).margin(1e-9));
}

TEST_CASE("pumps hold the pressure of their loop when one of its CDUs is lost", "[control][hall]") {
  const twin::Scenario scenario = pressure_hall();
  const twin::Plant plant = twin::build_plant(scenario);
  const tests::SquareWork work(16.0);
  const bool is_multirate = GENERATE(false, true);
  const char* const name = is_multirate ? "multirate" : "monolithic";
  INFO(name);
  tests::WorkRun run(scenario, plant, work, is_multirate ? twin::by_multirate() : twin::by_monolithic());
  run.start();
  check_loop(scenario, plant, run, 2.0);
  run.run(20.0, {});
  check_loop(scenario, plant, run, 2.0, name);
  run.run(22.0, {});
  const double flow = rack_flow_kg_per_s(plant, run) * racks_of_loop(plant);
  CHECK(flow < 0.95 * by_hand(scenario, racks_of_loop(plant), 1.0).flow_kg_per_s);  // it takes time
  run.run(120.0, {});
  check_loop(scenario, plant, run, 1.0, name);
}
