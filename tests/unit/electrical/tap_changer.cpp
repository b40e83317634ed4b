// Tap changers: the voltage comes into the dead band by the taps that a count by hand says, or to the last tap; a narrow band is refused.
#include "electrical/flow/tap_changer.hpp"

#include <cmath>
#include <vector>

#include "electrical/admittance/per_unit.hpp"
#include "electrical/flow/meshed_flow.hpp"
#include "electrical/flow/radial_flow.hpp"
#include "tests/support/catch.hpp"

using namespace wattloop::electrical;

namespace {

/// A transformer without load: its voltage is that of the source over its ratio.
AcNetwork unloaded(double source_ratio) {
  return {.buses = {{"high", 110e3}, {"low", 20e3}},
          .branches = {{.name = "transformer", .from = 0, .to = 1, .reactance_ohm = 2.0}},
          .loads = {{"load", 1}},
          .sources = {{.name = "grid", .bus = 0, .voltage_ratio = source_ratio}}};
}

struct Settled {
  TapsEnd end;
  int tap;
  double voltage_ratio;
};

Settled settled(AcNetwork network, const TapChanger& changer, double load_w) {
  const std::vector<Complex> load_va{Complex(load_w, 0.5 * load_w)};
  AcFlow flow = make_ac_flow(network);
  MeshedFlow solver(network);
  std::vector<int> taps{0};
  const TapsEnd end = settle_taps(network, std::vector{changer}, taps, flow, [&] {
    solver.take_switches();
    return solver.solve(load_va, flow);
  });
  return {end, taps[0], flow.bus_voltage_v[1] / 20e3};
}

constexpr TapChanger changer{.branch = 0, .bus = 1};

}  // namespace

TEST_CASE("a tap changer moves by the steps that a count by hand says", "[tap_changer]") {
  // 1.07 / (1 + 0.0125 n) is within 1 +- 0.0125 from n = 5 on: 1.0071; at n = 4 it is 1.0190.
  const Settled high = settled(unloaded(1.07), changer, 0.0);
  CHECK(high.end.are_settled);
  CHECK(high.tap == 5);
  CHECK(high.end.rounds == 6);
  CHECK(high.voltage_ratio == Approx(1.07 / 1.0625).epsilon(1e-9));
  // 0.95 / (1 - 0.0125 n): 0.9870 at 3, 1.0 at 4.
  CHECK(settled(unloaded(0.95), changer, 0.0).tap == -4);
  CHECK(settled(unloaded(1.012), changer, 0.0).tap == 0);
}

TEST_CASE("a tap changer stops at its last tap, and holds the voltage of a loaded transformer", "[tap_changer]") {
  const Settled last = settled(unloaded(0.85), changer, 0.0);
  CHECK(last.end.are_settled);
  CHECK(last.tap == -8);
  CHECK(last.voltage_ratio == Approx(0.85 / 0.9).epsilon(1e-9));
  const Settled loaded = settled(unloaded(1.0), changer, 20e6);
  CHECK(loaded.end.are_settled);
  CHECK(loaded.tap < 0);
  CHECK(std::abs(loaded.voltage_ratio - 1.0) <= 0.0125);
}

TEST_CASE("without a solution taps are not settled", "[tap_changer]") {
  const Settled none = settled(unloaded(1.0), changer, 1e9);
  CHECK_FALSE(none.end.are_settled);
  CHECK_FALSE(none.end.flow.is_solved);
}

TEST_CASE("a dead band narrower than a step is refused", "[tap_changer]") {
  TapChanger narrow = changer;
  narrow.dead_band_ratio = 0.01;
  const AcNetwork network = unloaded(1.0);
  REQUIRE(mistakes_in(network, std::vector{narrow}).size() == 1);
  CHECK(mistakes_in(network, std::vector{narrow})[0] ==
        "tap changer of 'transformer': its dead band of 0.01 is narrower than a step of 0.0125");
  CHECK(mistakes_in(network, std::vector{changer}).empty());
  narrow.branch = 3;
  CHECK(mistakes_in(network, std::vector{narrow}).size() == 1);
}
