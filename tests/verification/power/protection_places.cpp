// Protection of what opens the same, in small diagrams, by hand:
//
//   fuse - PDU - breaker       the fuse is compared with what is behind the PDU, and the faster of fuse and PDU with what is before both
//   two fuses of gG            1.6 times the rated current, whatever the curves say [iec_60269_1]
//   feed at low voltage        Z_0 = Z_1: I''_k1 = I''_k
//   isolation transformer      I = c U / (sqrt(3) |Z_feed + K_T Z_PDU|), Z_PDU from its short-circuit voltage; it ends currents to earth
//   a breaker at 400 V         the rated current that it has at 690 V
#include "twin/ratings/power/protection_devices.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <string>
#include <vector>

#include "electrical/equipment.hpp"
#include "electrical/one_line.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/verification.hpp"
#include "twin/ratings/power/fault_levels.hpp"
#include "twin/ratings/power/fault_network.hpp"
#include "twin/ratings/power/selectivity.hpp"

using namespace wattloop;
using namespace wattloop::electrical;
using namespace wattloop::twin;

namespace {

constexpr double nominal_v = 400.0, feed_va = 20e6;
const double root_3 = std::sqrt(3.0);

Breaker::Params breaker(double rated_a, double multiplier) {
  return {.rated_a = rated_a, .voltage_v = nominal_v, .time_multiplier_ratio = multiplier, .breaking_capacity_a = 50e3};
}
Fuse::Params fuse(double rated_a) { return {.rated_a = rated_a, .voltage_v = nominal_v}; }
Pdu::Params pdu(double rated_w) {
  return {.rated_w = rated_w, .constant_loss_fraction = 0.0, .quadratic_loss_fraction = 0.01};
}

/// Branches one behind the other, "first", "second", ..., from a feed at bus_0 to a load; a pair (breaker, of) says what it stands in series with.
OneLineDiagram in_series(const std::vector<Branch>& branches) {
  OneLineDiagram diagram;
  diagram.buses = {{"bus_0", nominal_v}};
  diagram.sources = {
      {.name = "utility", .bus = "bus_0", .equipment = UtilityFeed::Params{.short_circuit_va = feed_va}}};
  for (Branch branch : branches) {
    branch.from = diagram.buses.back().name;
    branch.to = "bus_" + std::to_string(diagram.buses.size());
    diagram.buses.push_back({branch.to, nominal_v});
    diagram.branches.push_back(branch);
  }
  diagram.loads = {{"load", {diagram.buses.back().name}}};
  return diagram;
}

Branch named(const std::string& name, const Equipment& equipment, const std::string& protects = {}) {
  Branch branch{.name = name, .from = {}, .to = {}, .equipment = equipment};
  branch.protects = protects;
  return branch;
}

std::vector<std::string> pairs(const OneLineDiagram& diagram) {
  std::vector<std::string> of;
  for (const CheckRow& row : protection_rows(build_power_tree(diagram), false)) {
    if (!row.of.starts_with("selectivity of ")) continue;
    of.push_back(row.of.substr(15));
    of.insert(of.end(), row.alike.begin(), row.alike.end());
  }
  return of;
}

bool has(const std::vector<std::string>& of, const std::string& pair) { return std::ranges::count(of, pair) > 0; }

double at(const PowerTree& tree, const std::vector<double>& currents_a, const std::string& bus) {
  return currents_a[static_cast<std::size_t>(std::ranges::find(tree.bus_name, bus) - tree.bus_name.begin())];
}

}  // namespace

TEST_CASE("a fuse before a PDU is compared with the breaker behind it, and its PDU with none before the fuse",
          "[verification][selectivity]") {
  const auto chain = [](double outgoing_multiplier, double main_multiplier) {
    return pairs(in_series({named("main", breaker(2000.0, main_multiplier)), named("fuse", fuse(630.0), "pdu"),
                            named("pdu", pdu(400e3)), named("outgoing", breaker(250.0, outgoing_multiplier))}));
  };
  // At 28.9 kA the fuse melts in 4 ms, a breaker needs 0.1 s.
  CHECK(has(chain(0.1, 10.0), "fuse and outgoing"));
  CHECK_FALSE(has(chain(0.1, 10.0), "fuse and pdu"));
  // The PDU alone takes longer than the main at large currents; the fuse is there first.
  CHECK_FALSE(has(chain(0.1, 10.0), "main and pdu"));
  CHECK_FALSE(has(chain(0.1, 10.0), "main and fuse"));
  CHECK(has(chain(0.1, 0.001), "main and fuse"));
  // A breaker that is slower than the main, and a PDU that is faster: the PDU decides.
  CHECK_FALSE(has(pairs(in_series({named("main", breaker(2000.0, 10.0)), named("slow", breaker(630.0, 20.0), "pdu"),
                                   named("pdu", pdu(400e3))})),
                  "main and slow"));
}

