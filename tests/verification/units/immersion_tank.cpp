// A GPU in an immersion tank against closed forms: steady state, cooling by free convection, two modes.
//
//   steady:            T_f = T_in + P / g,  T_d = T_f + dT_0 (P / (G_0 dT_0))^(1 / (1 + q))
//   bath held:         d' = -k d^(1+q)  ->  d(t) = (d_0^-q + q k t)^(-1/q),  k = G_0 / (C_d dT_0^q)
//   stirred (q = 0):   exp(-r_1 t) and exp(-r_2 t), r the roots of r^2 - (a + b + c) r + a c,
//                      a = G / C_d,  b = G / C_f,  c = g / C_f,  g = m c (1 - exp(-UA / m c))
//
// Source: [incropera2011] ch. 5.1, 9.6. Integrated with Runge-Kutta 4.
#include "physics/units/immersion_tank.hpp"

#include <array>
#include <cmath>
#include <random>

#include "tests/support/catch.hpp"
#include "tests/support/verification.hpp"

using namespace wattloop;
using physics::ImmersionTank;
using State = std::array<double, 2>;

namespace {

ImmersionTank::Params tank() {
  ImmersionTank::Params p;
  p.die_heat_capacity_j_per_k = 500.0;
  p.fluid_heat_capacity_j_per_k = 12000.0;
  p.die_to_fluid_w_per_k = 28.0;
  p.coil_conductance_w_per_k = 60.0;
  p.design_flow_kg_per_s = 0.02;
  return p;
}

State runge_kutta(const ImmersionTank::Params& p, UnitNow<2, 1> now, double duration_s, int steps) {
  const double h = duration_s / steps;
  const auto rate_at = [&](const State& from, double by, const State& along) {
    now.state = {from[0] + by * along[0], from[1] + by * along[1]};
    return ImmersionTank::rates(p, now).rate;
  };
  State y = now.state;
  for (int i = 0; i < steps; ++i) {
    const State k1 = rate_at(y, 0.0, y), k2 = rate_at(y, 0.5 * h, k1), k3 = rate_at(y, 0.5 * h, k2);
    const State k4 = rate_at(y, h, k3);
    for (std::size_t s = 0; s < 2; ++s) y[s] += h / 6.0 * (k1[s] + 2.0 * k2[s] + 2.0 * k3[s] + k4[s]);
  }
  return y;
}

}  // namespace

TEST_CASE("a steady bath carries the power by the coil and the die stands above it by free convection",
          "[immersion_tank]") {
  const ImmersionTank::Params p = tank();
  const double g = 0.02 * 3958.0 * (1.0 - std::exp(-60.0 / (0.02 * 3958.0)));
  const double fluid_k = 303.15 + 700.0 / g;
  const double die_k = fluid_k + 25.0 * std::pow(700.0 / (28.0 * 25.0), 1.0 / 1.25);
  const UnitNow<2, 1> now{{300.0, 300.0}, {{{303.15, 0.02, 3958.0}}}, 700.0};
  const State end = runge_kutta(p, now, 8000.0, 16000);
  CHECK(end[0] == Approx(die_k).margin(1e-6));
  CHECK(end[1] == Approx(fluid_k).margin(1e-6));
  CHECK(die_k - fluid_k == Approx(25.0));  // the design difference is met at 28 W/K times 25 K
  tests::report_verification(
      {"immersion tank, 700 W, steady", "closed form", "die temperature", end[0], die_k, 1e-6, "K"});
}

TEST_CASE("a hot die cools in a held bath along the power law of free convection", "[immersion_tank]") {
  ImmersionTank::Params p = tank();
  p.fluid_heat_capacity_j_per_k = 1e15;
  for (double exponent : {0.25, 0.33, 1.0}) {
    p.convection_exponent_ratio = exponent;
    const double k = 28.0 / (500.0 * std::pow(25.0, exponent));
    for (double t : {2.0, 20.0, 200.0}) {
      const double exact_k = std::pow(std::pow(40.0, -exponent) + exponent * k * t, -1.0 / exponent);
      const State end = runge_kutta(p, {{360.0, 320.0}, {{{303.15, 0.0, 3958.0}}}, 0.0}, t, 4000);
      CHECK(end[0] - 320.0 == Approx(exact_k).epsilon(1e-8));
    }
  }
}

