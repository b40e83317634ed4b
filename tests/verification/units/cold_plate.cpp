// A GPU under its cold plate against the closed form of its linear system, and its heat-up without coolant.
//
//   C_d x' = P + l (x - T_ref) - G (x - y),  C_p y' = G (x - y) - g (y - T_in),  g = m c (1 - exp(-UA / m c))
//   (x, y)(t) = rest + a_1 v_1 exp(r_1 t) + a_2 v_2 exp(r_2 t)         r: eigenvalues of the 2 x 2 matrix
//
// Source: [incropera2011] ch. 5.1. Integrated with Runge-Kutta 4 at 5 ms: its own error is below 1e-9 K here.
#include "physics/units/cold_plate.hpp"

#include <array>
#include <cmath>

#include "tests/support/catch.hpp"
#include "tests/support/verification.hpp"

using namespace wattloop;
using physics::ColdPlate;
using State = std::array<double, 2>;

namespace {

ColdPlate::Params h100() {
  ColdPlate::Params p;
  p.die_heat_capacity_j_per_k = 60.0;
  p.plate_heat_capacity_j_per_k = 332.0;
  p.die_to_plate_w_per_k = 40.0;
  p.design_conductance_w_per_k = 45.0;
  p.design_flow_kg_per_s = 0.0175;
  return p;
}

State runge_kutta(const ColdPlate::Params& p, UnitNow<2, 1> now, double duration_s, int steps) {
  const double h = duration_s / steps;
  const auto rate_at = [&](const State& state) {
    now.state = state;
    return ColdPlate::rates(p, now).rate;
  };
  const auto moved = [](const State& from, double by, const State& along) {
    return State{from[0] + by * along[0], from[1] + by * along[1]};
  };
  State y = now.state;
  for (int i = 0; i < steps; ++i) {
    const State k1 = rate_at(y), k2 = rate_at(moved(y, 0.5 * h, k1)), k3 = rate_at(moved(y, 0.5 * h, k2));
    const State k4 = rate_at(moved(y, h, k3));
    for (std::size_t s = 0; s < 2; ++s) y[s] += h / 6.0 * (k1[s] + 2.0 * k2[s] + 2.0 * k3[s] + k4[s]);
  }
  return y;
}

/// The closed form, from parameters and inlet alone.
State two_modes(const ColdPlate::Params& p, const UnitNow<2, 1>& now, double t) {
  const double mc = now.port[0].flow_kg_per_s * now.port[0].specific_heat_j_per_kg_k;
  const double film = p.design_conductance_w_per_k *
                      std::pow(now.port[0].flow_kg_per_s / p.design_flow_kg_per_s, p.flow_exponent_ratio);
  const double g = mc > 0.0 ? mc * (1.0 - std::exp(-film / mc)) : 0.0;
  const double G = p.die_to_plate_w_per_k, l = p.leakage_w_per_k;
  const double a = (l - G) / p.die_heat_capacity_j_per_k, b = G / p.die_heat_capacity_j_per_k;
  const double c = G / p.plate_heat_capacity_j_per_k, d = -(G + g) / p.plate_heat_capacity_j_per_k;
  // rest: all power goes through both resistances, so x_rest from the energy balance of the whole
  const double base_w = now.load_w - l * p.leakage_reference_k;
  const double series = 1.0 / (1.0 / G + 1.0 / g);
  const double x_rest = (base_w + series * now.port[0].temperature_k) / (series - l);
  const double y_rest = now.port[0].temperature_k + (base_w + l * x_rest) / g;
  const double half_trace = 0.5 * (a + d), root = std::sqrt(0.25 * (a - d) * (a - d) + b * c);
  const double r1 = half_trace + root, r2 = half_trace - root;
  // eigenvectors (b, r - a); amplitudes from the start
  const double dx = now.state[0] - x_rest, dy = now.state[1] - y_rest;
  const double a1 = (dy - (r2 - a) * dx / b) / (r1 - r2), a2 = dx / b - a1;
  const double e1 = a1 * std::exp(r1 * t), e2 = a2 * std::exp(r2 * t);
  return {x_rest + b * (e1 + e2), y_rest + (r1 - a) * e1 + (r2 - a) * e2};
}

}  // namespace

