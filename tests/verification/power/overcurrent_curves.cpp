// Inverse-time curves against printed tables, and grading against closed forms.
//
//   IEC:  t = m k / (M^a - 1),   IEEE:  t = m (A / (M^p - 1) + B)
//   two standard inverse curves of one pickup:  t_1 - t_2 = (m_1 - m_2) 0.14 / (M^0.02 - 1) < margin  above  M = (1 + 0.14 (m_1 - m_2) / margin)^50
#include <array>
#include <cmath>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "electrical/electrical_kinds.hpp"
#include "electrical/protection/grading.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/verification.hpp"

using namespace wattloop;
using namespace wattloop::electrical;

namespace {

struct Printed {
  double time_s;
  double half_digit_s;
};

struct PrintedCurve {
  const char* name;
  std::array<Printed, 5> at;  ///< 1.5, 2, 5, 10 and 20 times the pickup
};

constexpr std::array multiples{1.5, 2.0, 5.0, 10.0, 20.0};
constexpr double digit = 0.5e-3;

const OvercurrentCurve& curve_named(const char* name) {
  const OvercurrentCurve* curve = find_overcurrent_curve(name);
  REQUIRE(curve != nullptr);
  return *curve;
}

OvercurrentDevice standard(const char* name, double pickup_a, double time_multiplier) {
  return {.name = name,
          .curve = curve_named("iec_standard_inverse"),
          .pickup_a = pickup_a,
          .time_multiplier = time_multiplier};
}

}  // namespace

TEST_CASE("operating times are those of the printed tables", "[verification][overcurrent]") {
  const PrintedCurve printed =
      GENERATE(PrintedCurve{"iec_standard_inverse",
                            {{{17.194, digit}, {10.029, digit}, {4.280, digit}, {2.971, digit}, {2.267, digit}}}},
               PrintedCurve{"iec_very_inverse",
                            {{{27.0, digit}, {13.5, digit}, {3.375, digit}, {1.5, digit}, {0.7105, 0.5e-4}}}},
               PrintedCurve{"iec_extremely_inverse",
                            {{{64.0, digit}, {26.667, digit}, {3.333, digit}, {0.8081, 0.5e-4}, {0.2005, 0.5e-4}}}},
               PrintedCurve{"iec_long_inverse",
                            {{{240.0, digit}, {120.0, digit}, {30.0, digit}, {13.333, digit}, {6.316, digit}}}},
               PrintedCurve{"ieee_moderately_inverse",
                            {{{6.439, digit}, {3.803, digit}, {1.688, digit}, {1.207, digit}, {0.948, digit}}}},
               PrintedCurve{"ieee_very_inverse",
                            {{{16.179, digit}, {7.028, digit}, {1.308, digit}, {0.689, digit}, {0.540, digit}}}},
               PrintedCurve{"ieee_extremely_inverse",
                            {{{22.682, digit}, {9.522, digit}, {1.297, digit}, {0.4065, 0.5e-4}, {0.1924, 0.5e-4}}}});
  const OvercurrentCurve& curve = curve_named(printed.name);
  for (std::size_t i = 0; i < multiples.size(); ++i) {
    const double time_s = operating_time_s(curve, 1.0, multiples[i]);
    INFO(printed.name << " at " << multiples[i]);
    CHECK(std::abs(time_s - printed.at[i].time_s) <= 1.001 * printed.at[i].half_digit_s);
    CHECK(operating_time_s(curve, 0.3, multiples[i]) == Approx(0.3 * time_s));
  }
  tests::report_verification({fmt::format("curve {}, twice the pickup", printed.name),
                              std::string(printed.name).starts_with("iec") ? "iec_60255_151" : "ieee_c37_112",
                              "operating time", operating_time_s(curve, 1.0, 2.0), printed.at[1].time_s,
                              printed.at[1].half_digit_s, "s", "closed form"});
}

