// The supply-temperature control of a CDU on a small loop: two volumes of coolant, a load between them.
//
//   rho c V_s dT_s/dt = m c (T_r - T_s) - Q(T_r, valve),   rho c V_r dT_r/dt = m c (T_s - T_r) + P
//
// At rest the control has no freedom: the supply equals the set point, so that Q = P fixes the facility flow,
// which the logarithmic mean gives independently. At a limit, back-calculation rests at I = limit
// [astrom_hagglund2006] ch. 3.5.
#include "physics/water/cdu_valve.hpp"

#include <algorithm>
#include <cmath>

#include "tests/support/catch.hpp"

using namespace wattloop::physics;

namespace {

constexpr double coolant_cp = 3950.0, coolant_density = 1012.0, water_cp = 4180.0, set_point_k = 305.15;

/// An in-rack unit of 121 kW on a loop of 70 L.
struct Loop {
  CduParams cdu;
  double flow_kg_per_s = 2.02;
  double facility_k = 297.15;
  double load_w = 60e3;
  bool is_wound_up = false;  ///< leave out the back-calculation

  Loop() {
    cdu.design_conductance_w_per_k = 30.25e3;
    cdu.technology_design_flow_kg_per_s = 2.024;
    cdu.facility_design_flow_kg_per_s = 1.913;
  }
};

struct LoopState {
  double supply_k = set_point_k;
  double return_k = set_point_k + 8.0;
  CduValve::State control{set_point_k, 0.5, 0.5};
};

double facility_flow_kg_per_s(const Loop& loop, const LoopState& now) {
  return loop.cdu.facility_design_flow_kg_per_s * valve_flow_fraction(loop.cdu, now.control.valve_fraction);
}

LoopState rates(const Loop& loop, const LoopState& now) {
  const double heat_w = cdu_heat_w(loop.cdu, {now.return_k, loop.flow_kg_per_s, coolant_cp},
                                   {loop.facility_k, facility_flow_kg_per_s(loop, now), water_cp});
  const double carried_w = loop.flow_kg_per_s * coolant_cp * (now.return_k - now.supply_k);
  LoopState rate{(carried_w - heat_w) / (coolant_density * coolant_cp * 0.04),
                 (loop.load_w - carried_w) / (coolant_density * coolant_cp * 0.03),
                 CduValve::effect(loop.cdu, {now.supply_k, set_point_k, now.control, wattloop::moves_freely}).rate};
  if (loop.is_wound_up) {
    rate.control.integral_fraction =
        loop.cdu.valve_gain_per_k * (now.control.sensor_k - set_point_k) / loop.cdu.valve_integral_time_s;
  }
  return rate;
}

LoopState moved(LoopState state, double by, const LoopState& rate) {
  state.supply_k += by * rate.supply_k;
  state.return_k += by * rate.return_k;
  state.control.sensor_k += by * rate.control.sensor_k;
  state.control.integral_fraction += by * rate.control.integral_fraction;
  state.control.valve_fraction += by * rate.control.valve_fraction;
  return state;
}

/// Runs for a time by the midpoint rule; `watch(t, state)` sees every step.
template <class Watch>
LoopState run(const Loop& loop, LoopState state, double duration_s, Watch watch) {
  constexpr double h = 0.05;
  for (double t = 0.0; t < duration_s; t += h) {
    state = moved(state, h, rates(loop, moved(state, 0.5 * h, rates(loop, state))));
    watch(t + h, state);
  }
  return state;
}

LoopState run(const Loop& loop, const LoopState& state, double duration_s) {
  return run(loop, state, duration_s, [](double, const LoopState&) {});
}

double logarithmic_mean_k(double one_k, double other_k) { return (one_k - other_k) / std::log(one_k / other_k); }

}  // namespace

TEST_CASE("the valve holds the supply at its set point from 5 to 95 % load and from 7 to 27 degC facility water",
          "[cdu]") {
  for (double facility_k : {280.15, 291.15, 300.15}) {
    for (double share : {0.05, 0.3, 0.6, 0.95}) {
      Loop loop;
      loop.facility_k = facility_k;
      loop.load_w = share * 121e3;
      double worst_k = 0.0;
      const LoopState end = run(loop, {}, 3600.0, [&](double t, const LoopState& now) {
        if (t > 2400.0) worst_k = std::max(worst_k, std::abs(now.supply_k - set_point_k));
      });
      INFO("facility " << facility_k << " K, load " << loop.load_w << " W, valve " << end.control.valve_fraction);
      CHECK(worst_k < 0.02);
      CHECK(end.control.valve_fraction < 1.0);

      // the flow it found moves the load by the logarithmic mean as well; at 5 % the hot end closes to
      // nothing
      if (share < 0.1) continue;
      const double flow = facility_flow_kg_per_s(loop, end);
      const double return_k = set_point_k + loop.load_w / (loop.flow_kg_per_s * coolant_cp);
      const double mean_k =
          logarithmic_mean_k(return_k - facility_k - loop.load_w / (flow * water_cp), set_point_k - facility_k);
      const double films = 0.5 * (std::pow(loop.flow_kg_per_s / 2.024, -0.8) + std::pow(flow / 1.913, -0.8));
      CHECK(30.25e3 / films * mean_k == Approx(loop.load_w).epsilon(0.01));
    }
  }
}

