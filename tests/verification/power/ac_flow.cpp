// Flows against the feeders of 33 and 12 buses that other programs solved, and against the closed form of two buses:
//
//   V^4 + (2 (R P + X Q) - 1) V^2 + |Z|^2 |S|^2 = 0,   no solution beyond 1 / (2 (|Z| |S| + R P + X Q)) times the load
//
// Losses of constant current and impedance, with ties closed and near collapse, are reference values computed by another program.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include <fmt/format.h>

#include "electrical/admittance/per_unit.hpp"
#include "electrical/flow/meshed_flow.hpp"
#include "electrical/flow/radial_flow.hpp"
#include "tests/support/by_hand/feeder_case.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/verification.hpp"

using namespace wattloop;
using namespace wattloop::electrical;

namespace {

struct Solved {
  FlowEnd end;
  AcFlow flow;
};

Solved solved_meshed(const AcNetwork& network, const std::vector<Complex>& load_va) {
  Solved solved{{}, make_ac_flow(network)};
  solved.end = MeshedFlow(network).solve(load_va, solved.flow);
  return solved;
}

Solved solved_radially(const AcNetwork& network, const std::vector<Complex>& load_va) {
  const std::optional<RadialTree> tree = build_radial_tree(network);
  REQUIRE(tree);
  RadialScratch scratch = make_radial_scratch(network, *tree);
  Solved solved{{}, make_ac_flow(network)};
  solved.end = solve_radial(network, *tree, load_va, scratch, solved.flow);
  return solved;
}

Solved solved_by(bool is_meshed, const AcNetwork& network, const std::vector<Complex>& load_va) {
  return is_meshed ? solved_meshed(network, load_va) : solved_radially(network, load_va);
}

double ratio_at(const AcNetwork& network, const AcFlow& flow, const std::string& bus) {
  const auto found = std::ranges::find(network.buses, bus, &AcBus::name);
  return flow.bus_voltage_v[static_cast<std::size_t>(found - network.buses.begin())] / found->nominal_v;
}

double loss_var(const AcFlow& flow) {
  double sum_var = 0.0;
  for (std::size_t branch = 0; branch < flow.branch_from.size(); ++branch)
    sum_var += flow.branch_from[branch].reactive_var + flow.branch_to[branch].reactive_var;
  return sum_var;
}

std::vector<Complex> scaled(std::vector<Complex> load_va, double factor) {
  for (Complex& one : load_va) one *= factor;
  return load_va;
}

/// Two buses: per unit of the base power at 1 kV.
AcNetwork two_buses() {
  const AcBus near{"near", 1000.0}, far{"far", 1000.0};
  return {.buses = {near, far},
          .branches = {{.name = "line",
                        .from = 0,
                        .to = 1,
                        .resistance_ohm = 0.01 * base_ohm(far),
                        .reactance_ohm = 0.1 * base_ohm(far)}},
          .loads = {{"load", 1}},
          .sources = {{.name = "grid", .bus = 0}}};
}

}  // namespace

