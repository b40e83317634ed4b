// The rest of a node: two parts that do not touch, each a single exponential towards its own rest.
//
//   T(t) = T_rest + (T_0 - T_rest) exp(-g t / C),  T_rest = T_in + share P / g,  g = m c (1 - exp(-UA / m c))
//
// Source: [incropera2011] ch. 5.1 (lumped capacitance with heat generation). Integrated with Runge-Kutta 4.
#include "physics/units/node_rest.hpp"

#include <array>
#include <cmath>

#include "tests/support/catch.hpp"
#include "tests/support/verification.hpp"

using namespace wattloop;
using physics::NodeRest;

namespace {

NodeRest::Params hgx_rest() {
  NodeRest::Params p;
  p.capture_fraction = 0.4;
  p.liquid_heat_capacity_j_per_k = 1800.0;
  p.liquid_conductance_w_per_k = 60.0;
  p.liquid_design_flow_kg_per_s = 0.02;
  p.air_heat_capacity_j_per_k = 9000.0;
  p.air_conductance_w_per_k = 110.0;
  p.air_design_flow_kg_per_s = 0.15;
  return p;
}

double single_mode_k(double start_k, double rest_k, double conductance_w_per_k, double capacity_j_per_k, double t) {
  return rest_k + (start_k - rest_k) * std::exp(-conductance_w_per_k * t / capacity_j_per_k);
}

}  // namespace

TEST_CASE("both parts of the rest of a node follow their exponentials", "[node_rest]") {
  const NodeRest::Params p = hgx_rest();
  UnitNow<2, 2> now{{310.0, 299.0}, {{{305.15, 0.012, 3958.0}, {297.15, 0.09, 1006.0}}}, 2600.0};
  const double liquid_mc = 0.012 * 3958.0, air_mc = 0.09 * 1006.0;
  const double liquid_g = liquid_mc * (1.0 - std::exp(-60.0 * std::pow(0.6, 0.6) / liquid_mc));
  const double air_g = air_mc * (1.0 - std::exp(-110.0 * std::pow(0.6, 0.5) / air_mc));
  const double duration_s = 120.0, h = 0.05;
  const double liquid_k = single_mode_k(310.0, 305.15 + 0.4 * 2600.0 / liquid_g, liquid_g, 1800.0, duration_s);
  const double air_k = single_mode_k(299.0, 297.15 + 0.6 * 2600.0 / air_g, air_g, 9000.0, duration_s);
  for (int i = 0; i < static_cast<int>(duration_s / h + 0.5); ++i) {
    const std::array<double, 2> start = now.state;
    std::array<double, 2> sum{};
    constexpr std::array weights{1.0 / 6.0, 2.0 / 6.0, 2.0 / 6.0, 1.0 / 6.0}, reach{0.5, 0.5, 1.0, 0.0};
    for (std::size_t stage = 0; stage < 4; ++stage) {
      const auto rate = NodeRest::rates(p, now).rate;
      for (std::size_t s = 0; s < 2; ++s) {
        sum[s] += weights[stage] * rate[s];
        now.state[s] = start[s] + h * reach[stage] * rate[s];
      }
    }
    for (std::size_t s = 0; s < 2; ++s) now.state[s] = start[s] + h * sum[s];
  }
  CHECK(std::abs(now.state[0] - liquid_k) < 1e-8);
  CHECK(std::abs(now.state[1] - air_k) < 1e-8);
  tests::report_verification(
      {"rest of a node, 2.6 kW, after 120 s", "closed form", "air part temperature", now.state[1], air_k, 1e-8, "K"});
}

TEST_CASE("in steady state the captured share goes to liquid and the remainder to air", "[node_rest]") {
  const NodeRest::Params p = hgx_rest();
  const std::array<PortNow, 2> port{{{305.15, 0.02, 3958.0}, {297.15, 0.15, 1006.0}}};
  const double liquid_mc = 0.02 * 3958.0, air_mc = 0.15 * 1006.0;
  const double liquid_k = 305.15 + 1040.0 / (liquid_mc * (1.0 - std::exp(-60.0 / liquid_mc)));
  const double air_k = 297.15 + 1560.0 / (air_mc * (1.0 - std::exp(-110.0 / air_mc)));
  const UnitRates<2, 2> rates = NodeRest::rates(p, {{liquid_k, air_k}, port, 2600.0});
  CHECK(rates.heat_w[0] == Approx(1040.0).epsilon(1e-12));
  CHECK(rates.heat_w[1] == Approx(1560.0).epsilon(1e-12));
  CHECK(std::abs(rates.rate[0]) < 1e-12);
  CHECK(std::abs(rates.rate[1]) < 1e-12);
}

TEST_CASE("with both streams at a stand the rest of a node heats up by its power", "[node_rest]") {
  const NodeRest::Params p = hgx_rest();
  const UnitRates<2, 2> rates =
      NodeRest::rates(p, {{320.0, 310.0}, {{{305.15, 0.0, 3958.0}, {297.15, 0.0, 1006.0}}}, 2600.0});
  CHECK(rates.heat_w[0] == 0.0);
  CHECK(rates.heat_w[1] == 0.0);
  CHECK(rates.rate[0] == Approx(1040.0 / 1800.0));
  CHECK(rates.rate[1] == Approx(1560.0 / 9000.0));
}
