// Fault levels of `check` at the low-voltage buses of whole halls.
//
// Expected values by hand, three-phase, largest, c = 1.1 (reference rows 10.2 of the power references, IEC 60909-0):
//   500 MVA at 20 kV with R/X 0.1, n transformers of 2.5 MVA 20/0.415 kV, 6 %, 20 kW, K_T 1.009: 57.934, 106.964 and 292.815 kA for n = 1, 2, 8
//   5 GVA at 110 kV, one of 25 MVA 12 % 102.5 kW with K_T 0.9748, and n of those: impedances at 415 V added in series, below
#include <algorithm>
#include <cmath>
#include <complex>
#include <filesystem>
#include <optional>

#include <fmt/format.h>

#include "tests/support/catch.hpp"
#include "tests/support/verification.hpp"
#include "twin/build/plant_builder.hpp"
#include "twin/ratings/power/fault_levels.hpp"
#include "twin/ratings/power/fault_network.hpp"
#include "twin/ratings/power/selectivity.hpp"
#include "twin/ratings/rating_check.hpp"
#include "twin/ratings/topology.hpp"
#include "twin/scenario/scenario_reader.hpp"

using namespace wattloop;
using namespace wattloop::twin;

namespace {

using Texts = std::vector<std::string>;
using Complex = std::complex<double>;
using electrical::PowerTree;

const std::filesystem::path scenarios = std::filesystem::path(WATTLOOP_SOURCE_DIR) / "scenarios";

PowerTree tree_of(const std::string& hall, const Texts& overrides) {
  return build_plant(read_scenario(scenarios / hall, overrides)).power_tree;
}

/// Three-phase, behind a branch.
double level_a(const PowerTree& tree, const std::string& branch) {
  const auto bus = static_cast<std::size_t>(tree.branch_to[*electrical::find_branch(tree, branch)]);
  return currents_of_buses(tree, FaultSize::largest).three_phase_a[bus];
}

/// c U / (sqrt(3) |Z|) at 415 V, every impedance of IEC 60909 referred to that side.
double by_hand_a(int transformers) {
  constexpr double low_v = 415.0, c = 1.1;
  const auto transformer_ohm = [&](double rated_va, double u_k, double loss_w) {
    const double base = low_v * low_v / rated_va, resistance = loss_w / rated_va;
    const double reactance = std::sqrt(u_k * u_k - resistance * resistance);
    return 0.95 * c / (1.0 + 0.6 * reactance) * base * Complex(resistance, reactance);
  };
  const double feed = c * low_v * low_v / 5e9, reactance = feed / std::sqrt(1.0 + 0.01);
  const Complex impedance = Complex(0.1 * reactance, reactance) + transformer_ohm(25e6, 0.12, 102.5e3) +
                            transformer_ohm(2.5e6, 0.06, 20e3) / static_cast<double>(transformers);
  return c * low_v / (std::sqrt(3.0) * std::abs(impedance));
}

/// 500 MVA at 20 kV, 400 m of 0.122 + j0.112 ohm/km, two transformers of 630 kVA 20/0.4 kV: impedances at 400 V added in series.
Complex before_the_ups_ohm() {
  constexpr double low_v = 400.0, c = 1.1, short_circuit = 0.04, loss_w = 6800.0, rated_va = 630e3;
  const double feed = c * low_v * low_v / 500e6, reactance = feed / std::sqrt(1.01), resistance = loss_w / rated_va;
  const double x = std::sqrt(short_circuit * short_circuit - resistance * resistance);
  const Complex cable = Complex(0.122, 0.112) * 0.4 * (low_v / 20e3) * (low_v / 20e3);
  const Complex transformers = 0.95 * c / (1.0 + 0.6 * x) * low_v * low_v / rated_va * Complex(resistance, x) / 2.0;
  return Complex(0.1 * reactance, reactance) + cable + transformers;
}

/// Peak of what comes through impedances in series: kappa by their own R/X.
double peak_of_ohm_a(Complex impedance, double level_a) {
  return (1.02 + 0.98 * std::exp(-3.0 * impedance.real() / impedance.imag())) * std::sqrt(2.0) * level_a;
}

double level_of_ohm_a(Complex impedance) { return 1.1 * 400.0 / (std::sqrt(3.0) * std::abs(impedance)); }

}  // namespace

