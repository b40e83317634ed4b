// A GPU under its heat sink against the closed form of its linear system, its rest, and the laws of its air.
//
//   C_d x' = P + l (x - T_ref) - G (x - y),  C_s y' = G (x - y) - g (y - T_in)
//   (x, y)(t) = rest + a_1 v_1 exp(r_1 t) + a_2 v_2 exp(r_2 t)         r: eigenvalues of the 2 x 2 matrix
//   1/g = 1/(m c (1 - exp(-UA / m c))) + u/(m c),  UA = UA_0 (m / m_0)^n
//   behind:  a second GPU whose air the first has warmed by Q/(m c), both computed in turn
//
// Source: [incropera2011] ch. 5.1, eq. 8.60. Integrated with Runge-Kutta 4 at 5 ms: its own error is below 1e-9 K here.
#include "physics/units/heat_sink.hpp"

#include <array>
#include <cmath>

#include "tests/support/by_hand/unit_params.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/verification.hpp"

using namespace wattloop;
using physics::HeatSink;
using State = std::array<double, 2>;

namespace {

constexpr double air_j_per_kg_k = 1006.0;

/// In the air alone: no other GPU before it or behind it.
HeatSink::Params alone() {
  HeatSink::Params p = tests::params_of(HeatSink{});
  p.stream_gpus_ratio = 1.0;
  p.upstream_gpus_ratio = 0.0;
  p.leakage_w_per_k = 0.0;
  return p;
}

State runge_kutta(const HeatSink::Params& p, UnitNow<2, 1> now, double duration_s, int steps) {
  const double h = duration_s / steps;
  const auto rate_at = [&](const State& from, double by, const State& along) {
    now.state = {from[0] + by * along[0], from[1] + by * along[1]};
    return HeatSink::rates(p, now).rate;
  };
  State y = now.state;
  for (int i = 0; i < steps; ++i) {
    const State k1 = rate_at(y, 0.0, y), k2 = rate_at(y, 0.5 * h, k1), k3 = rate_at(y, 0.5 * h, k2);
    const State k4 = rate_at(y, h, k3);
    for (std::size_t s = 0; s < 2; ++s) y[s] += h / 6.0 * (k1[s] + 2.0 * k2[s] + 2.0 * k3[s] + k4[s]);
  }
  return y;
}

/// Watts per kelvin of sink above inlet, from the equations of the header alone.
double to_air_w_per_k(const HeatSink::Params& p, double port_kg_per_s) {
  const double flow = p.stream_gpus_ratio * port_kg_per_s, mc = flow * air_j_per_kg_k;
  const double film = p.design_conductance_w_per_k * std::pow(flow / p.design_flow_kg_per_s, p.flow_exponent_ratio);
  return 1.0 / (1.0 / (mc * (1.0 - std::exp(-film / mc))) + p.upstream_gpus_ratio / mc);
}

/// Where both temperatures end: all power goes through both resistances.
State rest_of(const HeatSink::Params& p, const UnitNow<2, 1>& now) {
  const double g = to_air_w_per_k(p, now.port[0].flow_kg_per_s), l = p.leakage_w_per_k;
  const double base_w = now.load_w - l * p.leakage_reference_k, inlet_k = now.port[0].temperature_k;
  const double series = 1.0 / (1.0 / p.die_to_sink_w_per_k + 1.0 / g);
  const double die_k = (base_w + series * inlet_k) / (series - l);
  return {die_k, inlet_k + (base_w + l * die_k) / g};
}

/// The closed form, from parameters and inlet alone.
State two_modes(const HeatSink::Params& p, const UnitNow<2, 1>& now, double t) {
  const double G = p.die_to_sink_w_per_k, g = to_air_w_per_k(p, now.port[0].flow_kg_per_s);
  const double a = (p.leakage_w_per_k - G) / p.die_heat_capacity_j_per_k, b = G / p.die_heat_capacity_j_per_k;
  const double c = G / p.sink_heat_capacity_j_per_k, d = -(G + g) / p.sink_heat_capacity_j_per_k;
  const auto [x_rest, y_rest] = rest_of(p, now);
  const double half_trace = 0.5 * (a + d), root = std::sqrt(0.25 * (a - d) * (a - d) + b * c);
  const double r1 = half_trace + root, r2 = half_trace - root;
  const double dx = now.state[0] - x_rest, dy = now.state[1] - y_rest;
  const double a1 = (dy - (r2 - a) * dx / b) / (r1 - r2), a2 = dx / b - a1;
  const double e1 = a1 * std::exp(r1 * t), e2 = a2 * std::exp(r2 * t);
  return {x_rest + b * (e1 + e2), y_rest + (r1 - a) * e1 + (r2 - a) * e2};
}

UnitNow<2, 1> at_flow(double port_kg_per_s, const State& state = {330.0, 320.0}, double load_w = 700.0) {
  return {state, {{{300.0, port_kg_per_s, air_j_per_kg_k}}}, load_w};
}

}  // namespace

