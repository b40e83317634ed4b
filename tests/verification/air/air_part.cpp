// A part of a node in the air alone: a single exponential towards its rest.
//
//   T(t) = T_rest + (T_0 - T_rest) exp(-g t / C),  T_rest = T_in + P / g,  g = m c (1 - exp(-UA / m c))
//
// Source: [incropera2011] ch. 5.1 (lumped capacitance with heat generation). Integrated with Runge-Kutta 4.
#include "physics/units/air_part.hpp"

#include <cmath>

#include "tests/support/by_hand/unit_params.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/verification.hpp"

using namespace wattloop;
using physics::AirPart;

TEST_CASE("power supplies and fans in air follow their exponential", "[air_part]") {
  const AirPart::Params p = tests::params_of(AirPart{});
  UnitNow<1, 1> now{{299.0}, {{{297.15, 0.026, 1006.0}}}, 700.0};
  const double mc = 0.026 * 1006.0;
  const double film = std::sqrt(0.026 / 0.043);
  const double g = mc * (1.0 - std::exp(-55.0 * film / mc));
  const double rest_k = 297.15 + 700.0 / g;
  const double duration_s = 120.0, h = 0.05;
  for (int i = 0; i < static_cast<int>(duration_s / h + 0.5); ++i) {
    const double start = now.state[0];
    double sum = 0.0;
    constexpr std::array weights{1.0 / 6.0, 2.0 / 6.0, 2.0 / 6.0, 1.0 / 6.0}, reach{0.5, 0.5, 1.0, 0.0};
    for (std::size_t stage = 0; stage < 4; ++stage) {
      const double rate = AirPart::rates(p, now).rate[0];
      sum += weights[stage] * rate;
      now.state[0] = start + h * reach[stage] * rate;
    }
    now.state[0] = start + h * sum;
  }
  const double theirs_k = rest_k + (299.0 - rest_k) * std::exp(-g * duration_s / 2400.0);
  CHECK(std::abs(now.state[0] - theirs_k) < 1e-8);
  tests::report_verification({"supplies and fans of a node, 0.7 kW, after 120 s", "closed form", "temperature",
                              now.state[0], theirs_k, 1e-8, "K"});
}

TEST_CASE("with its air at a stand a part in air heats up by its power", "[air_part]") {
  const UnitRates<1, 1> rates =
      AirPart::rates(tests::params_of(AirPart{}), {{320.0}, {{{297.15, 0.0, 1006.0}}}, 600.0});
  CHECK(rates.heat_w[0] == 0.0);
  CHECK(rates.rate[0] == Approx(600.0 / 2400.0));
}