// Tolerance: 0.1 %, that of the published figures.
TEST_CASE("one, two and eight transformers on a bus of 500 MVA have the fault levels of IEC 60909",
          "[verification][fault]") {
  for (const auto& [buses, expected_a] : {std::pair{8, 57.934e3}, {4, 106.964e3}, {1, 292.815e3}}) {
    const PowerTree tree = tree_of(
        "h100_10k.yaml", {"power.substation=null", fmt::format("power.transformers.low_voltage_buses={}", buses)});
    const double ours_a = level_a(tree, buses == 1 ? "transformer_a" : "transformer_a_1");
    CHECK(ours_a == Approx(expected_a).epsilon(1e-3));
    tests::report_verification({fmt::format("{} transformers of 2.5 MVA on a bus, in a hall", 8 / buses), "closed form",
                                "initial short-circuit current", ours_a / 1e3, expected_a / 1e3,
                                1e-3 * expected_a / 1e3, "kA"});
    CHECK(fault_level_rows(tree).size() == 4u * static_cast<unsigned>(buses));  // from feeds, from generators
  }
}

TEST_CASE("behind a substation the fault level is that of all impedances in series", "[verification][fault]") {
  const PowerTree units = tree_of("h100_10k.yaml", {});
  CHECK(fault_level_rows(units).size() == 2 + 2 * 16);
  CHECK(level_a(units, "transformer_b_8") == Approx(by_hand_a(1)).epsilon(1e-4));
  CHECK(level_a(tree_of("halls/one_low_voltage_bus.yaml", {}), "transformer_a") == Approx(by_hand_a(8)).epsilon(1e-4));
  const PowerTree weak = tree_of("h100_10k.yaml", {"power.utility.short_circuit_power=100 MVA"});
  CHECK(level_a(weak, "transformer_a_1") < 0.8 * level_a(units, "transformer_a_1"));
}

TEST_CASE("check refuses eight transformers on one bus, and unit substations have margin", "[ratings][fault]") {
  const auto row_of = [](const char* hall) {
    const std::vector<CheckRow> rows = check_ratings(read_scenario(scenarios / hall)).rows;
    const auto row = std::ranges::find_if(
        rows, [](const CheckRow& each) { return each.unit == "A" && each.name.starts_with("transformer"); });
    REQUIRE(row != rows.end());
    return *row;
  };
  const CheckRow unit = row_of("h100_10k.yaml"), bus = row_of("halls/one_low_voltage_bus.yaml");
  CHECK(unit.is_met());
  CHECK_FALSE(bus.is_met());
  CHECK(bus.value > 150e3);
  CHECK(bus.remedy == "fewer sources in parallel on the bus, or breakers that interrupt more");
}

TEST_CASE("a cable of a drawn hall lowers the fault level behind it as its impedance says", "[verification][fault]") {
  CHECK(level_a(tree_of("one_line/ring.yaml", {}), "transformer_a") ==
        Approx(level_of_ohm_a(before_the_ups_ohm())).epsilon(1e-3));
}