TEST_CASE("a GPU under its heat sink follows the two-mode exponential", "[heat_sink]") {
  HeatSink::Params p = tests::params_of(HeatSink{});
  for (const double leakage : {0.0, 3.5}) {  // W/K
    p.leakage_w_per_k = leakage;
    for (const double upstream : {0.0, 0.5, 1.0}) {
      p.upstream_gpus_ratio = upstream;
      for (const double flow : {0.0423, 0.025, 0.002}) {
        for (const double duration_s : {0.25, 2.0, 60.0}) {
          const UnitNow<2, 1> now = at_flow(flow, {325.0, 303.0});
          const State ours = runge_kutta(p, now, duration_s, static_cast<int>(duration_s / 0.005));
          const State exact = two_modes(p, now, duration_s);
          INFO("leakage " << leakage << " W/K, " << upstream << " upstream, flow " << flow << " kg/s, after "
                          << duration_s << " s");
          CHECK(std::abs(ours[0] - exact[0]) < 1e-8);
          CHECK(std::abs(ours[1] - exact[1]) < 1e-8);
          if (leakage > 0.0 && upstream == 0.5 && flow == 0.025 && duration_s == 2.0) {
            tests::report_verification(
                {"heat sink, 700 W step, after 2 s", "closed form", "die temperature", ours[0], exact[0], 1e-8, "K"});
          }
        }
      }
    }
  }
}

TEST_CASE("the two modes of a heat sink are as far apart as die and sink", "[heat_sink]") {
  // A die on a sink of 90 times its capacity: fast C_d/G within 2 %, slow within 2 % of C_s (1/g) with the die riding along.
  const HeatSink::Params p = alone();
  const UnitNow<2, 1> now = at_flow(0.085);
  const State rest = rest_of(p, now);
  const double fast_s = p.die_heat_capacity_j_per_k / p.die_to_sink_w_per_k;
  const double slow_s =
      (p.die_heat_capacity_j_per_k + p.sink_heat_capacity_j_per_k) / to_air_w_per_k(p, now.port[0].flow_kg_per_s);
  const UnitNow<2, 1> settled = at_flow(0.085, rest);
  UnitNow<2, 1> loaded = settled;
  loaded.load_w += 100.0;
  // of the step's first part, 100 W / G above the sink, 1/e is left after one fast time constant
  const State early = runge_kutta(p, loaded, fast_s, 200);
  const double lead_k = (early[0] - early[1]) - (rest[0] - rest[1]);
  CHECK(lead_k == Approx(100.0 / p.die_to_sink_w_per_k * (1.0 - std::exp(-1.0))).epsilon(0.02));
  const State end = rest_of(p, loaded), one = runge_kutta(p, loaded, slow_s, 4000);
  const State two = runge_kutta(p, loaded, 2.0 * slow_s, 8000);
  CHECK((end[1] - two[1]) / (end[1] - one[1]) == Approx(std::exp(-1.0)).epsilon(0.02));
}

TEST_CASE("a steady die is warmer than its air by power times both resistances", "[heat_sink]") {
  for (const double upstream : {0.0, 0.5, 1.0}) {
    HeatSink::Params p = tests::params_of(HeatSink{});
    p.leakage_w_per_k = 0.0;
    p.upstream_gpus_ratio = upstream;
    const double to_air = to_air_w_per_k(p, 0.03);
    const UnitRates<2, 1> rates =
        HeatSink::rates(p, at_flow(0.03, {300.0 + 700.0 * (1.0 / 35.0 + 1.0 / to_air), 300.0 + 700.0 / to_air}));
    INFO(upstream << " upstream");
    CHECK(std::abs(rates.rate[0]) < 1e-10);
    CHECK(std::abs(rates.rate[1]) < 1e-12);
    CHECK(rates.heat_w[0] == Approx(700.0).epsilon(1e-12));
    CHECK(rates.power_w == 700.0);
  }
}