TEST_CASE("voltages of both feeders are those of another program", "[verification][ac_flow]") {
  const auto [name, loss_w, loss_reactive_var] = GENERATE(table<const char*, double, double>(
      {{"feeder_33bw", 202.677126e3, 135.140971e3}, {"feeder_12da", 20.713774e3, 8.041134e3}}));
  const bool is_meshed = GENERATE(false, true);
  const tests::FeederCase feeder = tests::read_feeder_case(name);
  const auto [end, flow] = solved_by(is_meshed, feeder.network, feeder.load_va);
  REQUIRE(end.is_solved);
  double largest = 0.0;
  for (std::size_t bus = 0; bus < feeder.network.buses.size(); ++bus) {
    const double ratio = flow.bus_voltage_v[bus] / feeder.network.buses[bus].nominal_v;
    const double degrees = flow.bus_angle_rad[bus] * 180.0 / std::numbers::pi;
    largest =
        std::max({largest, std::abs(ratio - feeder.solved_ratio[bus]), std::abs(degrees - feeder.solved_degrees[bus])});
  }
  CHECK(largest < 1e-6);
  CHECK(end.iterations <=
        (is_meshed ? 7 : 15));                   // Newton's steps square the error: with a wrong derivative they do not
  CHECK(std::abs(flow.loss_w - loss_w) < 1e-3);  // as printed
  CHECK(std::abs(loss_var(flow) - loss_reactive_var) < 1e-3);
  const std::size_t last = end.weakest_bus;
  tests::report_verification({fmt::format("flow of {}, {}", name, is_meshed ? "Newton" : "sweeps"), "zimmerman2011",
                              "lowest voltage", end.weakest_ratio, feeder.solved_ratio[last], 1e-6, "1", "other tool"});
  tests::report_verification({fmt::format("flow of {}, {}", name, is_meshed ? "Newton" : "sweeps"), "zimmerman2011",
                              "losses", flow.loss_w, loss_w, 1e-3, "W", "other tool"});
}

TEST_CASE("loads of constant current and impedance lose what another computation says", "[verification][ac_flow]") {
  struct Case {
    const char* name;
    VoltageShares shares;
    double loss_w, lowest;
  };
  const VoltageShares current{0.0, 1.0, 0.0}, impedance{0.0, 0.0, 1.0};
  const Case one =
      GENERATE_COPY(Case{"feeder_33bw", current, 176.627695e3, 0.9193905262},
                    Case{"feeder_33bw", impedance, 156.872031e3, 0.9244679263},
                    Case{"feeder_12da", current, 18.945565e3, 0.0}, Case{"feeder_12da", impedance, 17.469109e3, 0.0});
  const bool is_meshed = GENERATE(false, true);
  tests::FeederCase feeder = tests::read_feeder_case(one.name);
  tests::share_loads(feeder, one.shares);
  const auto [end, flow] = solved_by(is_meshed, feeder.network, feeder.load_va);
  REQUIRE(end.is_solved);
  CHECK(std::abs(flow.loss_w - one.loss_w) < 1e-3);
  if (one.lowest > 0.0) CHECK(std::abs(end.weakest_ratio - one.lowest) < 1e-9);
}

TEST_CASE("with its ties closed, and as published best, the feeder of 33 buses loses what is known",
          "[verification][ac_flow]") {
  tests::FeederCase feeder = tests::read_feeder_case("feeder_33bw");
  for (AcBranch& branch : feeder.network.branches) branch.is_closed = true;
  CHECK_FALSE(build_radial_tree(feeder.network));
  const Solved meshed = solved_meshed(feeder.network, feeder.load_va);
  REQUIRE(meshed.end.is_solved);
  CHECK(std::abs(meshed.flow.loss_w - 123.290830e3) < 1e-3);
  CHECK(std::abs(loss_var(meshed.flow) - 87.923212e3) < 1e-3);
  CHECK(feeder.network.buses[meshed.end.weakest_bus].name == "32");
  CHECK(std::abs(meshed.end.weakest_ratio - 0.9532799207) < 1e-9);
  CHECK(std::abs(ratio_at(feeder.network, meshed.flow, "18") - 0.9539587949) < 1e-9);
  CHECK(std::abs(ratio_at(feeder.network, meshed.flow, "33") - 0.9534982083) < 1e-9);

  for (const auto& [one, other] : {std::pair{"7", "8"}, {"9", "10"}, {"14", "15"}, {"32", "33"}, {"25", "29"}})
    tests::branch_between(feeder, one, other).is_closed = false;
  const bool is_meshed = GENERATE(false, true);
  const Solved best = solved_by(is_meshed, feeder.network, feeder.load_va);
  REQUIRE(best.end.is_solved);
  CHECK(std::abs(best.flow.loss_w - 139.551347e3) < 1e-3);
  CHECK(std::abs(best.end.weakest_ratio - 0.9378191163) < 1e-9);
  if (!is_meshed)
    tests::report_verification({"feeder of 33 buses, the best of its radial positions", "baran1989", "losses",
                                best.flow.loss_w, 139.55e3, 10.0, "W", "published"});
}

