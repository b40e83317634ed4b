// Networks among the flows of a plant: their places among signals, branches that are alike, and derivatives by states.
#include "twin/plant/equipment/network_flows.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/support/catch.hpp"
#include "twin/build/assembly/loop_network.hpp"
#include "twin/plant/equipment/flow_model.hpp"

using namespace wattloop;
using namespace wattloop::twin;

namespace {

// States: speeds of four pumps, position of a valve. Flows: of two kinds of rack, of pumps, of CDUs, of a stub, all of the CDUs.
// Inputs: the position of another valve, and a flow.
constexpr std::size_t valve_state = 4, first_flow = 5, flow_count = 10;
constexpr std::size_t small_rack = 5, large_rack = 6, pump_flow = 7, cdu_flow = 11, stub_flow = 13, total_flow = 14;
constexpr std::size_t valve_input = 15, flow_input = 16, signal_count = 17;

LoopFlows loop_of_two_kinds() {
  return {
      .racks = {{.count = 12.0, .resistance_pa_s2_per_kg2 = 4e4, .flow_signal = small_rack},
                {.count = 5.0, .resistance_pa_s2_per_kg2 = 9e3, .flow_signal = large_rack}},
      .cdu_resistance_pa_s2_per_kg2 = 100.0,
      .pump = {4.8e5, 5e3, -750.0},
      .cdus = {{{0, 1}, {pump_flow, pump_flow + 1}, cdu_flow}, {{2, 3}, {pump_flow + 2, pump_flow + 3}, cdu_flow + 1}}};
}

/// The loop, and between its headers a stub with a valve that a state moves and one that an input moves.
FlowLaws laws_of_loop() {
  NetworkFlows network = network_of(loop_of_two_kinds());
  const std::size_t between = network.node_count++;
  network.branches.push_back(
      {.one = {.from = 0, .to = between, .resistance_pa_s2_per_kg2 = 300.0, .valve = {900.0, 50.0}},
       .position_signal = valve_state,
       .flow_signal = stub_flow});
  network.branches.push_back({.one = {.from = between, .to = 1, .resistance_pa_s2_per_kg2 = 0.0, .valve = {400.0, 1.0}},
                              .position_signal = valve_input});
  return {.networks = {network},
          .driven = {},
          .sums = {{{{cdu_flow, 1.0}, {cdu_flow + 1, 1.0}}, total_flow}},
          .first_flow = first_flow,
          .flow_count = flow_count};
}

std::vector<double> signals_at(std::vector<double> states, double position_of_input) {
  states.resize(signal_count);
  states[valve_input] = position_of_input;
  return states;
}

}  // namespace

TEST_CASE("racks of two kinds on a loop share its coolant by the roots of their resistances", "[network_flows]") {
  const FlowModel flows(laws_of_loop());
  FlowScratch scratch = flows.make_scratch();
  for (const double position : {0.0, 0.6}) {
    std::vector<double> signals = signals_at({0.8, 0.0, 0.7, 0.75, position}, 1.0);
    flows.evaluate(signals, scratch);
    CHECK(signals[large_rack] / signals[small_rack] == Approx(std::sqrt(4e4 / 9e3)).epsilon(4e-6));
    CHECK(12.0 * signals[small_rack] + 5.0 * signals[large_rack] + signals[stub_flow] ==
          Approx(signals[total_flow]).epsilon(1e-13));
    CHECK(signals[pump_flow + 2] + signals[pump_flow + 3] == Approx(signals[cdu_flow + 1]).epsilon(1e-13));
    CHECK(signals[pump_flow + 1] == 0.0);  // its check valve is shut
    CHECK((signals[stub_flow] > 0.0) == (position > 0.0));
  }
}

TEST_CASE("a valve in series that an input closes stops the stub", "[network_flows]") {
  const FlowModel flows(laws_of_loop());
  FlowScratch scratch = flows.make_scratch();
  std::vector<double> signals = signals_at({0.8, 0.0, 0.7, 0.75, 1.0}, 0.0);
  flows.evaluate(signals, scratch);
  CHECK(std::abs(signals[stub_flow]) < 1e-12);
  CHECK(signals[small_rack] > 0.1);
}