TEST_CASE("a sink behind another stands in the air that the other has warmed", "[heat_sink]") {
  // Two in one stream of twice the share, 700 W each, steady: the second in turn, its air from the heat of the first.
  const double mc = 2.0 * 0.03 * air_j_per_kg_k;
  HeatSink::Params second = alone();
  const double behind_k = 300.0 + 700.0 / mc + 700.0 / to_air_w_per_k(second, 2.0 * 0.03);
  second.stream_gpus_ratio = 2.0;
  second.upstream_gpus_ratio = 1.0;
  const State ours = runge_kutta(second, at_flow(0.03, {340.0, 320.0}), 900.0, 9000);
  CHECK(ours[1] == Approx(behind_k).epsilon(1e-10));
  HeatSink::Params first = second, mean = second;
  first.upstream_gpus_ratio = 0.0;
  mean.upstream_gpus_ratio = 0.5;
  const double front_k = rest_of(first, at_flow(0.03))[0], rear_k = rest_of(second, at_flow(0.03))[0];
  CHECK(rear_k - front_k == Approx(700.0 / mc).epsilon(1e-12));
  CHECK(rest_of(mean, at_flow(0.03))[0] == Approx(0.5 * (front_k + rear_k)).epsilon(1e-12));
  tests::report_verification(
      {"two heat sinks in one stream, 700 W each", "closed form", "sink of the second", ours[1], behind_k, 1e-7, "K"});
}

TEST_CASE("the film of a heat sink grows with the power of the flow that it names", "[heat_sink]") {
  // UA from the heat to the air, solved for: UA = -m c ln(1 - Q / (m c dT)); from two flows its exponent.
  for (const double exponent : {0.33, 0.5, 0.8}) {
    HeatSink::Params p = alone();
    p.flow_exponent_ratio = exponent;
    const auto film = [&](double flow) {
      const double heat_w = HeatSink::rates(p, at_flow(flow, {330.0, 320.0}, 0.0)).heat_w[0],
                   mc = flow * air_j_per_kg_k;
      return -mc * std::log(1.0 - heat_w / (mc * 20.0));
    };
    CHECK(film(p.design_flow_kg_per_s) == Approx(p.design_conductance_w_per_k).epsilon(1e-10));
    const double found = std::log(film(0.085) / film(0.034)) / std::log(0.085 / 0.034);
    CHECK(found == Approx(exponent).epsilon(1e-9));
    if (exponent == 0.8) {
      tests::report_verification(
          {"heat sink, 40 to 100 % of its air", "incropera2011", "exponent of the film", found, 0.8, 1e-8, "1"});
    }
  }
}

TEST_CASE("standing and reverse air carries no heat, and more air never less", "[heat_sink]") {
  for (const double upstream : {0.0, 1.0}) {
    HeatSink::Params p = tests::params_of(HeatSink{});
    p.upstream_gpus_ratio = upstream;
    const auto heat_w = [&](double flow) { return HeatSink::rates(p, at_flow(flow, {330.0, 320.0}, 0.0)).heat_w[0]; };
    CHECK(heat_w(0.0) == 0.0);
    CHECK(heat_w(-0.01) == 0.0);
    for (const double flow : {1e-300, 1e-12, 1e-9})
      CHECK(heat_w(flow) == Approx(20.0 * 2.0 * flow * air_j_per_kg_k / (1.0 + upstream)).epsilon(1e-6));
    double before_w = 0.0;
    for (double flow = 1e-9; flow < 1.0; flow *= 1.3) {
      CHECK(heat_w(flow) > before_w);
      before_w = heat_w(flow);
    }
  }
}

TEST_CASE("without air a 700 W GPU on a heat sink of 910 J/K goes from 60 to 87 degC in 35.1 s", "[heat_sink]") {
  // On the ramp die and sink rise together at P / C: 27 K take 27 * 910 / 700 = 35.1 s.
  const HeatSink::Params p = alone();
  const double lead_k = 700.0 * 900.0 / 910.0 / 35.0;
  const State end = runge_kutta(p, at_flow(0.0, {333.15, 333.15 - lead_k}), 35.1, 7020);
  CHECK(end[0] == Approx(360.15).epsilon(1e-10));
}

TEST_CASE("a heat sink that differs has its interface, air and leakage scaled", "[heat_sink]") {
  const HeatSink::Params p = tests::params_of(HeatSink{});
  const HeatSink::Params other = HeatSink::varied(p, {1.1, 0.9, 1.3});
  CHECK(other.die_to_sink_w_per_k == Approx(35.0 / 1.1));
  CHECK(other.leakage_w_per_k == Approx(1.3));
  CHECK(HeatSink::rates(other, at_flow(0.03, {330.0, 320.0}, 0.0)).heat_w[0] ==
        Approx(HeatSink::rates(p, at_flow(0.027, {330.0, 320.0}, 0.0)).heat_w[0]).epsilon(1e-12));
}