TEST_CASE("the feeder of 33 buses carries 3.6 times its loads, and collapses at its end at 3.8 times",
          "[verification][ac_flow]") {
  const tests::FeederCase feeder = tests::read_feeder_case("feeder_33bw");
  const bool is_meshed = GENERATE(false, true);
  const Solved carried = solved_by(is_meshed, feeder.network, scaled(feeder.load_va, 3.6));
  REQUIRE(carried.end.is_solved);
  CHECK(std::abs(carried.end.weakest_ratio - 0.46667) < 1e-4);       // the printed page, which stopped a little early
  CHECK(std::abs(carried.end.weakest_ratio - 0.4667337748) < 1e-9);  // plain sweeps to 1e-13 in another language
  const Solved collapsed = solved_by(is_meshed, feeder.network, scaled(feeder.load_va, 3.8));
  CHECK_FALSE(collapsed.end.is_solved);
  CHECK(feeder.network.buses[collapsed.end.weakest_bus].name == "18");
  CHECK(std::isfinite(collapsed.end.weakest_ratio));
  CHECK(collapsed.flow.source_total_w == 0.0);
}

TEST_CASE("two buses have the voltage of their closed form, and collapse where it has none",
          "[verification][ac_flow]") {
  const AcNetwork network = two_buses();
  const double r = 0.01, x = 0.1, p = 0.8, q = 0.3;
  const double z2 = r * r + x * x, s2 = p * p + q * q, rpxq = r * p + x * q;
  // discriminant 0 at k times the load: (1 - 2 k rpxq)^2 = 4 k^2 z2 s2
  const double collapse = 1.0 / (2.0 * (std::sqrt(z2 * s2) + rpxq));
  CHECK(collapse == Approx(4.036614517).epsilon(1e-9));
  const bool is_meshed = GENERATE(false, true);
  for (const double factor : {0.1, 1.0, 3.0, 4.0, 0.9999 * collapse}) {
    const double b = 1.0 - 2.0 * factor * rpxq;
    const double expected = std::sqrt(0.5 * (b + std::sqrt(b * b - 4.0 * factor * factor * z2 * s2)));
    const auto [end, flow] = solved_by(is_meshed, network, {factor * Complex(p, q) * base_va});
    INFO("times " << factor);
    REQUIRE(end.is_solved);
    CHECK(std::abs(end.weakest_ratio - expected) < 1e-8);
    if (factor == 1.0) {
      CHECK(std::abs(end.weakest_ratio - 0.957052996) < 1e-9);
      tests::report_verification({fmt::format("two buses, {}", is_meshed ? "Newton" : "sweeps"), "closed form",
                                  "voltage", end.weakest_ratio, expected, 1e-8, "1"});
    }
  }
  // A load of constant impedance, half of that of the line: V = 1 / (1 + Z Y). Sweeps give up, with a number.
  AcNetwork passive = network;
  passive.loads[0].shares = {0.0, 0.0, 1.0};
  const Complex admittance = 2.0 / Complex(r, x);
  const auto [passive_end, passive_flow] = solved_by(is_meshed, passive, {std::conj(admittance) * base_va});
  CHECK(passive_end.is_solved == is_meshed);
  CHECK(std::isfinite(passive_end.weakest_ratio));
  if (is_meshed) CHECK(passive_end.weakest_ratio == Approx(1.0 / 3.0).epsilon(1e-9));
  for (const double factor : {1.0001 * collapse, 4.1, 10.0}) {
    const auto [end, flow] = solved_by(is_meshed, network, {factor * Complex(p, q) * base_va});
    INFO("times " << factor);
    CHECK_FALSE(end.is_solved);
    CHECK(network.buses[end.weakest_bus].name == "far");
    CHECK(std::isfinite(end.weakest_ratio));
  }
}
