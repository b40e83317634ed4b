// Power of a fan with motor and drive, against the curves of Fan:ComponentModel computed by hand: eta_m = 1.137209 x / (0.0502359 + x)
// - 0.0891503 x of its load x = f^3, eta_d = 0.987405 f / (0.0155361 + f) - 0.0059365 f of its speed. Source: [energyplus_fan_component].
#include "physics/air/fan_drive.hpp"

#include <cmath>

#include "tests/support/catch.hpp"

using namespace wattloop;
using namespace wattloop::physics;

TEST_CASE("motor and drive of a fan lose at part speed what their curves say", "[fan_drive]") {
  struct Point {
    double speed, power_ratio;
  };
  for (const auto& [speed, power_ratio] :
       {Point{1.0, 1.0}, Point{0.8, 0.51526015}, Point{0.6, 0.23943235}, Point{0.39, 0.09850232}}) {
    CHECK(fan_power_ratio(speed) == Approx(power_ratio).epsilon(1e-6));
  }
}

TEST_CASE("a fan below its least speed runs at that and stops in turn", "[fan_drive]") {
  const double least = fan_power_ratio(least_fan_speed_fraction);
  CHECK(least == Approx(0.06022777).epsilon(1e-6));
  CHECK(fan_power_ratio(0.1) == Approx(0.4 * least).epsilon(1e-12));
  CHECK(fan_power_ratio(0.0) == 0.0);
  CHECK(fan_power_ratio(-1e-6) == 0.0);
}

TEST_CASE("a fan draws more than the cube of its speed, and less in thin air", "[fan_drive]") {
  for (double speed = 0.05; speed < 1.0; speed += 0.05) {
    CHECK(fan_power_ratio(speed) > 0.995 * std::pow(speed, 3.0));  // a motor is best a little below full load
    CHECK(fan_power_ratio(speed, 0.823) < fan_power_ratio(speed));
    CHECK(fan_power_ratio(speed) > fan_power_ratio(speed - 0.05));
  }
  CHECK(fan_power_ratio(1.0, 0.823) == Approx(0.823).epsilon(0.02));  // nearly in proportion at full speed
}