TEST_CASE("a smallest flow bounds the valve, and the supply is as cold as that flow makes it", "[cdu]") {
  Loop loop;
  loop.facility_k = 291.15;
  loop.load_w = 0.05 * 121e3;
  const double without = facility_flow_kg_per_s(loop, run(loop, {}, 3600.0));
  for (const double authority : {0.0, 0.5}) {
    loop.cdu.valve_authority_fraction = authority;
    loop.cdu.smallest_flow_fraction = 0.4;
    const LoopState end = run(loop, {}, 3600.0);
    const double flow = facility_flow_kg_per_s(loop, end);
    CHECK(without < 0.2 * loop.cdu.facility_design_flow_kg_per_s);
    CHECK(flow == Approx(0.4 * loop.cdu.facility_design_flow_kg_per_s).epsilon(1e-6));
    CHECK(end.supply_k < set_point_k - 1.0);
    const double films = 0.5 * (std::pow(loop.flow_kg_per_s / 2.024, -0.8) + std::pow(flow / 1.913, -0.8));
    const double mean_k = logarithmic_mean_k(end.return_k - loop.facility_k - loop.load_w / (flow * water_cp),
                                             end.supply_k - loop.facility_k);
    CHECK(30.25e3 / films * mean_k == Approx(loop.load_w).epsilon(0.01));
  }
}

TEST_CASE("a step from 40 to 90 % load moves the supply by less than 1.5 K and is over in 5 minutes", "[cdu]") {
  Loop loop;
  loop.load_w = 0.4 * 121e3;
  const LoopState start = run(loop, {}, 3600.0);
  loop.load_w = 0.9 * 121e3;
  double largest_k = 0.0, last_outside_s = 0.0;
  run(loop, start, 1800.0, [&](double t, const LoopState& now) {
    const double error_k = std::abs(now.supply_k - set_point_k);
    largest_k = std::max(largest_k, error_k);
    if (error_k > 0.05) last_outside_s = t;
  });
  CHECK(largest_k > 0.2);  // it was a disturbance
  CHECK(largest_k < 1.5);
  CHECK(last_outside_s < 300.0);
}

TEST_CASE("a warmer supply opens the valve and a colder one closes it", "[cdu]") {
  const CduParams cdu = Loop().cdu;
  const CduValve::State warm =
      CduValve::effect(cdu, {set_point_k + 2.0, set_point_k, {set_point_k + 1.0, 0.5, 0.5}, wattloop::moves_freely})
          .rate;
  CHECK(warm.sensor_k == Approx(1.0 / 3.0));
  CHECK(warm.integral_fraction == Approx(0.06 / 40.0));
  CHECK(warm.valve_fraction == Approx(0.06 / 8.0));
  const CduValve::State cold =
      CduValve::effect(cdu, {set_point_k - 2.0, set_point_k, {set_point_k - 1.0, 0.5, 0.5}, wattloop::moves_freely})
          .rate;
  CHECK(cold.integral_fraction == Approx(-warm.integral_fraction));
  CHECK(cold.valve_fraction == Approx(-warm.valve_fraction));
}

TEST_CASE("after an hour of facility water that is too warm the control recovers at once", "[cdu]") {
  const auto recovery = [](bool is_wound_up) {
    Loop loop;
    const LoopState start = run(loop, {}, 3600.0);
    loop.is_wound_up = is_wound_up;
    loop.facility_k = set_point_k + 3.0;
    const LoopState warm = run(loop, start, 3600.0);
    CHECK(warm.supply_k > set_point_k + 2.0);
    CHECK(warm.control.valve_fraction == Approx(1.0).epsilon(1e-6));
    if (!is_wound_up) CHECK(warm.control.integral_fraction == Approx(1.0).epsilon(1e-6));
    loop.facility_k = 297.15;
    double last_outside_s = 0.0;
    run(loop, warm, 7200.0, [&](double t, const LoopState& now) {
      if (std::abs(now.supply_k - set_point_k) > 0.3) last_outside_s = t;
    });
    return last_outside_s;
  };
  const double recovered_s = recovery(false);
  CHECK(recovered_s < 240.0);
  CHECK(recovery(true) > 4.0 * recovered_s);  // what the back-calculation is for
}

TEST_CASE("at a limit the integral has one resting point, the limit", "[cdu]") {
  const PiSettings settings{0.06, 40.0};
  for (double error : {0.5, 3.0, 50.0}) {
    CHECK(std::abs(pi_control(settings, error, 1.0).integral_rate_per_s) < 1e-15);
    CHECK(pi_control(settings, error, 1.2).integral_rate_per_s < 0.0);
    CHECK(std::abs(pi_control(settings, -error, 0.0).integral_rate_per_s) < 1e-15);
    CHECK(pi_control(settings, -error, -0.2).integral_rate_per_s > 0.0);
  }
  CHECK(pi_control(settings, 50.0, 0.3).output == 1.0);
  CHECK(pi_control(settings, -50.0, 0.3).output == 0.0);
}
