// Fault levels by IEC 60909: cases that other programs computed, and closed forms of sources and transformers in series.
//
//   I''_k = c U_n / (sqrt(3) |Z|),  i_p = kappa sqrt(2) I''_k,  kappa = 1.02 + 0.98 exp(-3 R/X)
#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "electrical/admittance/branch_impedance.hpp"
#include "electrical/fault/short_circuit.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/verification.hpp"

using namespace wattloop;
using namespace wattloop::electrical;

namespace {

void compare(const std::string& name, const char* source, const char* kind, double ours_a, double theirs_a) {
  INFO(name);
  CHECK(ours_a == Approx(theirs_a).epsilon(1e-3));  // 0.1 %, as the sources round their inputs
  tests::report_verification({name, source, "short-circuit current", ours_a, theirs_a, 1e-3 * theirs_a, "A", kind});
}

/// 20 GVA at 150 kV, a transformer of 20 MVA, a line behind it.
AcNetwork behind_a_line() {
  AcNetwork network{.buses = {{"grid", 150e3}, {"medium", 10e3}, {"end", 10e3}}};
  network.branches = {
      transformer_branch(network, "transformer", 0, 1,
                         {.rated_va = 20e6, .from_v = 150e3, .to_v = 10e3, .short_circuit_voltage_fraction = 0.05}),
      {.name = "line", .from = 1, .to = 2, .resistance_ohm = 0.049, .reactance_ohm = 0.153}};
  return network;
}

std::vector<FaultLevel> levels_behind_a_line(double voltage_factor_of_source) {
  const AcNetwork network = behind_a_line();
  const FaultSource feeder = feeder_source("grid", 0,
                                           {.nominal_v = 150e3,
                                            .short_circuit_va = 20e9,
                                            .resistance_over_reactance = 0.1,
                                            .voltage_factor = voltage_factor_of_source});
  return fault_levels(network, {.voltage_factor = largest_voltage_factors(network, LowVoltageTolerance::ten_percent),
                                .sources = {feeder}});
}

constexpr TransformerRating distribution{
    .rated_va = 2.5e6, .from_v = 20e3, .to_v = 415.0, .short_circuit_voltage_fraction = 0.06, .load_loss_w = 20e3};

/// 500 MVA at 20 kV, alike transformers in parallel on a bus of 415 V.
struct LowVoltageBus {
  AcNetwork network{.buses = {{"medium", 20e3}, {"low", 415.0}}};
  FaultCase fault;

  explicit LowVoltageBus(int transformers) {
    for (int i = 0; i < transformers; ++i)
      network.branches.push_back(transformer_branch(network, fmt::format("transformer_{}", i), 0, 1, distribution));
    fault.voltage_factor = largest_voltage_factors(network, LowVoltageTolerance::ten_percent);
    fault.sources = {feeder_source("grid", 0, {20e3, 500e6, 0.1})};
    fault.branches.assign(network.branches.size(),
                          {.factor = network_transformer_factor(reactance_ratio(distribution), 1.1)});
  }
};

/// A generator with its transformer to 110 kV.
struct Unit {
  GeneratorRating generator;
  TransformerRating transformer;  ///< from the network
  double terminals_v;             ///< nominal
  bool has_tap_changer = false;
};

Unit unit_of_100_mva() {
  return {.generator = {.rated_va = 100e6,
                        .rated_v = 10.5e3,
                        .subtransient_ratio = 0.16,
                        .power_factor = 0.9,
                        .resistance_ohm = 0.005,
                        .voltage_range_fraction = 0.075},
          .transformer = {.rated_va = 100e6,
                          .from_v = 120e3,
                          .to_v = 10.5e3,
                          .short_circuit_voltage_fraction = 0.12,
                          .load_loss_w = 0.005 * 100e6},
          .terminals_v = 10e3};
}

Unit unit_of_150_mva() {
  return {.generator = {150e6, 21e3, 0.14, 0.85, 0.002},
          .transformer = {150e6, 115e3, 21e3, 0.16, 0.005 * 150e6},
          .terminals_v = 20e3,
          .has_tap_changer = true};
}

struct PowerStations {
  AcNetwork network;
  FaultCase fault;

