// Line-to-earth short circuits: the low-voltage system of IEC 60909-4, and earth stages of breakers by hand.
//
//   I''_k1 = sqrt(3) c U_n / |2 Z_1 + Z_0|;  behind a transformer in delta and star, Z_0 is that of its winding and of what is behind it
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numbers>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "electrical/admittance/branch_impedance.hpp"
#include "electrical/fault/short_circuit.hpp"
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

using Complex = std::complex<double>;

/// A line of the example: impedance of all parallel conductors, and what the zero sequence has of it.
struct Line {
  const char* name;
  std::size_t from, to;
  Complex ohm;
  double zero_resistance, zero_reactance;
};

// 10 kA at 20 kV; 630 and 400 kVA of 20/0.41 kV; two lines join their sides of 400 V at bus 2; a cable and an overhead line lead to bus 3.
constexpr std::size_t medium = 0, first = 1, second = 2, end = 3, other = 4, between = 5;
constexpr std::array transformers{TransformerRating{630e3, 20e3, 410.0, 0.04, 6500.0},
                                  TransformerRating{400e3, 20e3, 410.0, 0.04, 4600.0}};
const std::array lines{Line{"L1", first, second, Complex(0.077, 0.079) * 0.010 / 2.0, 3.7, 1.81},
                       Line{"L2", other, second, Complex(0.208, 0.068) * 0.004 / 2.0, 4.23, 1.21},
                       Line{"L3", second, between, Complex(0.271, 0.087) * 0.020, 3.0, 4.46},
                       Line{"L4", between, end, Complex(0.3704, 0.297) * 0.050, 2.0, 3.0}};

struct Example {
  AcNetwork network{
      .buses = {{"medium", 20e3}, {"F1", 400.0}, {"F2", 400.0}, {"F3", 400.0}, {"T2", 400.0}, {"L3-L4", 400.0}}};
  AcNetwork zero = network;
  FaultCase fault, zero_fault;

  Example() {
    fault.sources = {feeder_source("grid", medium, {20e3, std::numbers::sqrt3 * 20e3 * 10e3, 0.1})};
    for (const std::size_t k : {0, 1}) {
      const std::size_t to = k == 0 ? first : other;
      const AcBranch winding = transformer_branch(network, fmt::format("T{}", k + 1), medium, to, transformers[k]);
      const double factor = network_transformer_factor(reactance_ratio(transformers[k]), 1.05);
      network.branches.push_back(winding);
      fault.branches.push_back({.factor = factor, .ratio = winding.ratio});
      zero_fault.sources.push_back(
          {winding.name, to, winding.resistance_ohm, 0.95 * winding.reactance_ohm, winding.resistance_ohm, factor});
    }
    for (const Line& line : lines) {
      AcBranch branch{.name = line.name,
                      .from = line.from,
                      .to = line.to,
                      .resistance_ohm = line.ohm.real(),
                      .reactance_ohm = line.ohm.imag()};
      network.branches.push_back(branch);
      fault.branches.push_back({});
      branch.resistance_ohm *= line.zero_resistance;
      branch.reactance_ohm *= line.zero_reactance;
      zero.branches.push_back(branch);
    }
    fault.voltage_factor = largest_voltage_factors(network, LowVoltageTolerance::six_percent);
    zero_fault.voltage_factor = fault.voltage_factor;
  }
};

constexpr double low_v = 400.0, feed_va = 500e6, c = 1.1;
constexpr TransformerRating distribution{1e6, 20e3, low_v, 0.06, 10e3};

