// Protection rows of `check` in small diagrams, by hand:
//
//   two standard inverse curves of one pickup   margin = (m_up - m_down) 0.14 s / (M^0.02 - 1), least at the largest current where m_up > m_down
//   feeder of S''_k with c at its source        I_k,max = S''_k / (sqrt(3) U), smallest with c_min / c_max of it
//   cable behind it, hot                        Z = c U^2 / S''_k + 1.92 R + jX,  1.92 = 1 + 0.004 (523.15 - 293.15)
//   generator alone                             I = c U / (sqrt(3) K_G x'' U^2 / S_r), for the smallest without K_G
//   inverter of a UPS                           its multiple of rated current
#include "twin/ratings/power/selectivity.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <string>
#include <vector>

#include "electrical/one_line.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/verification.hpp"
#include "twin/ratings/power/fault_network.hpp"

using namespace wattloop;
using namespace wattloop::electrical;
using namespace wattloop::twin;

namespace {

constexpr double nominal_v = 400.0, feed_va = 20e6;
const double root_3 = std::numbers::sqrt3;

Breaker::Params breaker(double rated_w, double multiplier, double pickup_ratio = 1.1) {
  return {.rated_a = rated_w / (root_3 * nominal_v),
          .voltage_v = nominal_v,
          .overload_limit_ratio = pickup_ratio,
          .time_multiplier_ratio = multiplier};
}

/// Source - main - bus - outgoing - load.
OneLineDiagram two_breakers(const Breaker::Params& main, const Breaker::Params& outgoing) {
  OneLineDiagram diagram;
  diagram.buses = {{"feed", nominal_v}, {"main_bus", nominal_v}, {"load_bus", nominal_v}};
  diagram.sources = {{.name = "utility", .bus = "feed", .equipment = UtilityFeed::Params{.short_circuit_va = feed_va}}};
  diagram.branches = {{.name = "main", .from = "feed", .to = "main_bus", .equipment = main},
                      {.name = "outgoing", .from = "main_bus", .to = "load_bus", .equipment = outgoing}};
  diagram.loads = {{"load", {"load_bus"}}};
  return diagram;
}

std::vector<CheckRow> rows_of(const OneLineDiagram& diagram, bool and_met = false) {
  return protection_rows(build_power_tree(diagram), and_met);
}

double value_of(const std::vector<CheckRow>& rows, const std::string& name) {
  const auto row = std::ranges::find(rows, name, &CheckRow::name);
  REQUIRE(row != rows.end());
  return row->value;
}

}  // namespace

TEST_CASE("breakers with graded settings are selective, and with settings swapped the pair is named",
          "[verification][selectivity]") {
  const Breaker::Params slow = breaker(500e3, 0.4), fast = breaker(500e3, 0.1);
  CHECK(rows_of(two_breakers(slow, fast)).empty());
  const std::vector<CheckRow> swapped = rows_of(two_breakers(fast, slow));
  REQUIRE(swapped.size() == 1);
  const std::string text = row_text(swapped.front());
  CHECK_THAT(text, Catch::Matchers::StartsWith("main: for currents of "));
  CHECK_THAT(text, Catch::Matchers::Contains(", delay in addition to the delay of outgoing "));
  CHECK_THAT(text, Catch::Matchers::Contains("main operates in "));
  CHECK_THAT(text, Catch::Matchers::Contains("outgoing operates in "));
  CHECK_FALSE(swapped.front().is_met());
}

TEST_CASE("the margin of two curves is that of their closed form at the largest current",
          "[verification][selectivity]") {
  const double pickup_a = 1.1 * 500e3 / (root_3 * nominal_v), largest_a = feed_va / (root_3 * nominal_v);
  const double spread = 0.14 / (std::pow(largest_a / pickup_a, 0.02) - 1.0);
  const double kept = 0.1 + 0.31 / spread, broken = 0.1 + 0.29 / spread;
  CHECK(rows_of(two_breakers(breaker(500e3, kept), breaker(500e3, 0.1))).empty());
  const std::vector<CheckRow> rows = rows_of(two_breakers(breaker(500e3, broken), breaker(500e3, 0.1)));
  REQUIRE(rows.size() == 1);
  CHECK(rows.front().value == Approx(0.29).epsilon(1e-9));
  tests::report_verification({"selectivity of two breakers", "iec_60255_151", "smallest margin", rows.front().value,
                              0.29, 1e-9, "s", "closed form"});
}

TEST_CASE("an instantaneous stage ends selectivity at its pickup, and one below gives it back", "[selectivity]") {
  Breaker::Params main = breaker(500e3, 0.4), outgoing = breaker(500e3, 0.1);
  main.instantaneous_ratio = 10.0;
  const double rated_a = 500e3 / (root_3 * nominal_v);
  const std::vector<CheckRow> rows = rows_of(two_breakers(main, outgoing));
  REQUIRE(rows.size() == 1);
  CHECK_THAT(rows.front().quantity, Catch::Matchers::Contains("for currents of 7217 A"));
  CHECK(10.0 * rated_a == Approx(7216.9).epsilon(1e-4));
  main.instantaneous_ratio = 0.0;
  main.short_time_ratio = 10.0;
  main.short_time_s = 0.5;
  outgoing.instantaneous_ratio = 8.0;
  CHECK(rows_of(two_breakers(main, outgoing)).empty());
}