TEST_CASE("a GPU on its cold plate follows the two-mode exponential", "[cold_plate]") {
  ColdPlate::Params p = h100();
  for (double leakage : {0.0, 3.5}) {  // W/K
    p.leakage_w_per_k = leakage;
    for (double flow : {0.0175, 0.006, 0.0005}) {
      for (double duration_s : {0.5, 5.0, 60.0}) {
        const UnitNow<2, 1> now{{325.0, 303.0}, {{{298.15, flow, 3958.0}}}, 700.0};
        const State ours = runge_kutta(p, now, duration_s, static_cast<int>(duration_s / 0.005));
        const State exact = two_modes(p, now, duration_s);
        INFO("leakage " << leakage << " W/K, flow " << flow << " kg/s, after " << duration_s << " s");
        CHECK(std::abs(ours[0] - exact[0]) < 1e-8);
        CHECK(std::abs(ours[1] - exact[1]) < 1e-8);
        if (leakage > 0.0 && flow == 0.006 && duration_s == 5.0) {
          tests::report_verification(
              {"cold plate, 700 W step, after 5 s", "closed form", "die temperature", ours[0], exact[0], 1e-8, "K"});
        }
      }
    }
  }
}

TEST_CASE("a steady die is warmer than its inlet by power times both resistances", "[cold_plate]") {
  const ColdPlate::Params p = h100();
  const PortNow inlet{298.15, 0.0175, 3958.0};
  const double mc = 0.0175 * 3958.0;
  const double to_coolant = mc * (1.0 - std::exp(-45.0 / mc));
  const UnitNow<2, 1> now{
      {298.15 + 700.0 * (1.0 / 40.0 + 1.0 / to_coolant), 298.15 + 700.0 / to_coolant}, {inlet}, 700.0};
  const UnitRates<2, 1> rates = ColdPlate::rates(p, now);
  CHECK(std::abs(rates.rate[0]) < 1e-12);
  CHECK(std::abs(rates.rate[1]) < 1e-12);
  CHECK(rates.heat_w[0] == Approx(700.0).epsilon(1e-12));
}

TEST_CASE("without flow a 700 W GPU of 392 J/K goes from 60 to 87 degC in 15.1 s", "[cold_plate]") {
  // On the ramp die and plate rise together at P / C, so G (x - y) = P C_p / C; 27 K take 27 * 392 / 700
  // = 15.12 s.
  const ColdPlate::Params p = h100();
  const double start_k = 333.15;
  const double lead_k = 700.0 * 332.0 / 392.0 / 40.0;
  UnitNow<2, 1> now{{start_k, start_k - lead_k}, {{{298.15, 0.0, 3958.0}}}, 700.0};
  constexpr double step_s = 0.01;
  double t = 0.0;
  while (now.state[0] < 360.15) {
    const State before = now.state;
    now.state = runge_kutta(p, now, step_s, 1);
    t += now.state[0] < 360.15 ? step_s : step_s * (360.15 - before[0]) / (now.state[0] - before[0]);
  }
  CHECK(t == Approx(15.12).epsilon(1e-9));
  CHECK(std::abs(t - 15.1) < 0.05);
  tests::report_verification(
      {"cold plate without flow, 700 W, 392 J/K", "derived", "time from 60 to 87 degC", t, 15.12, 1e-6, "s"});
}

TEST_CASE("standing and reverse flow carry no heat, and a trickle all it can", "[cold_plate]") {
  const ColdPlate::Params p = h100();
  const auto heat_w = [&](double flow) {
    return ColdPlate::rates(p, {{330.0, 320.0}, {{{300.0, flow, 3958.0}}}, 0.0}).heat_w[0];
  };
  CHECK(heat_w(0.0) == 0.0);
  CHECK(heat_w(-0.01) == 0.0);
  for (double flow : {1e-320, 1e-12, 1e-6}) CHECK(heat_w(flow) == Approx(20.0 * flow * 3958.0).epsilon(1e-6));
  double before = 0.0;
  for (double flow = 1e-9; flow < 1.0; flow *= 1.3) {
    CHECK(heat_w(flow) > before);
    before = heat_w(flow);
  }
}