  void add(const char* network_bus, const char* terminals, const Unit& unit) {
    const std::size_t from = network.buses.size(), to = from + 1, branch = network.branches.size();
    network.buses.push_back({network_bus, 110e3});
    network.buses.push_back({terminals, unit.terminals_v});
    network.branches.push_back(transformer_branch(network, "transformer", from, to, unit.transformer));
    const UnitTransformer transformer{unit.transformer.from_v, unit.transformer.to_v, reactance_ratio(unit.transformer),
                                      unit.has_tap_changer};
    const double factor = unit_factor(unit.generator, transformer, 110e3, 1.1);
    fault.units.push_back(
        {fault.sources.size(), branch, terminal_factor(unit.generator, transformer, 1.1), unit.generator.rated_v});
    fault.sources.push_back(generator_source("generator", to, unit.generator, factor));
    fault.branches.push_back({.factor = factor, .ratio = network.branches[branch].ratio});
  }

  std::vector<FaultLevel> levels() {
    fault.voltage_factor = largest_voltage_factors(network, LowVoltageTolerance::ten_percent);
    return fault_levels(network, fault);
  }
};

/// The network of IEC TR 60909-4 without its motors: third windings, which nothing is connected to, are left out.
PowerStations network_of_iec_60909_4() {
  PowerStations stations;
  AcNetwork& network = stations.network;
  stations.add("bus_3", "terminals_2", unit_of_100_mva());
  stations.add("bus_4", "terminals_1", unit_of_150_mva());
  for (const auto& [name, nominal_v] :
       {std::pair{"bus_1", 380e3}, {"bus_2", 110e3}, {"bus_5", 110e3}, {"bus_6", 10e3}, {"bus_7", 10e3}})
    network.buses.push_back({name, nominal_v});
  const auto bus = [&](int number) {
    return static_cast<std::size_t>(std::ranges::find(network.buses, fmt::format("bus_{}", number), &AcBus::name) -
                                    network.buses.begin());
  };
  const auto add_transformers = [&](int from, int to, const TransformerRating& rating) {
    network.branches.push_back(transformer_branch(network, "transformers", bus(from), bus(to), rating, 2));
    stations.fault.branches.push_back(
        {.factor = network_transformer_factor(reactance_ratio(rating), 1.1), .ratio = network.branches.back().ratio});
  };
  add_transformers(1, 2, {350e6, 400e3, 120e3, 0.21, 0.0026 * 350e6});
  add_transformers(5, 6, {31.5e6, 115e3, 10.5e3, 0.12, 0.005 * 31.5e6});
  const auto add_line = [&](int from, int to, Complex impedance_ohm) {
    network.branches.push_back({.name = "line",
                                .from = bus(from),
                                .to = bus(to),
                                .resistance_ohm = impedance_ohm.real(),
                                .reactance_ohm = impedance_ohm.imag()});
    stations.fault.branches.push_back({});
  };
  add_line(2, 3, {20 * 0.12, 20 * 0.39});
  add_line(3, 4, {10 * 0.12, 10 * 0.39});
  add_line(2, 5, {2.5 * 0.12, 2.5 * 0.39});  // two systems
  add_line(5, 3, {10 * 0.096, 10 * 0.388});
  add_line(5, 4, {15 * 0.12, 15 * 0.386});
  add_line(6, 7, {0.082, 0.086});
  const GeneratorRating third{10e6, 10.5e3, 0.1, 0.8, 0.018};
  stations.fault.sources.push_back(generator_source("generator_3", bus(6), third, generator_factor(third, 10e3, 1.1)));
  for (const auto& [number, nominal_v, current_a] : {std::tuple{1, 380e3, 38e3}, {5, 110e3, 16e3}})
    stations.fault.sources.push_back(
        feeder_source("feeder", bus(number), {nominal_v, std::numbers::sqrt3 * nominal_v * current_a, 0.1}));
  return stations;
}

}  // namespace