TEST_CASE("a breaker must see the smallest short circuit at the end of the hot cable behind it",
          "[verification][selectivity]") {
  OneLineDiagram diagram = two_breakers(breaker(500e3, 0.4), breaker(500e3, 0.1));
  diagram.buses.push_back({"far", nominal_v});
  const Cable::Params cable{.rated_a = 300.0,
                            .voltage_v = nominal_v,
                            .resistance_ohm_per_m = 0.2e-3,
                            .reactance_ohm_per_m = 0.08e-3,
                            .length_m = 400.0};
  diagram.branches.push_back({.name = "cable", .from = "load_bus", .to = "far", .equipment = cable});
  diagram.loads = {{"load", {"far"}}};
  constexpr double largest_c = 1.1, smallest_c = 0.9;  // of low voltage with 10 %
  const double feed_ohm = largest_c * nominal_v * nominal_v / feed_va, reactance = feed_ohm / std::sqrt(1.01);
  const std::complex<double> impedance(0.1 * reactance + 1.92 * 0.08, reactance + 0.032);
  const double expected_a = smallest_c * nominal_v / (root_3 * std::abs(impedance));
  const std::vector<CheckRow> rows = rows_of(diagram, true);
  CHECK(value_of(rows, "outgoing") == Approx(expected_a).epsilon(1e-9));
  CHECK(value_of(rows, "main") == Approx(smallest_c / largest_c * feed_va / (root_3 * nominal_v)).epsilon(1e-9));
  SECTION("it is a row of the table") {
    tests::report_verification({"smallest short circuit behind a hot cable", "iec_60909_0", "current",
                                value_of(rows, "outgoing"), expected_a, 1e-6, "A", "closed form"});
  }
  SECTION("a breaker whose pickup is above its level is named, and one below is not") {
    const double level_w = root_3 * nominal_v * expected_a;
    const auto names_outgoing = [&](double pickup_w) {
      diagram.branches[1].equipment = breaker(pickup_w, 0.1, 1.0);
      const std::vector<CheckRow> unmet = rows_of(diagram);
      return std::ranges::any_of(unmet,
                                 [](const CheckRow& row) { return row.name == "outgoing" && row.of == "protection"; });
    };
    CHECK(names_outgoing(1.001 * level_w));
    CHECK_FALSE(names_outgoing(0.999 * level_w));
  }
  SECTION(
      "the breaker before a cable that is too long for it is named, with the bus at its end; the cable itself is no "
      "device") {
    auto& longer = std::get<Cable::Params>(diagram.branches[2].equipment);
    longer.length_m = 4000.0;
    const std::vector<CheckRow> unmet = rows_of(diagram);
    const auto row = std::ranges::find(unmet, "outgoing", &CheckRow::name);
    REQUIRE(row != unmet.end());
    CHECK_FALSE(row->is_met());
    CHECK(row->quantity == "smallest fault level at far");
    CHECK(std::ranges::find(unmet, "cable", &CheckRow::name) == unmet.end());
    longer.length_m = 10.0;
    CHECK(rows_of(diagram).empty());
  }
}

TEST_CASE("generators alone deliver what their subtransient reactance lets through", "[verification][selectivity]") {
  OneLineDiagram diagram = two_breakers(breaker(2e6, 0.4), breaker(500e3, 0.1));
  const Generator::Params set{.rated_w = 800e3};
  diagram.sources.push_back({.name = "genset", .bus = "main_bus", .equipment = set, .normally_live = false});
  const PowerTree tree = build_power_tree(diagram);
  const auto at = [&](const std::vector<double>& currents_a, const std::string& bus) {
    return currents_a[static_cast<std::size_t>(std::ranges::find(tree.bus_name, bus) - tree.bus_name.begin())];
  };
  const double reactance = 0.12 * nominal_v * nominal_v / 1e6;  // 800 kW at 0.8
  const double factor = 1.1 / (1.0 + 0.12 * 0.6);               // K_G = c_max / (1 + x'' sin phi)
  const double largest_a = 1.1 * nominal_v / (root_3 * factor * reactance);
  const auto largest = short_circuit_currents_a(tree, FaultFrom::generators, FaultSize::largest);
  const auto smallest = short_circuit_currents_a(tree, FaultFrom::generators, FaultSize::smallest);
  CHECK(at(largest, "load_bus") == Approx(largest_a).epsilon(1e-9));
  CHECK(at(smallest, "load_bus") ==
        Approx(3.0 * 1e6 / (root_3 * nominal_v)).epsilon(1e-9));  // sustained: 3 rated currents
  CHECK(at(largest, "feed") == 0.0);                              // its main is open then
  tests::report_verification({"generator alone", "iec_60909_0", "largest short circuit", at(largest, "load_bus"),
                              largest_a, 1e-6, "A", "closed form"});
}

TEST_CASE("behind a UPS the smallest short circuit is what its inverter delivers", "[selectivity]") {
  OneLineDiagram diagram = two_breakers(breaker(500e3, 0.4), breaker(100e3, 0.1));
  diagram.branches[1] = {.name = "ups",
                         .from = "main_bus",
                         .to = "load_bus",
                         .equipment = Ups::Params{.rated_w = 100e3,
                                                  .constant_loss_fraction = 0.0,
                                                  .linear_loss_fraction = 0.0,
                                                  .quadratic_loss_fraction = 0.0,
                                                  .short_circuit_ratio = 2.5},
                         .modules = 2};
  diagram.buses.push_back({"far", nominal_v});
  diagram.branches.push_back({.name = "outgoing", .from = "load_bus", .to = "far", .equipment = breaker(100e3, 0.1)});
  diagram.loads = {{"load", {"far"}}};
  CHECK(value_of(rows_of(diagram, true), "outgoing") == Approx(2.5 * 200e3 / (root_3 * nominal_v)).epsilon(1e-12));
  diagram.branches.back().equipment = breaker(500e3, 0.1);
  const std::vector<CheckRow> rows = rows_of(diagram);
  REQUIRE(rows.size() == 1);
  CHECK(rows.front().name == "outgoing");
}
