// GPU protection at its three temperatures and just beside them. Limits: an H100 reports 54 K of headroom at
// 33 degC (87 degC), slowdown 2 K and shutdown 8 K beyond it (89 and 95 degC) [nvidia_smi_h100]. Clock: 1
// below 87, linear to 0.75 at 89, then 0.5, then 0; watts = idle + (asked - idle) clock^2, computed by hand.
#include "workload/nodes/protection.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/verification.hpp"

using namespace wattloop::workload;

namespace {
constexpr double kelvin(double degc) { return degc + 273.15; }
double clock_at(double degc) { return clock_fraction(ProtectionParams{}, kelvin(degc)); }
constexpr double beside = 1e-6;  // K
}  // namespace

TEST_CASE("nothing is capped below 87 degC", "[protection]") {
  for (const double degc : {-10.0, 25.0, 60.0, 86.0, 87.0 - beside}) CHECK(clock_at(degc) == 1.0);
  CHECK(clock_at(87.0) == Approx(1.0).epsilon(1e-12));
}

TEST_CASE("the clock falls linearly from 87 to 89 degC", "[protection]") {
  CHECK(clock_at(87.0 + beside) == Approx(1.0 - 0.125 * beside).epsilon(1e-12));
  CHECK(clock_at(87.5) == Approx(0.9375).epsilon(1e-12));
  CHECK(clock_at(88.0) == Approx(0.875).epsilon(1e-12));
  CHECK(clock_at(89.0 - beside) == Approx(0.75 + 0.125 * beside).epsilon(1e-12));
}

TEST_CASE("the clock is halved from 89 degC and zero from 95 degC", "[protection]") {
  for (const double degc : {89.0, 89.0 + beside, 92.0, 95.0 - beside}) CHECK(clock_at(degc) == 0.5);
  for (const double degc : {95.0, 95.0 + beside, 110.0}) CHECK(clock_at(degc) == 0.0);
}

TEST_CASE("protection can be off", "[protection]") {
  ProtectionParams off;
  off.is_enabled = false;
  for (const double degc : {25.0, 88.0, 90.0, 120.0}) CHECK(clock_fraction(off, kelvin(degc)) == 1.0);
}

TEST_CASE("watts above idle fall with the square of the clock", "[protection]") {
  CHECK(throttled_w(72.0, 700.0, 1.0) == 700.0);
  CHECK(throttled_w(72.0, 700.0, 0.875) == Approx(552.8125).epsilon(1e-14));  // 72 + 628 * 0.765625
  wattloop::tests::report_verification({"GPU protection, 700 W at half clock", "closed form", "power left",
                                        throttled_w(72.0, 700.0, 0.5), 229.0, 1e-9, "W"});
  CHECK(throttled_w(72.0, 700.0, 0.5) == Approx(229.0).epsilon(1e-14));  // 72 + 157
  CHECK(throttled_w(72.0, 700.0, 0.0) == 0.0);
  CHECK(throttled_w(72.0, 50.0, 0.5) == 50.0);
  CHECK(throttled_w(72.0, 50.0, 0.0) == 0.0);
}