// Behind three UPS modules of 250 kW, whose inverters deliver twice their current, a PDU of 400 kW with a loss of 1.83 % at its rating. The share of a
// limited current is |Z| before over |Z| to the short circuit.
TEST_CASE("behind a UPS the fault level falls with PDUs, and so does the share of its inverter",
          "[verification][fault]") {
  const auto level_at = [](const Texts& overrides, const std::string& bus, FaultSize size) {
    const electrical::PowerTree tree =
        build_plant(read_scenario(scenarios / "one_line/ring.yaml", overrides)).power_tree;
    const auto number = std::ranges::find(tree.bus_name, bus) - tree.bus_name.begin();
    return currents_behind_ups_a(tree, size)[static_cast<std::size_t>(number)];
  };
  const double inverter_a = 2.0 * 750e3 / (std::sqrt(3.0) * 400.0);
  const Complex before = before_the_ups_ohm(), pdu = 0.0183 / 400e3 * 400.0 * 400.0;
  const double at_ups_a = level_of_ohm_a(before), at_pdu_a = level_of_ohm_a(before + pdu);
  CHECK(level_at({}, "ups_a.output", FaultSize::largest) == Approx(at_ups_a + inverter_a).epsilon(1e-3));
  const double behind_pdu_a = level_at({}, "pdu_a_1.output", FaultSize::largest);
  const double expected_a = at_pdu_a + inverter_a * at_pdu_a / at_ups_a;
  CHECK(behind_pdu_a == Approx(expected_a).epsilon(1e-3));
  tests::report_verification({"UPS with bypass, PDU of 400 kW", "closed form", "short-circuit current behind both",
                              behind_pdu_a / 1e3, expected_a / 1e3, 1e-3 * expected_a / 1e3, "kA"});
  CHECK(behind_pdu_a < 0.75 * at_ups_a);
  const PowerTree ring = tree_of("one_line/ring.yaml", {});
  const std::vector<double> peaks_a = peak_currents_a(ring);
  const auto peak_at = [&](const char* bus) {
    return peaks_a[static_cast<std::size_t>(std::ranges::find(ring.bus_name, bus) - ring.bus_name.begin())];
  };
  const double peak_a = peak_of_ohm_a(before, at_ups_a);
  CHECK(peak_at("lv_a") == Approx(peak_a).epsilon(1e-3));
  CHECK(peak_at("ups_a.output") == Approx(peak_a + std::sqrt(2.0) * inverter_a).epsilon(1e-3));
  tests::report_verification({"UPS with bypass: kappa of impedances in series, inverters without", "closed form",
                              "peak short-circuit current at its output", peak_at("ups_a.output") / 1e3,
                              (peak_a + std::sqrt(2.0) * inverter_a) / 1e3, 1e-3 * peak_a / 1e3, "kA"});
  const Texts none{"power.one_line.branches.ups_a.bypass=none"};
  CHECK(level_at(none, "pdu_a_1.output", FaultSize::largest) == Approx(inverter_a).epsilon(1e-9));
  CHECK(level_at(none, "pdu_a_1.output", FaultSize::smallest) == Approx(inverter_a).epsilon(1e-9));
  CHECK(level_at({}, "pdu_a_1.output", FaultSize::smallest) < at_pdu_a);
  CHECK(level_at({}, "lv_a", FaultSize::largest) == 0.0);
}

// Figures of scenarios/one_line/README.md: three ways to build one hall.
TEST_CASE("the fault levels that the drawn halls' page prints are those of check", "[ratings][fault]") {
  const auto level_ka = [](const char* hall, const Texts& overrides, const char* name) {
    return level_a(tree_of(hall, overrides), name) / 1e3;
  };
  CHECK(level_ka("h100_10k.yaml", {}, "transformer_a_1") == Approx(52.6).margin(0.05));
  CHECK(level_ka("h100_10k.yaml", {"power.transformers.low_voltage_buses=4"}, "transformer_a_1") ==
        Approx(90.1).margin(0.05));
  CHECK(level_ka("halls/one_low_voltage_bus.yaml", {}, "transformer_a") == Approx(193.0).margin(0.5));
}

