#include "twin/build/assembly/loop_network.hpp"

namespace wattloop::twin {

namespace {

constexpr std::size_t supply_header = 0;
constexpr std::size_t return_header = 1;

/// Share of a CDU's internal pressure drop that lies in each pump's own branch: suction, discharge and check valve.
constexpr double pump_branch_share = 0.2;

void add_cdu(const LoopFlows& loop, const CduFlows& cdu, NetworkFlows& network) {
  const std::size_t inside = network.node_count++;
  for (std::size_t p = 0; p < cdu.pump_speed_states.size(); ++p) {
    network.branches.push_back(
        {.one = {.from = return_header,
                 .to = inside,
                 .resistance_pa_s2_per_kg2 = pump_branch_share * loop.cdu_resistance_pa_s2_per_kg2,
                 .exponent = loop.cdu_exponent,
                 .pump = loop.pump,
                 .has_check_valve = true},
         .speed_signal = cdu.pump_speed_states[p],
         .usual_speed_fraction = p == 0 ? 1.0 : 0.0,  // the others stand by
         .flow_signal = cdu.pump_flow_signals[p]});
  }
  network.branches.push_back(
      {.one = {.from = inside,
               .to = supply_header,
               .resistance_pa_s2_per_kg2 = (1.0 - pump_branch_share) * loop.cdu_resistance_pa_s2_per_kg2,
               .exponent = loop.cdu_exponent},
       .passage_signal = cdu.passage_signal,
       .flow_signal = cdu.flow_signal});
}

}  // namespace

double LoopFlows::rack_count() const {
  double count = 0.0;
  for (const RackFlows& kind : racks) count += kind.count;
  return count;
}

NetworkFlows network_of(const LoopFlows& loop) {
  NetworkFlows network{.node_count = 2, .branches = {}};
  for (const RackFlows& kind : loop.racks) {
    if (kind.count == 0.0) continue;
    network.branches.push_back({.one = {.from = supply_header,
                                        .to = return_header,
                                        .resistance_pa_s2_per_kg2 = kind.resistance_pa_s2_per_kg2,
                                        .exponent = loop.rack_exponent},
                                .count = kind.count,
                                .passage_signal = kind.passage_signal,
                                .flow_signal = kind.flow_signal});
  }
  for (const CduFlows& cdu : loop.cdus) add_cdu(loop, cdu, network);
  return network;
}

}  // namespace wattloop::twin