TEST_CASE("a breaker behind a transformer is compared with the breaker before the transformer", "[selectivity]") {
  const Transformer::Params unit{.rated_va = 1e6,
                                 .no_load_loss_w = 0.0,
                                 .load_loss_w = 10e3,
                                 .high_voltage_v = nominal_v,
                                 .low_voltage_v = nominal_v,
                                 .time_multiplier_ratio = 0.01};
  const auto chain = [&](double before) {
    return pairs(
        in_series({named("before", breaker(1600.0, before)), named("transformer", unit),
                   named("main", breaker(1600.0, 0.4), "transformer"), named("outgoing", breaker(250.0, 0.05))}));
  };
  CHECK(has(chain(0.1), "before and main"));
  CHECK_FALSE(has(chain(0.1), "transformer and main"));
  CHECK_FALSE(has(chain(0.9), "before and main"));
}

TEST_CASE("two fuses are selective from 1.6 times the rated current", "[verification][selectivity]") {
  const auto with = [](double first_a) {
    return protection_rows(build_power_tree(in_series({named("first", fuse(first_a)), named("second", fuse(250.0))})),
                           false);
  };
  CHECK(with(400.0).empty());
  const std::vector<CheckRow> rows = with(315.0);
  REQUIRE(rows.size() == 1);
  CHECK(rows.front().value == Approx(315.0 / 250.0).epsilon(1e-12));
  CHECK(rows.front().limit == 1.6);
  tests::report_verification({"two fuses in series", "iec_60269_1", "ratio of rated currents", rows.front().value,
                              315.0 / 250.0, 1e-9, "1", "closed form"});
}

TEST_CASE("alike pairs are one row with the names of the others", "[selectivity]") {
  OneLineDiagram diagram = in_series({named("main", breaker(1000.0, 0.1)), named("outgoing", breaker(250.0, 0.1))});
  diagram.buses.push_back({"other", nominal_v});
  diagram.branches.push_back({.name = "twin", .from = "bus_1", .to = "other", .equipment = breaker(250.0, 0.1)});
  diagram.loads.push_back({"other_load", {"other"}});
  const std::vector<CheckRow> rows = protection_rows(build_power_tree(diagram), false);
  REQUIRE(rows.size() == 1);
  CHECK(rows.front().of == "selectivity of main and outgoing");
  CHECK(rows.front().alike == std::vector<std::string>{"main and twin"});
  CHECK_THAT(row_text(rows.front()), Catch::Matchers::StartsWith("main (and 1 alike): for currents of "));
}

TEST_CASE("an isolation transformer limits the fault level behind a PDU, and ends currents to earth",
          "[verification][fault]") {
  Pdu::Params isolating = pdu(400e3);
  isolating.short_circuit_voltage_fraction = 0.04;
  const PowerTree tree = build_power_tree(in_series({named("pdu", isolating), named("outgoing", breaker(250.0, 0.1))}));
  const double reactance = std::sqrt(0.04 * 0.04 - 0.01 * 0.01), base_ohm = nominal_v * nominal_v / 400e3;
  const double feed_ohm = 1.1 * nominal_v * nominal_v / feed_va, feed_x = feed_ohm / std::sqrt(1.01);
  const std::complex<double> feed(0.1 * feed_x, feed_x);
  const std::complex<double> unit = 0.95 * 1.1 / (1.0 + 0.6 * reactance) * base_ohm * std::complex(0.01, reactance);
  const double expected_a = 1.1 * nominal_v / (root_3 * std::abs(feed + unit));
  const BusCurrents largest = currents_of_buses(tree, FaultSize::largest);
  CHECK(at(tree, largest.three_phase_a, "bus_2") == Approx(expected_a).epsilon(1e-9));
  tests::report_verification({"PDU with an isolation transformer of 4 %", "iec_60909_0", "short-circuit current",
                              at(tree, largest.three_phase_a, "bus_2"), expected_a, 1e-6, "A", "closed form"});
  // Behind its earthed star point Z_0 = R + 0.95 jX of it alone.
  const std::complex<double> zero(unit.real(), 0.95 * unit.imag());
  CHECK(at(tree, largest.earth_a, "bus_2") ==
        Approx(root_3 * 1.1 * nominal_v / std::abs(2.0 * (feed + unit) + zero)).epsilon(1e-9));
  CHECK(at(tree, largest.earth_a, "bus_0") == Approx(feed_va / (root_3 * nominal_v)).epsilon(1e-9));
}