// Table 3 of IEC 60269-1: currents at which a gG fuse-link melts in no less than 10 s, within 5 s, in no less than 0.1 s, within 0.1 s.
struct Gates {
  double rated_a, slow_10_s_a, within_5_s_a, slow_01_s_a, within_01_s_a;
};
constexpr std::array gates_of_fuses{Gates{16, 33, 65, 85, 150},
                                    Gates{20, 42, 85, 110, 200},
                                    Gates{25, 52, 110, 150, 260},
                                    Gates{32, 75, 150, 200, 350},
                                    Gates{40, 95, 190, 260, 450},
                                    Gates{50, 125, 250, 350, 610},
                                    Gates{63, 160, 320, 450, 820},
                                    Gates{80, 215, 425, 610, 1100},
                                    Gates{100, 290, 580, 820, 1450},
                                    Gates{125, 355, 715, 1100, 1910},
                                    Gates{160, 460, 950, 1450, 2590},
                                    Gates{200, 610, 1250, 1910, 3420},
                                    Gates{250, 750, 1650, 2590, 4500},
                                    Gates{315, 1050, 2200, 3420, 6000},
                                    Gates{400, 1420, 2840, 4500, 8060},
                                    Gates{500, 1780, 3800, 6000, 10600},
                                    Gates{630, 2200, 5100, 8060, 14140},
                                    Gates{800, 3060, 7000, 10600, 19000},
                                    Gates{1000, 4000, 9500, 14140, 24000},
                                    Gates{1250, 5000, 13000, 19000, 35000}};

TEST_CASE("fuses of all rated currents melt within the gates of IEC 60269-1", "[verification][overcurrent][fuse]") {
  for (const Gates& gates : gates_of_fuses) {
    const Fuse::Params fuse{.rated_a = gates.rated_a, .voltage_v = 400.0};
    const Endurance endurance = Fuse::endurance(fuse);
    const auto melts_in_s = [&](double current_a) { return trip_time_s(endurance, current_a / gates.rated_a); };
    INFO(gates.rated_a << " A");
    CHECK(melts_in_s(gates.slow_10_s_a) > 1.5 * 10.0);
    CHECK(melts_in_s(gates.within_5_s_a) < 5.0 / 1.5);
    CHECK(melts_in_s(gates.slow_01_s_a) > 1.5 * 0.1);
    CHECK(melts_in_s(gates.within_01_s_a) < 0.1 / 1.5);
    CHECK(melts_in_s(1.25 * gates.rated_a) == for_ever_s);  // conventional non-fusing current
    CHECK(melts_in_s(1.6 * gates.rated_a) < 3600.0);        // conventional fusing current
  }
}

TEST_CASE("a breaker trips by the curve that it names", "[verification][overcurrent][overload]") {
  for (const OvercurrentCurve& curve : overcurrent_curves) {
    const Breaker::Params breaker{
        .rated_a = 1e3, .overload_limit_ratio = 1.05, .curve = curve.name, .time_multiplier_ratio = 0.5};
    INFO(curve.name);
    for (const double multiple : {1.5, 2.0, 5.0, 10.0, 20.0})
      CHECK(trip_time_s(Breaker::endurance(breaker), 1.05 * multiple) ==
            Approx(std::max(breaker_opens_s, operating_time_s(curve, 0.5, multiple))).epsilon(1e-12));
  }
}

TEST_CASE("constants of curves are those of the reference data", "[verification][overcurrent]") {
  std::ifstream file(tests::reference_data() + "/equipment/protection_curves.csv");
  std::string line, cell;
  std::getline(file, line);
  std::size_t number = 0;
  constexpr std::array in_order{"iec_standard_inverse",  "iec_very_inverse",        "iec_extremely_inverse",
                                "iec_long_inverse",      "ieee_moderately_inverse", "ieee_very_inverse",
                                "ieee_extremely_inverse"};
  for (; std::getline(file, line); ++number) {
    std::istringstream cells(line);
    std::vector<std::string> row;
    while (std::getline(cells, cell, ',')) row.push_back(cell);
    const OvercurrentCurve& curve = curve_named(in_order.at(number));
    INFO(line);
    CHECK(curve.inverse.k_s == std::stod(row.at(2)));
    CHECK(curve.inverse.exponent == std::stod(row.at(3)));
    CHECK(curve.inverse.added_s == (row.at(4).empty() ? 0.0 : std::stod(row[4])));
  }
  CHECK(number == in_order.size());
}

