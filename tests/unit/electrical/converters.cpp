// Two UPS in a row between a feeder and its load: what each draws is what the next delivers and what it loses, by hand.
#include "electrical/flow/converters.hpp"

#include <cmath>
#include <vector>

#include "electrical/admittance/per_unit.hpp"
#include "electrical/flow/ac_solver.hpp"
#include "tests/support/catch.hpp"

using namespace wattloop::electrical;

namespace {

/// Grid, feeder, first converter, feeder, second converter, feeder, load.
AcNetwork two_in_a_row() {
  AcNetwork network;
  for (const char* name : {"grid", "input_1", "output_1", "input_2", "output_2", "rack"})
    network.buses.push_back({name, 400.0});
  for (const std::size_t from : {0, 2, 4})
    network.branches.push_back(
        {.name = "feeder", .from = from, .to = from + 1, .resistance_ohm = 0.004, .reactance_ohm = 0.002});
  network.loads = {{"input_1", 1}, {"input_2", 3}, {"rack", 5}};
  network.sources = {{.name = "grid", .bus = 0, .reactance_ohm = 0.01},
                     {.name = "output_1", .bus = 2},
                     {.name = "output_2", .bus = 4, .voltage_ratio = 1.01}};
  return network;
}

const std::vector<AcConverter> in_a_row{{.source = 1, .load = 0}, {.source = 2, .load = 1}};

/// Loses 1 kW and 3 %, at a power factor of 0.99.
Complex input_va(double output_w) {
  const double active_w = output_w > 0.0 ? 1e3 + 1.03 * output_w : 0.0;
  return {active_w, active_w * std::tan(std::acos(0.99))};
}

struct Settled {
  FlowEnd end;
  AcFlow flow;
  std::vector<Complex> load_va;
  int passes = 0;
};

Settled settled(const AcNetwork& network, const std::vector<AcConverter>& converters, std::vector<Complex> load_va) {
  Settled result{{}, make_ac_flow(network), std::move(load_va)};
  AcSolver solver(network, FlowMethod::automatic);
  result.end = settle_converters(
      converters, result.load_va, result.flow, [](std::size_t, double output_w) { return input_va(output_w); },
      [&] {
        ++result.passes;
        return solver.solve(result.load_va, result.flow);
      });
  return result;
}

}  // namespace

TEST_CASE("converters in a row draw what the next delivers and what they lose", "[converters]") {
  const AcNetwork network = two_in_a_row();
  const Settled result = settled(network, in_a_row, {0.0, 0.0, Complex(100e3, 20e3)});
  REQUIRE(result.end.is_solved);
  CHECK(result.passes == 3);
  const auto loss_w = [&](std::size_t feeder) { return result.flow.branch_loss_w[feeder]; };
  const double first_w = 1e3 + 1.03 * (100e3 + loss_w(2)), second_w = 1e3 + 1.03 * (first_w + loss_w(1));
  CHECK(result.flow.load[1].active_w == Approx(first_w).epsilon(1e-9));
  CHECK(result.flow.load[0].active_w == Approx(second_w).epsilon(1e-9));
  CHECK(result.flow.source[0].active_w == Approx(second_w + loss_w(0)).epsilon(1e-9));
  CHECK(result.flow.source[0].reactive_var > 0.14 * second_w);  // of the rectifier, not of the racks
  CHECK(result.flow.bus_voltage_v[4] == Approx(404.0));
  // From there nothing is left to do.
  CHECK(settled(network, in_a_row, result.load_va).passes == 1);
}

TEST_CASE("converters in a ring have no solution", "[converters]") {
  AcNetwork network = two_in_a_row();
  network.branches.push_back(
      {.name = "ring", .from = 3, .to = 1, .resistance_ohm = 0.004, .is_closed = true});  // input 1 on output 1
  network.branches.erase(network.branches.begin());
  CHECK_FALSE(settled(network, in_a_row, {0.0, 0.0, Complex(100e3, 20e3)}).end.is_solved);
}