TEST_CASE("20 GVA behind a transformer and a line, with the factor c at the source and without",
          "[verification][short_circuit]") {
  const std::vector<FaultLevel> without = levels_behind_a_line(1.0), with = levels_behind_a_line(1.1);
  compare("20 GVA, 20 MVA, bolted at 10 kV, source U^2/S", "power_grid_model", "other tool", without[1].current_a,
          24907.68);
  compare("20 GVA, 20 MVA, behind a line, source U^2/S", "power_grid_model", "other tool", without[2].current_a,
          15453.60);
  compare("20 GVA, 20 MVA, bolted at 10 kV", "iec_60909_0", "closed form", with[1].current_a, 24859.0);
  compare("20 GVA, 20 MVA, behind a line", "iec_60909_0", "closed form", with[2].current_a, 15435.0);
  CHECK(with[0].current_a == Approx(20e9 / (std::numbers::sqrt3 * 150e3)).epsilon(1e-9));  // what it was given
}

TEST_CASE("a power station unit of 100 MVA at its network and at its terminals", "[verification][short_circuit]") {
  PowerStations stations;
  stations.add("network", "terminals", unit_of_100_mva());
  CHECK(stations.fault.sources[0].factor == Approx(0.87684).epsilon(1e-5));
  const std::vector<FaultLevel> levels = stations.levels();
  compare("unit of 100 MVA, at 110 kV", "pandapower", "other tool", levels[0].current_a, 1975.5);
  compare("unit of 100 MVA, at its terminals", "pandapower", "other tool", levels[1].current_a, 39504.2);
  compare("unit of 100 MVA, peak at 110 kV", "pandapower", "other tool", levels[0].peak_a, 5231.6);
  compare("unit of 100 MVA, peak at its terminals", "pandapower", "other tool", levels[1].peak_a, 104108.5);
}

// Test cases of pandapower, pandapower/test/shortcircuit/test_iec60909_4.py at commit 080c07f2.
TEST_CASE("two units, one with a tap changer, at the ends of a line", "[verification][short_circuit]") {
  PowerStations stations;
  stations.add("network_1", "terminals_1", unit_of_100_mva());
  stations.add("network_2", "terminals_2", unit_of_150_mva());
  stations.network.branches.push_back(
      {.name = "line", .from = 0, .to = 2, .resistance_ohm = 1.2, .reactance_ohm = 3.9});
  stations.fault.branches.push_back({});
  const std::vector<FaultLevel> levels = stations.levels();
  compare("two units, at 110 kV of the first", "pandapower", "other tool", levels[0].current_a, 4282.1);
  compare("two units, at 110 kV of the second", "pandapower", "other tool", levels[2].current_a, 4428.0);
  compare("two units, terminals of the first", "pandapower", "other tool", levels[1].current_a, 57812.9);
  compare("two units, terminals of the second", "pandapower", "other tool", levels[3].current_a, 39109.0);
  CHECK(levels[0].peak_a == Approx(11115.7).epsilon(0.01));  // within 0.1 kA in their own test
  CHECK(levels[2].peak_a == Approx(11630.6).epsilon(0.01));
}

TEST_CASE("the network of IEC TR 60909-4 without motors", "[verification][short_circuit]") {
  PowerStations stations = network_of_iec_60909_4();
  const std::vector<FaultLevel> levels = stations.levels();
  struct Published {
    const char* bus;
    double current_a, peak_a;
  };
  for (const Published& one : {Published{"bus_1", 40634.7, 100542.7},
                               {"bus_2", 31663.5, 80350.9},
                               {"bus_3", 19623.1, 45715.7},
                               {"bus_4", 16195.6, 36785.5},
                               {"bus_5", 32997.1, 82940.6},
                               {"bus_6", 34355.9, 90614.3},
                               {"bus_7", 22276.2, 43382.6}}) {
    const auto found = std::ranges::find(stations.network.buses, one.bus, &AcBus::name);
    const FaultLevel& level = levels[static_cast<std::size_t>(found - stations.network.buses.begin())];
    compare(fmt::format("IEC TR 60909-4, {}", one.bus), "pandapower", "other tool", level.current_a, one.current_a);
    compare(fmt::format("IEC TR 60909-4, peak at {}", one.bus), "pandapower", "other tool", level.peak_a, one.peak_a);
  }
}