TEST_CASE("branches that are alike flow as one of their count", "[network_flows]") {
  for (const double exponent : {2.0, 1.8}) {
    const auto solved = [&](double count, std::size_t branches) {
      const NetworkBranch pump{.one = {.from = 0, .to = 1, .resistance_pa_s2_per_kg2 = 2.0, .pump = {3e5, 1e3, -90.0}},
                               .speed_signal = 0};
      const NetworkBranch pipe{
          .one = {.from = 1, .to = 0, .resistance_pa_s2_per_kg2 = 2e3, .exponent = exponent, .valve = {1e4, 50.0}},
          .count = count,
          .position_signal = 1,
          .flow_signal = 2};
      const NetworkBranch helper{.one = {.from = 0,
                                         .to = 1,
                                         .resistance_pa_s2_per_kg2 = 50.0,
                                         .exponent = exponent,
                                         .pump = {2.9e5, 2e3, -700.0},
                                         .has_check_valve = true},
                                 .count = count,
                                 .speed_signal = 0};
      NetworkFlows flows{2, {pump}};
      flows.branches.insert(flows.branches.end(), branches, pipe);
      flows.branches.insert(flows.branches.end(), branches, helper);
      const NetworkModel model(flows, 2);
      NetworkScratch scratch = model.make_scratch();
      std::vector<double> signals{0.9, 0.7, 0.0};
      model.evaluate(signals, scratch);
      return signals[2];
    };
    CHECK(solved(7.0, 1) == Approx(solved(1.0, 7)).epsilon(1e-11));
    CHECK(solved(7.0, 1) > 0.1);
  }
}

TEST_CASE("flows of networks have derivatives by their states, and sums of them too", "[network_flows]") {
  const FlowModel flows(laws_of_loop());
  FlowScratch scratch = flows.make_scratch();
  FlowDerivatives derivatives = flows.make_derivatives();
  const std::vector<double> states{0.8, 0.85, 0.7, 0.75, 0.6};
  flows.differentiate(signals_at(states, 0.9), derivatives);
  for (const std::size_t flow : {small_rack, large_rack, pump_flow, cdu_flow + 1, stub_flow, total_flow}) {
    const auto by_state = derivatives.of_flow(flow - first_flow);
    REQUIRE(by_state.size() == states.size());  // the valve that an input moves is none
    for (std::size_t state = 0; state < states.size(); ++state) {
      constexpr double step = 1e-6;
      std::vector<double> above = states, below = states;
      above[state] += step, below[state] -= step;
      std::vector<double> more = signals_at(above, 0.9), less = signals_at(below, 0.9);
      flows.evaluate(more, scratch);
      flows.evaluate(less, scratch);
      const auto derivative = std::ranges::find(by_state, state, &FlowDerivative::state);
      REQUIRE(derivative != by_state.end());
      INFO("flow " << flow << " by state " << state);
      CHECK(derivative->kg_per_s == Approx((more[flow] - less[flow]) / (2.0 * step)).epsilon(1e-6).margin(1e-6));
    }
  }
}

TEST_CASE("a network that was solved for other settings gives the same bytes again", "[network_flows]") {
  const FlowModel flows(laws_of_loop());
  FlowScratch scratch = flows.make_scratch();
  std::vector<double> first = signals_at({0.8, 0.2, 0.7, 0.75, 0.6}, 0.9), again = first;
  flows.evaluate(first, scratch);
  std::vector<double> others = signals_at({0.3, 0.9, 0.0, 0.1, 0.0}, 0.4);
  flows.evaluate(others, scratch);
  flows.evaluate(again, scratch);
  CHECK(first == again);
  CHECK(first[stub_flow] != others[stub_flow]);
}

TEST_CASE("a flow that is imposed comes from its signal, and is no number where it cannot go", "[network_flows]") {
  const NetworkBranch imposed{.one = {.from = 0, .to = 1, .resistance_pa_s2_per_kg2 = 0.0, .is_imposed = true},
                              .imposed_signal = flow_input};
  const NetworkBranch back{.one = {.from = 1, .to = 0, .resistance_pa_s2_per_kg2 = 10.0, .valve = {40.0, 50.0}},
                           .position_signal = valve_input,
                           .flow_signal = stub_flow};
  const NetworkModel model({2, {imposed, back}}, first_flow);
  NetworkScratch scratch = model.make_scratch();
  std::vector<double> signals = signals_at({}, 0.5);
  signals[flow_input] = 6.5;
  model.evaluate(signals, scratch);
  CHECK(signals[stub_flow] == Approx(6.5).epsilon(1e-13));
  signals[valve_input] = 0.0;
  model.evaluate(signals, scratch);
  CHECK(std::isnan(signals[stub_flow]));
}