/// Feed at 20 kV - transformer - main - cable - outgoing - load.
OneLineDiagram diagram_of(const Breaker::Params& main, const Breaker::Params& outgoing) {
  OneLineDiagram diagram;
  diagram.buses = {{"feed", 20e3}, {"low", low_v}, {"board", low_v}, {"end", low_v}, {"load_bus", low_v}};
  diagram.sources = {{.name = "utility", .bus = "feed", .equipment = UtilityFeed::Params{.short_circuit_va = feed_va}}};
  diagram.branches = {{.name = "transformer",
                       .from = "feed",
                       .to = "low",
                       .equipment = Transformer::Params{.rated_va = distribution.rated_va,
                                                        .no_load_loss_w = 1e3,
                                                        .load_loss_w = distribution.load_loss_w,
                                                        .short_circuit_voltage_fraction = 0.06,
                                                        .high_voltage_v = 20e3,
                                                        .low_voltage_v = low_v}},
                      {.name = "main", .from = "low", .to = "board", .equipment = main},
                      {.name = "cable",
                       .from = "board",
                       .to = "end",
                       .equipment = Cable::Params{.rated_a = 400.0,
                                                  .voltage_v = low_v,
                                                  .resistance_ohm_per_m = 0.1e-3,
                                                  .reactance_ohm_per_m = 0.08e-3,
                                                  .length_m = 50.0,
                                                  .time_multiplier_ratio = for_ever_s}},  // protected by breakers alone
                      {.name = "outgoing", .from = "end", .to = "load_bus", .equipment = outgoing}};
  diagram.loads = {{"load", {"load_bus"}}};
  return diagram;
}

/// By hand, of the diagram above; hot cable and no K_T in the smallest.
double earth_fault_a(FaultSize size) {
  const bool is_largest = size == FaultSize::largest;
  const double feed_ohm = c * low_v * low_v / feed_va, feed_x = feed_ohm / std::sqrt(1.01);
  const double base = low_v * low_v / distribution.rated_va, r = 0.01, x = std::sqrt(0.06 * 0.06 - r * r);
  const double factor = is_largest ? 0.95 * c / (1.0 + 0.6 * x) : 1.0, hot = is_largest ? 1.0 : 1.92;
  const Complex cable(hot * 0.1e-3 * 50.0, 0.08e-3 * 50.0);
  const Complex positive = Complex(0.1 * feed_x, feed_x) + factor * base * Complex(r, x) + cable;
  const Complex zero = factor * base * Complex(r, 0.95 * x) + 4.0 * cable;
  return std::sqrt(3.0) * (is_largest ? c : 0.9) * low_v / std::abs(2.0 * positive + zero);
}

Breaker::Params breaker(double rated_w, double multiplier, double earth_ratio = 0.0, double earth_s = 0.3) {
  return {.rated_a = rated_w / (std::sqrt(3.0) * low_v),
          .voltage_v = low_v,
          .time_multiplier_ratio = multiplier,
          .earth_ratio = earth_ratio,
          .earth_s = earth_s};
}

std::vector<CheckRow> earth_rows(const Breaker::Params& main, const Breaker::Params& outgoing) {
  std::vector<CheckRow> rows = protection_rows(build_power_tree(diagram_of(main, outgoing)), false);
  std::erase_if(rows, [](const CheckRow& row) { return row.quantity.find("earth") == std::string::npos; });
  return rows;
}

}  // namespace

TEST_CASE("three-phase and line-to-earth short circuits of the low-voltage example are those of IEC 60909-4",
          "[verification][earth_fault]") {
  const Example example;
  const std::vector<FaultLevel> positive = fault_levels(example.network, example.fault);
  const std::vector<FaultLevel> zero = fault_levels(example.zero, example.zero_fault);
  struct Published {
    const char* name;
    std::size_t bus;
    double three_phase_ka, earth_ka;
  };
  for (const Published& of :
       {Published{"F1", first, 34.62, 35.64}, {"F2", second, 34.12, 34.98}, {"F3", end, 6.95, 4.83}}) {
    INFO(of.name);
    const double earth_a = line_to_earth_current_a(1.05, 400.0, positive[of.bus], zero[of.bus]);
    CHECK(positive[of.bus].current_a / 1e3 == Approx(of.three_phase_ka).epsilon(2e-3));
    CHECK(earth_a / 1e3 == Approx(of.earth_ka).epsilon(2e-3));  // 0.2 %: two of its lines are rounded
    tests::report_verification({fmt::format("line to earth at {} of the low-voltage example", of.name), "iec_60909_4",
                                "short-circuit current", earth_a, of.earth_ka * 1e3, 2e-3 * of.earth_ka * 1e3, "A",
                                "published"});
  }
}