// Sets of 3 MW at 0.8, x'' 12 %, on a bus of 415 V: I = c U / (sqrt(3) K_G x'' U^2 / S_r) each, K_G = 1.1 / (1 + 0.12 * 0.6).
TEST_CASE("many generators on one bus deliver more than breakers interrupt, one does not", "[verification][fault]") {
  const auto rows_of_sets = [](const char* hall) {
    std::vector<CheckRow> rows = fault_level_rows(tree_of(hall, {}));
    std::erase_if(rows, [](const CheckRow& row) { return !row.quantity.ends_with("from generators alone"); });
    return rows;
  };
  const double of_one_a = 1.072 * 3.75e6 / (std::sqrt(3.0) * 415.0 * 0.12);
  const std::vector<CheckRow> units = rows_of_sets("h100_10k.yaml"),
                              one_bus = rows_of_sets("halls/one_low_voltage_bus.yaml");
  REQUIRE(units.size() == 16);
  CHECK(units.front().value == Approx(of_one_a).epsilon(1e-9));
  // A strong feed alone has a peak of its own; without feeds worth the name that of the set is the largest: R_G = 0.15 x'' up to 1 kV.
  const PowerTree weak = tree_of("h100_10k.yaml", {"power.utility.short_circuit_power=20 MVA"});
  const auto bus = static_cast<std::size_t>(weak.branch_to[*electrical::find_branch(weak, "transformer_a_1")]);
  CHECK(peak_currents_a(weak)[bus] == Approx(peak_of_ohm_a(Complex(0.15, 1.0), of_one_a)).epsilon(1e-9));
  CHECK(std::ranges::all_of(units, &CheckRow::is_met));
  REQUIRE(one_bus.size() == 2);
  CHECK(std::remainder(one_bus.front().value, of_one_a) == Approx(0.0).margin(1e-6 * of_one_a));
  CHECK_FALSE(one_bus.front().is_met());
}

TEST_CASE("results and diagrams have the fault levels that check has", "[ratings][fault]") {
  for (const char* hall : {"one_line/ring.yaml", "one_line/main_tie_main.yaml"}) {
    INFO(hall);
    const Plant plant = build_plant(read_scenario(scenarios / hall));
    const electrical::PowerTree& tree = plant.power_tree;
    const std::vector<TopologyPart> parts = topology_of(plant).parts;
    REQUIRE_FALSE(fault_level_rows(tree).empty());
    for (const CheckRow& row : fault_level_rows(tree)) {
      const auto bus = static_cast<std::size_t>(tree.branch_to[*electrical::find_branch(tree, row.name)]);
      const auto part = std::ranges::find(parts, tree.bus_name[bus], &TopologyPart::name);
      REQUIRE(part != parts.end());
      CHECK(part->fault_level_a == level_a(tree, row.name));
    }
  }
}

// Both sides are alike: two equal impedances in parallel.
TEST_CASE("a closed tie without impedance gives both its buses the fault level of both sides",
          "[verification][fault]") {
  const Texts strong{"power.one_line.sources.utility_a.short_circuit_power=400 MVA",
                     "power.one_line.sources.utility_b.short_circuit_power=400 MVA"};
  Texts closed = strong;
  for (const char* change :
       {"power.flow=auto", "power.one_line.interlocks=null",
        "power.one_line.branches.tie={ open: false, closes: null, after: null, returns_after: null }"})
    closed.emplace_back(change);
  const PowerTree apart = tree_of("one_line/main_tie_main.yaml", strong);
  const PowerTree together = tree_of("one_line/main_tie_main.yaml", closed);
  for (const char* transformer : {"transformer_a", "transformer_b"})
    CHECK(level_a(together, transformer) == Approx(2.0 * level_a(apart, transformer)).epsilon(1e-9));
}