TEST_CASE("two standard inverse curves come too near above the multiple of their closed form",
          "[verification][overcurrent]") {
  const OvercurrentDevice upstream = standard("main", 100.0, 0.3), downstream = standard("feeder", 100.0, 0.1);
  const double expected = std::pow(1.0 + 0.14 * 0.2 / 0.3, 50.0);
  const std::vector<GradingBreach> breaches = grading_breaches(upstream, downstream, {.largest_a = 20000.0});
  REQUIRE(breaches.size() == 1);
  CHECK(breaches[0].upstream == "main");
  CHECK(breaches[0].downstream == "feeder");
  CHECK(breaches[0].from_multiple == Approx(expected).epsilon(1e-8));
  CHECK(breaches[0].to_multiple == Approx(200.0));
  CHECK(breaches[0].smallest_margin_s == Approx(0.2 * 0.14 / (std::pow(200.0, 0.02) - 1.0)));
  CHECK(breaches[0].worst_a == 20000.0);
  CHECK(grading_breaches(upstream, downstream, {.largest_a = 100.0 * expected * 0.9999}).empty());
  CHECK(grading_breaches(upstream, downstream, {.largest_a = 100.0 * expected * 1.009}).empty());
  CHECK(grading_breaches(upstream, downstream, {.largest_a = 100.0 * expected * 1.02}).size() == 1);
}

TEST_CASE("no device is faster than its breaker, and a margin is printed where it is smallest",
          "[verification][overcurrent]") {
  OvercurrentDevice upstream = standard("main", 400.0, 0.4), downstream = standard("feeder", 100.0, 0.1);
  downstream.curve = *find_overcurrent_curve("iec_extremely_inverse");
  downstream.fastest_s = 0.1;
  CHECK(operating_time_s(downstream, 200.0) == Approx(0.1 * 80.0 / 3.0));
  CHECK(operating_time_s(downstream, 5000.0) == 0.1);
  // Upstream short time from 450 A on: the downstream device is slowest there, at M = 4.5.
  upstream.short_time = {.pickup_a = 450.0, .time_s = 0.3};
  const std::vector<GradingBreach> breaches = grading_breaches(upstream, downstream, {.largest_a = 3000.0});
  REQUIRE(breaches.size() == 1);
  CHECK(breaches[0].worst_a == Approx(450.0).epsilon(0.011));
  CHECK(breaches[0].smallest_margin_s ==
        Approx(0.3 - operating_time_s(downstream, breaches[0].worst_a)).epsilon(1e-12));
}

TEST_CASE("with two settings swapped the margin is kept nowhere", "[verification][overcurrent]") {
  const OvercurrentDevice main = standard("main", 400.0, 0.4), feeder = standard("feeder", 100.0, 0.1);
  CHECK(grading_breaches(main, feeder, {.largest_a = 3000.0}).empty());
  OvercurrentDevice upstream = main, downstream = feeder;
  std::swap(upstream.pickup_a, downstream.pickup_a);
  std::swap(upstream.time_multiplier, downstream.time_multiplier);
  const std::vector<GradingBreach> breaches = grading_breaches(upstream, downstream, {.largest_a = 3000.0});
  REQUIRE(breaches.size() == 1);
  CHECK(breaches[0].from_multiple == Approx(1.01));  // within 1 % of the pickup no margin is asked for
  CHECK(breaches[0].to_multiple == Approx(7.5));
  CHECK(breaches[0].smallest_margin_s < 0.0);
}

TEST_CASE("an instantaneous stage upstream breaks the margin from its pickup on", "[verification][overcurrent]") {
  OvercurrentDevice upstream = standard("main", 400.0, 0.4);
  const OvercurrentDevice downstream = standard("feeder", 100.0, 0.1);
  upstream.instantaneous = {.pickup_a = 2000.0, .time_s = 0.05};
  const std::vector<GradingBreach> breaches = grading_breaches(upstream, downstream, {.largest_a = 3000.0});
  REQUIRE(breaches.size() == 1);
  CHECK(breaches[0].from_a == Approx(2000.0).epsilon(1e-9));
  CHECK(breaches[0].to_a == 3000.0);
  // Downstream is as fast: then both operate at once.
  OvercurrentDevice fast = downstream;
  fast.instantaneous = {.pickup_a = 1000.0, .time_s = 0.05};
  CHECK(grading_breaches(upstream, fast, {.largest_a = 3000.0})[0].smallest_margin_s == Approx(0.0).margin(1e-12));
  // A short-time stage in the middle of what both see is a range with two ends.
  OvercurrentDevice short_time = standard("main", 400.0, 0.4);
  short_time.short_time = {.pickup_a = 500.0, .time_s = 0.45};
  const std::vector<GradingBreach> middle = grading_breaches(short_time, fast, {.largest_a = 3000.0});
  REQUIRE(middle.size() == 1);
  CHECK(middle[0].from_a == Approx(500.0).epsilon(1e-9));
  CHECK(middle[0].to_a == Approx(1000.0).epsilon(1e-9));
}