TEST_CASE("earth faults of a drawn hall are those of its impedances, and end at its transformer",
          "[verification][earth_fault]") {
  const PowerTree tree = build_power_tree(diagram_of(breaker(1e6, 0.4), breaker(200e3, 0.1)));
  for (const FaultSize size : {FaultSize::largest, FaultSize::smallest}) {
    const std::vector<double> currents_a = earth_currents_a(tree, size);
    const auto at = [&](const char* bus) {
      return currents_a[static_cast<std::size_t>(std::ranges::find(tree.bus_name, bus) - tree.bus_name.begin())];
    };
    CHECK(at("end") == Approx(earth_fault_a(size)).epsilon(1e-9));
    CHECK(at("load_bus") == at("end"));
    CHECK(at("feed") == 0.0);
    CHECK(at("low") > 2.0 * at("end"));
  }
}

TEST_CASE("medium voltage behind a transformer has no earth fault that is known, low voltage behind both has",
          "[verification][earth_fault]") {
  OneLineDiagram diagram = diagram_of(breaker(1e6, 0.4), breaker(200e3, 0.1));
  diagram.buses.insert(diagram.buses.begin(), {"grid", 110e3});
  diagram.sources.front().bus = "grid";
  diagram.branches.insert(diagram.branches.begin(),
                          {.name = "substation",
                           .from = "grid",
                           .to = "feed",
                           .equipment = Transformer::Params{.rated_va = 25e6,
                                                            .no_load_loss_w = 10e3,
                                                            .load_loss_w = 100e3,
                                                            .short_circuit_voltage_fraction = 0.12,
                                                            .high_voltage_v = 110e3,
                                                            .low_voltage_v = 20e3}});
  const PowerTree tree = build_power_tree(diagram);
  const std::vector<double> currents_a = earth_currents_a(tree, FaultSize::largest);
  for (std::size_t bus = 0; bus < currents_a.size(); ++bus) {
    INFO(tree.bus_name[bus]);
    CHECK((currents_a[bus] > 0.0) == (tree.bus_voltage_v[bus] < 1000.0));
  }
}

TEST_CASE("stages for earth faults are graded, and must see the smallest of them",
          "[verification][earth_fault][selectivity]") {
  CHECK(earth_rows(breaker(1e6, 0.4, 0.5, 0.6), breaker(200e3, 0.1, 0.5, 0.2)).empty());
  SECTION("the main breaker is too fast") {
    const std::vector<CheckRow> rows = earth_rows(breaker(1e6, 0.4, 0.5, 0.3), breaker(200e3, 0.1, 0.5, 0.2));
    REQUIRE(rows.size() == 1);
    CHECK(rows.front().name == "main");
    CHECK(rows.front().value == Approx(0.1).epsilon(1e-9));
    CHECK_THAT(row_text(rows.front()), Catch::Matchers::Contains("earth fault above"));
  }
  SECTION("the main breaker sees earth faults that the other does not") {
    const std::vector<CheckRow> rows = earth_rows(breaker(1e6, 0.4, 0.2, 0.8), breaker(800e3, 0.1));
    const double pickup_a = 0.2 * 1e6 / (std::sqrt(3.0) * low_v), unseen_a = 1.1 * 800e3 / (std::sqrt(3.0) * low_v);
    REQUIRE_FALSE(rows.empty());
    CHECK(rows.back().value == Approx(pickup_a).epsilon(1e-9));
    CHECK(rows.back().limit == Approx(unseen_a).epsilon(1e-9));
  }
  SECTION("a pickup above the smallest earth fault is named, and one below is not") {
    const double rated_a = 200e3 / (std::sqrt(3.0) * low_v), smallest_a = earth_fault_a(FaultSize::smallest);
    const auto is_named = [&](double pickup_a) {
      const Breaker::Params slow{.rated_a = rated_a,
                                 .voltage_v = low_v,
                                 .overload_limit_ratio = 1e3,
                                 .time_multiplier_ratio = 0.1,
                                 .earth_ratio = pickup_a / rated_a,
                                 .earth_s = 0.0};
      return std::ranges::any_of(earth_rows(breaker(1e6, 0.4, 0.5, 0.6), slow), [](const CheckRow& row) {
        return row.name == "outgoing" && row.quantity == "smallest earth fault behind it";
      });
    };
    CHECK(is_named(1.001 * smallest_a));
    CHECK_FALSE(is_named(0.999 * smallest_a));
  }
}
