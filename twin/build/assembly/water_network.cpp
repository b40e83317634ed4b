#include "twin/build/assembly/water_network.hpp"

#include <algorithm>
#include <utility>

namespace wattloop::twin {

namespace {

constexpr std::size_t return_header = 0;
constexpr std::size_t supply_header = 1;

/// Share of the rated pressure of a pump that its own branch takes at rated flow: fittings and check valve, an engineering estimate.
constexpr double pump_branch_share = 0.05;

/// Of a pressure drop, in a valve that shuts a branch off: an engineering estimate.
constexpr double shutoff_share = 0.05;

/// Of control valves, near which solutions are looked for first: two thirds of the design flow.
constexpr double usual_position_fraction = 0.9;

/// What a system's pumps move water through: one, or several alike on the same flow.
struct User {
  FlowId flow;
  Drive drive;
  double count = 0.0;
  double design_kg_per_s = 0.0;  ///< of one
};

/// How many passages of that flow leave the supply header.
double count_of(FlowId flow, const FluidSystem& system, const std::vector<Stream>& streams) {
  return static_cast<double>(std::ranges::count_if(
      streams, [&](const Stream& stream) { return stream.flow == code_of(flow) && stream.from == system.supply; }));
}

std::vector<User> take_users(const FluidSystem& system, Diagram& diagram) {
  std::vector<User> users;
  std::erase_if(diagram.drives, [&](const auto& driven) {
    const auto& [flow, drive] = driven;
    if (drive.pumps != system.pumps || drive.motor) return false;
    User user{flow, drive, count_of(flow, system, diagram.streams), drive.design_kg_per_s};
    if (drive.design_input) user.design_kg_per_s *= diagram.inputs[drive.design_input->number].second;
    if (user.count == 0.0 || user.design_kg_per_s <= 0.0) return false;
    users.push_back(std::move(user));
    return true;
  });
  return users;
}

/// Between two nodes, so that it takes its design flow from that pressure.
NetworkBranch branch_of(const User& user, std::size_t from, std::size_t to, double pressure_pa) {
  const double whole = physics::quadratic_resistance_pa_s2_per_kg2(pressure_pa, user.design_kg_per_s);
  NetworkBranch branch{.one = {.from = from, .to = to, .resistance_pa_s2_per_kg2 = whole},
                       .count = user.count,
                       .flow_signal = code_of(user.flow)};
  if (user.drive.valve_state) {
    const physics::CduParams& valve = user.drive.valve;
    branch.one.valve =
        physics::valve_of_authority(whole, valve.valve_authority_fraction, valve.valve_rangeability_ratio);
    branch.one.resistance_pa_s2_per_kg2 = whole - branch.one.valve.open_resistance_pa_s2_per_kg2;
    branch.position_signal = *user.drive.valve_state;
    branch.usual_position_fraction = usual_position_fraction;
  }
  if (user.drive.shutoff_input) {
    branch.one.valve = physics::valve_of_authority(whole, shutoff_share, 1.0);
    branch.one.resistance_pa_s2_per_kg2 = whole - branch.one.valve.open_resistance_pa_s2_per_kg2;
    branch.position_signal = code_of(*user.drive.shutoff_input);
  }
  if (user.drive.design_input) {
    branch.passage_signal = code_of(*user.drive.design_input);
    branch.passage_per_signal = user.drive.design_kg_per_s / user.design_kg_per_s;
  }
  if (user.drive.passage_input) branch.clog_signal = code_of(*user.drive.passage_input);
  return branch;
}

/// A pipe of the supply or of the return header, half of the drop each.
NetworkBranch pipe(std::size_t from, std::size_t to, double half_drop_pa, double design_kg_per_s) {
  return {
      .one = {.from = from,
              .to = to,
              .resistance_pa_s2_per_kg2 = physics::quadratic_resistance_pa_s2_per_kg2(half_drop_pa, design_kg_per_s)}};
}

void add_users(const std::vector<User>& users, const HeaderPumps& pumps, NetworkFlows& network) {
  double pressure_pa = (1.0 - pump_branch_share) * pumps.rated_pressure_pa;
  double beyond_kg_per_s = 0.0;
  for (const User& user : users) beyond_kg_per_s += user.count * user.design_kg_per_s;
  const double drop_pa = pumps.header_pressure_drop_pa / static_cast<double>(users.size());
  std::size_t supply = supply_header, back = return_header;
  for (const User& user : users) {
    if (drop_pa > 0.0) {
      const std::size_t next_supply = network.node_count++, next_back = network.node_count++;
      network.branches.push_back(pipe(supply, next_supply, 0.5 * drop_pa, beyond_kg_per_s));
      network.branches.push_back(pipe(next_back, back, 0.5 * drop_pa, beyond_kg_per_s));
      supply = next_supply;
      back = next_back;
      pressure_pa -= drop_pa;
      beyond_kg_per_s -= user.count * user.design_kg_per_s;
    }
    network.branches.push_back(branch_of(user, supply, back, pressure_pa));
  }
}

void add_pumps(const HeaderPumps& pumps, const Diagram& diagram, NetworkFlows& network) {
  const double resistance = physics::quadratic_resistance_pa_s2_per_kg2(pump_branch_share * pumps.rated_pressure_pa,
                                                                        pumps.rated_flow_kg_per_s);
  for (std::size_t p = 0; p < pumps.each.size(); ++p) {
    const auto& [motor, flow] = pumps.each[p];
    network.branches.push_back({.one = {.from = return_header,
                                        .to = supply_header,
                                        .resistance_pa_s2_per_kg2 = resistance,
                                        .pump = pumps.curve,
                                        .has_check_valve = true},
                                .speed_signal = diagram.motors[motor.number].speed_state,
                                .usual_speed_fraction = p < pumps.duty ? 1.0 : 0.0,
                                .flow_signal = code_of(flow)});
  }
}

/// Share of the controlled pressure that is lost in the branch that imposes it: a small resistance, but not zero.
constexpr double controlled_branch_share = 1e-6;

/// Users between two nodes with a controlled pressure between them.
NetworkFlows network_at_controlled_pressure(const ControlledPressure& controlled, const std::vector<User>& users) {
  NetworkFlows network{.node_count = 2, .branches = {}};
  double all_kg_per_s = 0.0;
  for (const User& user : users) {
    network.branches.push_back(
        branch_of(user, supply_header, return_header, (1.0 - controlled_branch_share) * controlled.rated_pa));
    all_kg_per_s += user.count * user.design_kg_per_s;
  }
  network.branches.push_back({.one = {.from = return_header,
                                      .to = supply_header,
                                      .resistance_pa_s2_per_kg2 = physics::quadratic_resistance_pa_s2_per_kg2(
                                          controlled_branch_share * controlled.rated_pa, all_kg_per_s)},
                              .imposed_signal = code_of(controlled.pressure)});
  return network;
}

}  // namespace

void make_water_networks(Diagram& diagram) {
  for (const ControlledPressure& controlled : diagram.controlled_pressures) {
    const std::vector<User> users = take_users(diagram.system(controlled.system), diagram);
    if (!users.empty()) diagram.networks.push_back(network_at_controlled_pressure(controlled, users));
  }
  for (const HeaderPumps& pumps : diagram.header_pumps) {
    const std::vector<User> users = take_users(diagram.system(pumps.system), diagram);
    NetworkFlows network{.node_count = 2, .branches = {}};
    if (users.empty()) {  // no one runs pumps against nothing
      std::ranges::find(diagram.motor_groups, diagram.system(pumps.system).pumps, &MotorGroup::name)->duty = 0;
    } else {
      add_users(users, pumps, network);
    }
    add_pumps(pumps, diagram, network);
    diagram.networks.push_back(std::move(network));
  }
}

}  // namespace wattloop::twin