TEST_CASE("a stirred tank cools down in its two modes", "[immersion_tank]") {
  ImmersionTank::Params p = tank();
  p.convection_exponent_ratio = 0.0;
  const double g = 0.01 * 3958.0 * (1.0 - std::exp(-60.0 * std::pow(0.5, 0.8) / (0.01 * 3958.0)));
  const double a = 28.0 / 500.0, b = 28.0 / 12000.0, c = g / 12000.0;
  const double half = 0.5 * (a + b + c), root = std::sqrt(half * half - a * c);
  const std::array r{half - root, half + root};
  // die 30 K and bath 10 K above the inlet: die = sum of w_i exp(-r_i t), bath = sum of (1 - r_i / a) w_i
  // exp(-r_i t)
  const double second = (10.0 - 30.0 * (1.0 - r[0] / a)) / ((r[0] - r[1]) / a);
  const std::array w{30.0 - second, second};
  for (double t : {5.0, 60.0, 900.0}) {
    const State end = runge_kutta(p, {{333.15, 313.15}, {{{303.15, 0.01, 3958.0}}}, 0.0}, t, 4000);
    CHECK(end[0] - 303.15 == Approx(w[0] * std::exp(-r[0] * t) + w[1] * std::exp(-r[1] * t)).margin(1e-7));
    CHECK(end[1] - 303.15 ==
          Approx((1.0 - r[0] / a) * w[0] * std::exp(-r[0] * t) + (1.0 - r[1] / a) * w[1] * std::exp(-r[1] * t))
              .margin(1e-7));
  }
}

TEST_CASE("without coolant a tank heats up by its power over all of its capacity", "[immersion_tank]") {
  const ImmersionTank::Params p = tank();
  const State early = runge_kutta(p, {{325.0, 300.0}, {{{303.15, 0.0, 3958.0}}}, 700.0}, 200.0, 2000);
  const State late = runge_kutta(p, {early, {{{303.15, 0.0, 3958.0}}}, 700.0}, 300.0, 3000);
  CHECK(late[1] - early[1] == Approx(300.0 * 700.0 / 12500.0).epsilon(1e-4));  // 3.4 K a minute, not 107
}

TEST_CASE("an immersion tank stores what it draws and does not give away, and warmth never cools it",
          "[immersion_tank][conservation]") {
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    std::mt19937_64 random(seed);
    const auto between = [&](double low, double high) {
      return std::uniform_real_distribution<double>(low, high)(random);
    };
    ImmersionTank::Params p = tank();
    p.convection_exponent_ratio = between(0.0, 1.0);
    p.leakage_w_per_k = between(0.0, 4.0);
    const UnitNow<2, 1> now{{between(290.0, 390.0), between(290.0, 350.0)},
                            {{{between(285.0, 330.0), between(-0.001, 0.05), 3958.0}}},
                            between(0.0, 1200.0)};
    const UnitRates<2, 1> here = ImmersionTank::rates(p, now);
    const double stored_w = 500.0 * here.rate[0] + 12000.0 * here.rate[1];
    CHECK(stored_w == Approx(here.power_w - here.heat_w[0]).margin(1e-9));
    CHECK(ImmersionTank::stored_energy_j(p, {1.0, 0.0}) == 500.0);
    CHECK(ImmersionTank::stored_energy_j(p, {0.0, 1.0}) == 12000.0);
    for (int what = 0; what < 3; ++what) {
      UnitNow<2, 1> warmer = now;
      (what == 0 ? warmer.port[0].temperature_k : warmer.state[what == 1 ? 0 : 1]) += 3.0;
      const UnitRates<2, 1> there = ImmersionTank::rates(p, warmer);
      if (what != 1) CHECK(there.rate[0] >= here.rate[0]);
      if (what != 2) CHECK(there.rate[1] >= here.rate[1]);
    }
  }
}