TEST_CASE("one, two and eight transformers of 2.5 MVA on one bus", "[verification][short_circuit]") {
  CHECK(network_transformer_factor(reactance_ratio(distribution), 1.1) == Approx(1.00900).epsilon(1e-5));
  const auto [count, current_a, peak_a] =
      GENERATE(table<int, double, double>({{1, 57934.0, 137665.0}, {2, 106964.0, 254905.0}, {8, 292815.0, 705545.0}}));
  const LowVoltageBus bus(count);
  const FaultLevel level = fault_levels(bus.network, bus.fault)[1];
  compare(fmt::format("{} transformers of 2.5 MVA at 500 MVA", count), "iec_60909_0", "closed form", level.current_a,
          current_a);
  compare(fmt::format("{} transformers of 2.5 MVA at 500 MVA, peak", count), "iec_60909_0", "closed form", level.peak_a,
          peak_a);
}

TEST_CASE("inverters add their current by the impedances between, and the smallest level has cables that are hot",
          "[verification][short_circuit]") {
  LowVoltageBus bus(1);
  bus.network.buses.push_back({"panel", 415.0});
  bus.network.branches.push_back({.name = "cable", .from = 1, .to = 2, .resistance_ohm = 2e-3, .reactance_ohm = 1e-3});
  bus.fault.voltage_factor = smallest_voltage_factors(bus.network, LowVoltageTolerance::ten_percent);
  bus.fault.branches = {{}, {.resistance_ratio = hot_conductor_ratio(433.15)}};
  const std::vector<FaultLevel> without = fault_levels(bus.network, bus.fault);
  // In series by hand, ohm at 415 V.
  const double turns = 415.0 / 20e3, grid_ohm = 1.1 * 20e3 * 20e3 / 500e6 * turns * turns,
               base_ohm = 415.0 * 415.0 / 2.5e6;
  const double grid_x_ohm = grid_ohm / std::hypot(1.0, 0.1), r_t = 0.008 * base_ohm,
               x_t = std::sqrt(0.0036 - 6.4e-5) * base_ohm;
  const double r_ohm = 0.1 * grid_x_ohm + r_t, x_ohm = grid_x_ohm + x_t;
  CHECK(without[1].current_a == Approx(0.9 * 415.0 / (std::numbers::sqrt3 * std::hypot(r_ohm, x_ohm))).epsilon(1e-9));
  CHECK(without[2].current_a ==
        Approx(0.9 * 415.0 / (std::numbers::sqrt3 * std::hypot(r_ohm + 1.56 * 2e-3, x_ohm + 1e-3))).epsilon(1e-9));

  bus.fault.converters = {{"ups", 2, 3000.0}};
  const std::vector<FaultLevel> with = fault_levels(bus.network, bus.fault);
  CHECK(with[2].current_a - without[2].current_a == Approx(3000.0).epsilon(1e-9));  // it is there
  CHECK(with[1].converters_a == Approx(3000.0).epsilon(1e-9));  // a cable that ends there takes nothing away
  CHECK(with[0].converters_a == Approx(3000.0 * turns).epsilon(1e-9));
  CHECK(with[2].peak_a - without[2].peak_a == Approx(std::numbers::sqrt2 * 3000.0).epsilon(1e-9));
  bus.fault.converters[0].bus = 1;  // the cable takes a share
  CHECK(fault_levels(bus.network, bus.fault)[2].converters_a ==
        Approx(3000.0 * std::hypot(r_ohm, x_ohm) / std::hypot(r_ohm + 1.56 * 2e-3, x_ohm + 1e-3)).epsilon(1e-9));
}

TEST_CASE("a bus that no source reaches has no fault level", "[verification][short_circuit]") {
  LowVoltageBus bus(1);
  bus.network.branches[0].is_closed = false;
  const std::vector<FaultLevel> levels = fault_levels(bus.network, bus.fault);
  CHECK(levels[1].current_a == 0.0);
  CHECK(levels[1].peak_a == 0.0);
  CHECK(levels[0].current_a == Approx(500e6 / (std::numbers::sqrt3 * 20e3)).epsilon(1e-9));
}