TEST_CASE("what generators alone deliver is compared with what a breaker interrupts", "[fault]") {
  OneLineDiagram diagram = in_series({named("main", breaker(4000.0, 0.1))});
  diagram.sources = {
      {.name = "genset", .bus = "bus_0", .equipment = Generator::Params{.rated_w = 6e6}, .normally_live = true}};
  const std::vector<CheckRow> rows = fault_level_rows(build_power_tree(diagram));
  REQUIRE(rows.size() == 1);
  const double expected_a = (1.0 + 0.12 * 0.6) * 7.5e6 / (root_3 * nominal_v * 0.12);
  CHECK(rows.front().value == Approx(expected_a).epsilon(1e-9));
  CHECK_FALSE(rows.front().is_met());
}

TEST_CASE("an open tie interrupts the larger fault level of its buses", "[fault]") {
  OneLineDiagram diagram = in_series({named("main", breaker(4000.0, 0.1))});
  diagram.buses.push_back({"other", nominal_v});
  diagram.sources.push_back(
      {.name = "strong", .bus = "other", .equipment = UtilityFeed::Params{.short_circuit_va = 2.0 * feed_va}});
  diagram.branches.push_back({.name = "tie",
                              .from = "other",
                              .to = "bus_1",
                              .equipment = breaker(4000.0, 0.1),
                              .normally_closed = false,
                              .goes_both_ways = true});
  diagram.branches.push_back({.name = "outgoing", .from = "other", .to = "end", .equipment = breaker(400.0, 0.1)});
  diagram.buses.push_back({"end", nominal_v});
  diagram.loads.push_back({"other_load", {"end"}});
  const std::vector<CheckRow> rows = fault_level_rows(build_power_tree(diagram));
  const auto tie = std::ranges::find(rows, "tie", &CheckRow::name);
  REQUIRE(tie != rows.end());
  CHECK(tie->value == Approx(2.0 * feed_va / (root_3 * nominal_v)).epsilon(1e-9));
}

TEST_CASE("equipment that carries a current has the rating and the loss of the voltage where it is",
          "[verification][equipment_losses]") {
  const Equipment high = Breaker::Params{.rated_a = 1000.0};
  CHECK(rated_w(at_voltage(high, 400.0)) == Approx(root_3 * 400.0 * 1000.0).epsilon(1e-12));
  const Equipment cable = Cable::Params{.rated_a = 400.0,
                                        .voltage_v = 20e3,
                                        .resistance_ohm_per_m = 1e-4,
                                        .reactance_ohm_per_m = 1e-4,
                                        .length_m = 1000.0};
  const double watts = 1e6, current_a = watts / (root_3 * 10e3);
  CHECK(loss_w(loss_curve(at_voltage(cable, 10e3)), watts) == Approx(3.0 * 0.1 * current_a * current_a).epsilon(1e-12));
  const Equipment feeder = Feeder::Params{.rated_w = 1e6, .voltage_v = 400.0, .resistance_ohm = 0.01};
  CHECK(rated_w(at_voltage(feeder, 200.0)) == Approx(0.5e6).epsilon(1e-12));
  CHECK(rated_w(at_voltage(Equipment{pdu(4e5)}, 200.0)) == 4e5);
  CHECK(highest_voltage_v(high) == 690.0);
}