// Three transformers of which one is redundant are as two for the level, and as three of three for what they see themselves.
TEST_CASE("the smallest level has redundant modules out, and their own protection is compared without them",
          "[verification][fault]") {
  const auto tree_with = [](int modules, int redundant) {
    const std::string transformer = "power.one_line.branches.transformer_a.";
    return tree_of("one_line/ring.yaml",
                   {fmt::format("{}modules={}", transformer, modules),
                    fmt::format("{}redundant={}", transformer, redundant), transformer + "breaker=breaker_4000a"});
  };
  const PowerTree three = tree_with(3, 0), two = tree_with(2, 0), spared = tree_with(3, 1);
  CHECK_FALSE(has_spare_modules(three));
  REQUIRE(has_spare_modules(spared));
  const auto bus = static_cast<std::size_t>(spared.branch_to[*electrical::find_branch(spared, "transformer_a")]);
  const auto smallest_a = [&](const PowerTree& tree, FaultSize size) {
    return currents_of_buses(tree, size).three_phase_a[bus];
  };
  CHECK(smallest_a(spared, FaultSize::smallest) == smallest_a(three, FaultSize::smallest));
  CHECK(smallest_a(spared, FaultSize::smallest_spared) == Approx(smallest_a(two, FaultSize::smallest)).epsilon(1e-12));
  CHECK(smallest_a(spared, FaultSize::largest) == smallest_a(three, FaultSize::largest));
  const auto row_of = [](const PowerTree& tree, std::string_view name) {
    const std::vector<CheckRow> rows = protection_rows(tree, true);
    const auto row =
        std::ranges::find_if(rows, [&](const CheckRow& each) { return each.name == name && each.of == "protection"; });
    REQUIRE(row != rows.end());
    return *row;
  };
  CHECK(row_of(spared, "pdu_a_1").value == Approx(row_of(two, "pdu_a_1").value).epsilon(1e-12));
  CHECK(row_of(spared, "pdu_a_1").value < row_of(three, "pdu_a_1").value);
  for (const char* own : {"transformer_a", "transformer_a.breaker"}) {
    CHECK(row_of(spared, own).value == row_of(three, own).value);
    CHECK(row_of(spared, own).limit == row_of(three, own).limit);
  }
}

TEST_CASE("the smallest levels take the smallest short-circuit power of the feed", "[verification][fault]") {
  const auto at_substation_a = [](const Texts& changes, FaultSize size) {
    const PowerTree tree = tree_of("one_line/ring.yaml", changes);
    const auto bus = std::ranges::find(tree.bus_name, "substation") - tree.bus_name.begin();
    return currents_of_buses(tree, size).three_phase_a[static_cast<std::size_t>(bus)];
  };
  const Texts weak{"power.one_line.sources.utility.smallest_short_circuit_power=200 MVA"};
  CHECK(at_substation_a(weak, FaultSize::smallest) == Approx(200e6 / 1.1 / (std::sqrt(3.0) * 20e3)).epsilon(1e-9));
  CHECK(at_substation_a({}, FaultSize::smallest) == Approx(500e6 / 1.1 / (std::sqrt(3.0) * 20e3)).epsilon(1e-9));
  CHECK(at_substation_a(weak, FaultSize::largest) == at_substation_a({}, FaultSize::largest));
}

// 0.122 ohm/km over 600 km of a ring at 20 kV: R P / V^2 of what it delivers, 0.16 for 880 kW.
TEST_CASE("lines whose drop flow: watts leaves out are a row, and with voltages they are not",
          "[verification][ratings]") {
  const Texts far{"power.one_line.branches.cable_3.length=600 km", "events=[]"};
  const auto row_of = [](const Texts& changes) -> std::optional<CheckRow> {
    for (const CheckRow& row : check_ratings(read_scenario(scenarios / "one_line/ring.yaml", changes)).rows)
      if (row.of == "lines") return row;
    return std::nullopt;
  };
  const std::optional<CheckRow> row = row_of(far);
  REQUIRE(row);
  CHECK(row->name == "cable_3");
  CHECK_FALSE(row->is_met());
  const double delivered_w = row->value * 20e3 * 20e3 / (0.122e-3 * 600e3);
  CHECK(delivered_w == Approx(880e3).epsilon(0.05));
  CHECK_FALSE(row_of({"events=[]"}));
}
