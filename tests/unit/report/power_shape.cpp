// Load duration and swings of power, of series whose answers are known: ramps, sines, white noise.
#include "twin/report/charts/power_shape.hpp"

#include <cmath>
#include <numbers>
#include <numeric>
#include <random>

#include "tests/support/catch.hpp"

using namespace wattloop::twin;

namespace {

std::vector<float> sine(std::size_t count, double mean, double amplitude, double frequency_hz, double interval_s) {
  std::vector<float> values(count);
  for (std::size_t k = 0; k < count; ++k) {
    const double phase = 2.0 * std::numbers::pi * frequency_hz * interval_s * static_cast<double>(k);
    values[k] = static_cast<float>(mean + amplitude * std::sin(phase));
  }
  return values;
}

double sum_of_squares(const PowerSwings& swings) {
  return std::inner_product(swings.rms_w.begin(), swings.rms_w.end(), swings.rms_w.begin(), 0.0);
}

}  // namespace

TEST_CASE("a ramp is above a value for a share of time that falls linearly, in whatever order it came",
          "[power_shape]") {
  std::vector<float> values(1000);
  for (std::size_t k = 0; k < values.size(); ++k) values[(k * 7) % 1000] = static_cast<float>(k) + 0.5F;
  values.push_back(NAN);
  const LoadDuration shape = load_duration(values);
  REQUIRE(shape.power_w.size() == 1000);
  for (std::size_t k = 0; k < shape.power_w.size(); ++k)
    CHECK(shape.power_w[k] == Approx(1000.0 * (1.0 - shape.time_share[k])).margin(1e-3));
}

TEST_CASE("a sine's whole variance, half its amplitude squared, is in the band of its frequency", "[power_shape]") {
  // 4096 samples a second: windows of 512; 0.125 Hz is the 64th of its frequencies, so that no power leaks beyond the bell's neighbours
  const PowerSwings swings = power_swings(sine(4096, 1e6, 2e4, 0.125, 1.0), 1.0);
  REQUIRE(swings.rms_w.size() > 12);
  CHECK(sum_of_squares(swings) == Approx(0.5 * 2e4 * 2e4).epsilon(1e-3));
  std::size_t band = 0;
  while (band + 1 < swings.frequency_hz.size() && swings.frequency_hz[band + 1] <= 0.125) ++band;
  CHECK(swings.rms_w[band] == Approx(2e4 / std::sqrt(2.0)).epsilon(1e-3));
}

TEST_CASE("white noise swings as the square root of a band's width, and in all as its variance", "[power_shape]") {
  std::mt19937_64 random(7);
  std::normal_distribution<float> noise(5e5F, 1e3F);
  std::vector<float> values(1U << 17U);
  for (float& value : values) value = noise(random);
  const double interval_s = 0.5;
  const PowerSwings swings = power_swings(values, interval_s);
  CHECK(sum_of_squares(swings) == Approx(1e6).epsilon(0.03));
  const double per_hz = 1e6 / (0.5 / interval_s);
  for (std::size_t k = 6; k + 1 < swings.rms_w.size(); ++k) {
    const double width_hz = swings.frequency_hz[k + 1] - swings.frequency_hz[k];
    INFO(swings.frequency_hz[k]);
    CHECK(swings.rms_w[k] * swings.rms_w[k] ==
          Approx(per_hz * width_hz).epsilon(0.25));  // of some ten means of 15 windows
  }
}

TEST_CASE(
    "bands rise by a third of an octave up to half the sampling rate, and nothing is reported of few or missing "
    "samples",
    "[power_shape]") {
  const PowerSwings swings = power_swings(sine(8192, 1.0, 1.0, 0.05, 2.0), 2.0);
  for (std::size_t k = 8; k + 1 < swings.frequency_hz.size(); ++k)
    CHECK(swings.frequency_hz[k + 1] / swings.frequency_hz[k] == Approx(std::cbrt(2.0)).epsilon(0.13));
  CHECK(swings.frequency_hz.back() < 0.25);
  CHECK(power_swings(sine(63, 1.0, 1.0, 0.05, 1.0), 1.0).rms_w.empty());
  std::vector<float> broken = sine(100, 1.0, 1.0, 0.05, 1.0);
  broken[50] = NAN;
  CHECK(power_swings(broken, 1.0).rms_w.empty());
}
