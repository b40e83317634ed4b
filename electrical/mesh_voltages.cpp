#include "electrical/mesh_voltages.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "electrical/admittance/per_unit.hpp"

namespace wattloop::electrical {

namespace {

constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
constexpr double contact_per_unit = 1e-9;
constexpr double settled_change = 1e-11;
constexpr int most_rounds = 200;

enum class RootKind { dead, feed, standby, converter };

/// The source that feeds a bus, directly or through other buses.
struct Root {
  RootKind kind = RootKind::dead;
  int bus = no_bus;
};

/// [buses]
std::vector<Root> roots_of(const PowerTree& tree, const SwitchState& switches) {
  std::vector<Root> roots(tree.bus_name.size());
  for (std::size_t source = 0; source < tree.source_name.size(); ++source) {
    if (switches.source_share[source] <= 0.0) continue;
    roots[static_cast<std::size_t>(tree.source_bus[source])] = {
        tree.source_is_standby[source] != 0 ? RootKind::standby : RootKind::feed, tree.source_bus[source]};
  }
  for (std::size_t place = 0; place < tree.branch_name.size(); ++place) {
    const std::size_t branch = switches.branch_order.empty() ? place : switches.branch_order[place];
    if (!feeds_its_bus(switches, branch)) continue;
    const auto [from, to] = ends_of_flow(tree, switches, branch);
    Root& root = roots[static_cast<std::size_t>(to)];
    root =
        tree.branch_makes_voltage[branch] != 0 ? Root{RootKind::converter, to} : roots[static_cast<std::size_t>(from)];
  }
  return roots;
}

constexpr std::string_view is_converter =
    "a UPS or converter makes its own voltage, so no other source may feed its bus";
constexpr std::string_view is_behind_converter =
    "a bus downstream of a UPS or converter has its own voltage and cannot be connected to another feed";
constexpr std::string_view is_standby = "a generator is not synchronous with other feeds";

std::string_view why_not(const PowerTree& tree, const SwitchState& switches, const std::vector<Root>& roots,
                         std::size_t branch) {
  if (switches.branch_mode[branch] != BranchMode::idle) return {};
  if (tree.branch_makes_voltage[branch] != 0) return is_converter;
  const Root& from = roots[static_cast<std::size_t>(tree.branch_from[branch])];
  const Root& to = roots[static_cast<std::size_t>(tree.branch_to[branch])];
  if (from.bus == to.bus) return {};
  if (from.kind == RootKind::standby || to.kind == RootKind::standby) return is_standby;
  return from.kind == to.kind ? std::string_view() : is_behind_converter;
}

bool is_link(const PowerTree& tree, const SwitchState& switches, const std::vector<Root>& roots, std::size_t branch) {
  if (switches.branch_mode[branch] != BranchMode::idle) return false;
  const auto is_dead = [&](int bus) { return roots[static_cast<std::size_t>(bus)].kind == RootKind::dead; };
  if (is_dead(tree.branch_from[branch]) || is_dead(tree.branch_to[branch])) return false;
  return why_not(tree, switches, roots, branch).empty();
}

}  // namespace

std::vector<std::uint8_t> links_of(const PowerTree& tree, const SwitchState& switches) {
  std::vector<std::uint8_t> links(tree.branch_name.size(), 0);
  if (std::ranges::find(switches.branch_mode, BranchMode::idle) == switches.branch_mode.end()) return links;
  const std::vector<Root> roots = roots_of(tree, switches);
  for (std::size_t branch = 0; branch < links.size(); ++branch)
    links[branch] = is_link(tree, switches, roots, branch) ? 1 : 0;
  return links;
}

std::string_view why_no_link(const PowerTree& tree, const SwitchState& switches, std::size_t branch) {
  return why_not(tree, switches, roots_of(tree, switches), branch);
}

SwitchPosition position_of(const SwitchState& switches) {
  return {switches.branch_mode, switches.branch_is_reversed, switches.branch_in_service_share, switches.source_share,
          switches.branch_tap};
}

bool is_at(const SwitchPosition& position, const SwitchState& switches) {
  return position.branch_mode == switches.branch_mode && position.branch_is_reversed == switches.branch_is_reversed &&
         position.branch_in_service_share == switches.branch_in_service_share &&
         position.source_share == switches.source_share && position.branch_tap == switches.branch_tap;
}

MeshVoltages::MeshVoltages(const PowerTree& tree, const VoltageModel& model)
    : tree_(tree), model_(model), number_(tree.branch_name.size(), none), source_at_(tree.bus_name.size(), none) {
  const std::size_t buses = tree.bus_name.size();
  const auto add_source = [&](int bus) {
    std::size_t& source = source_at_[static_cast<std::size_t>(bus)];
    if (source != none) return;
    source = network_.sources.size();
    network_.sources.push_back(
        {.name = tree.bus_name[static_cast<std::size_t>(bus)], .bus = static_cast<std::size_t>(bus), .is_live = false});
  };
  for (std::size_t bus = 0; bus < buses; ++bus) network_.buses.push_back({tree.bus_name[bus], model.nominal_v[bus]});
  for (const double impedance_fraction : {0.0, 1.0}) {
    for (std::size_t bus = 0; bus < buses; ++bus)
      network_.loads.push_back(
          {.name = tree.bus_name[bus],
           .bus = bus,
           .shares = {.power_fraction = 1.0 - impedance_fraction, .impedance_fraction = impedance_fraction}});
  }
  for (const int bus : tree.source_bus) add_source(bus);
  for (std::size_t branch = 0; branch < tree.branch_name.size(); ++branch) {
    if (tree.branch_makes_voltage[branch] != 0) {
      add_source(tree.branch_to[branch]);
      continue;
    }
    number_[branch] = network_.branches.size();
    network_.branches.push_back({.name = tree.branch_name[branch],
                                 .from = static_cast<std::size_t>(tree.branch_from[branch]),
                                 .to = static_cast<std::size_t>(tree.branch_to[branch]),
                                 .reactance_ohm = 1.0,  // until it is known what is in service
                                 .ratio = model.ratio[branch],
                                 .is_closed = false});
  }
  load_va_.resize(2 * buses);
  flow_ = make_ac_flow(network_);
}

bool MeshVoltages::take_switches(const SwitchState& switches) {
  is_link_ = links_of(tree_, switches);
  for (AcSource& source : network_.sources) source.is_live = false;
  for (std::size_t source = 0; source < tree_.source_name.size(); ++source) {
    if (switches.source_share[source] > 0.0)
      network_.sources[source_at_[static_cast<std::size_t>(tree_.source_bus[source])]].is_live = true;
  }
  for (std::size_t branch = 0; branch < tree_.branch_name.size(); ++branch) {
    if (number_[branch] == none) {
      if (feeds_its_bus(switches, branch))
        network_.sources[source_at_[static_cast<std::size_t>(tree_.branch_to[branch])]].is_live = true;
      continue;
    }
    AcBranch& one = network_.branches[number_[branch]];
    one.is_closed = is_link_[branch] != 0 || switches.branch_mode[branch] == BranchMode::carrying;
    if (!one.is_closed) continue;
    const double share = switches.branch_in_service_share[branch];
    one.ratio = model_.ratio[branch] * tap_ratio(tree_, switches, branch);
    one.resistance_ohm = model_.resistance_ohm[branch] / share;
    one.reactance_ohm = model_.reactance_ohm[branch] / share;
    const double contact_ohm = contact_per_unit * base_ohm(network_.buses[one.to]);
    if (std::hypot(one.resistance_ohm, one.reactance_ohm) < contact_ohm) {
      one.resistance_ohm = 0.0;
      one.reactance_ohm = contact_ohm;
    }
  }
  if (newton_) {
    newton_->take_switches();
  } else {
    newton_.emplace(network_);
  }
  return std::ranges::find(is_link_, 1) != is_link_.end();
}

/// Power of the buses that does not flow through impedances: loads, inputs of converters, proportional losses, iron losses.
void MeshVoltages::collect_loads(const SwitchState& switches, const PowerFlow& flow) {
  std::ranges::fill(load_va_, Complex(0.0));
  for (std::size_t load = 0; load < tree_.load_name.size(); ++load) {
    const double both = switches.cord_share[load][0] + switches.cord_share[load][1];
    for (std::size_t cord = 0; cord < 2; ++cord) {
      const double share = switches.cord_share[load][cord];
      if (share <= 0.0) continue;
      const double cord_w = share / both * flow.load_served_w[load];
      load_va_[static_cast<std::size_t>(tree_.load_bus[load][cord])] +=
          cord_w * Complex(1.0, model_.load_tangent[load]);
    }
  }
  const std::size_t iron = tree_.bus_name.size();
  for (std::size_t branch = 0; branch < tree_.branch_name.size(); ++branch) {
    const BranchMode mode = switches.branch_mode[branch];
    if (mode == BranchMode::dead || mode == BranchMode::on_battery) continue;
    const BranchWay way = way_of(tree_, model_, switches, branch);
    if (number_[branch] == none) {
      load_va_[way.from] += flow.branch_input_w[branch] * Complex(1.0, tree_.branch_input_tangent[branch]);
      continue;
    }
    const LossCurve curve = in_service(tree_.branch_loss[branch], switches.branch_in_service_share[branch]);
    load_va_[way.from] += curve.linear_ratio * flow.branch_output_w[branch];
    const double over_base = model_.nominal_v[way.to] / way.base_v, nominal_v = model_.nominal_v[way.to];
    load_va_[iron + way.from] +=
        Complex(curve.constant_w * over_base * over_base, way.magnetising_s * nominal_v * nominal_v) /
        (way.ratio * way.ratio);
  }
}

void MeshVoltages::take_results(const SwitchState& switches, const PowerFlow& flow, TreeVoltages& v) const {
  std::ranges::copy(newton_->voltage(), v.bus.begin());
  std::ranges::copy(flow.bus_w, v.bus_w.begin());
  for (std::size_t bus = 0; bus < v.bus.size(); ++bus) v.bus_var[bus] = load_va_[bus].imag();
  for (std::size_t branch = 0; branch < tree_.branch_name.size(); ++branch) {
    v.branch_output_w[branch] = v.branch_output_var[branch] = v.branch_input_var[branch] = 0.0;
    const BranchMode mode = switches.branch_mode[branch];
    if (mode == BranchMode::dead) continue;
    const BranchWay way = way_of(tree_, model_, switches, branch);
    if (number_[branch] == none) {
      if (mode != BranchMode::on_battery)
        v.branch_input_var[branch] = flow.branch_input_w[branch] * tree_.branch_input_tangent[branch];
      if (!feeds_its_bus(switches, branch)) continue;
      v.branch_output_w[branch] = flow.branch_output_w[branch];
      v.branch_output_var[branch] = flow_.source[source_at_[way.to]].reactive_var;
      continue;
    }
    const AcBranch& one = network_.branches[number_[branch]];
    const Complex current = std::conj(newton_->series_current()[number_[branch]]) * base_va;
    const Complex at_from = v.bus[one.from] / one.ratio * current, at_to = v.bus[one.to] * current;
    const bool is_reversed = way.from != one.from;
    const Complex output = is_reversed ? -at_from : at_to, input = is_reversed ? -at_to : at_from;
    const double middle_v = std::abs(v.bus[way.from]) / way.ratio * model_.nominal_v[way.to];
    v.branch_output_w[branch] = output.real();
    v.branch_output_var[branch] = output.imag();
    v.branch_input_var[branch] = input.imag() + way.magnetising_s * middle_v * middle_v;
    v.bus_var[way.from] += std::max(0.0, input.imag());
    v.bus_var[way.from] += way.magnetising_s * middle_v * middle_v;
    v.bus_var[way.to] += std::max(0.0, -output.imag());
  }
  for (std::size_t source = 0; source < tree_.source_name.size(); ++source) {
    const std::size_t at = source_at_[static_cast<std::size_t>(tree_.source_bus[source])];
    v.source_var[source] = switches.source_share[source] * flow_.source[at].reactive_var;
  }
}

FlowEnd MeshVoltages::solve(const SwitchState& switches, const PowerFlow& flow, TreeVoltages& voltages) {
  collect_loads(switches, flow);
  newton_->start_from(voltages.bus);
  const FlowEnd end = newton_->solve(load_va_, flow_);
  if (end.is_solved) take_results(switches, flow, voltages);
  return end;
}

FlowEnd MeshVoltages::settle(const PowerDemand& demand, SwitchState& switches, PowerFlow& flow,
                             TreeVoltages& voltages) {
  const HeldFactors before = take_factors(switches);
  voltages = make_tree_voltages(tree_);
  FlowEnd end;
  for (int round = 1; round <= most_rounds; ++round) {
    const std::vector<Complex> last = voltages.bus;
    const std::vector<double> last_w = voltages.branch_output_w;
    evaluate(tree_, demand, switches, flow);
    end = solve(switches, flow, voltages);
    if (!end.is_solved) break;
    set_factors(tree_, model_, voltages, flow, switches);
    double change = 0.0, most_w = 1.0, change_w = 0.0;
    for (std::size_t bus = 0; bus < last.size(); ++bus)
      change = std::max(change, std::abs(voltages.bus[bus] - last[bus]));
    for (std::size_t branch = 0; branch < last_w.size(); ++branch) {
      most_w = std::max(most_w, std::abs(last_w[branch]));
      change_w = std::max(change_w, std::abs(voltages.branch_output_w[branch] - last_w[branch]));
    }
    // A current through contacts is as exact as the difference of two voltages.
    if (round == 1 || change > settled_change || change_w > 1e-7 * most_w) continue;
    evaluate(tree_, demand, switches, flow);
    return end;
  }
  end.is_solved = false;
  give_factors(before, switches);
  return end;
}

}  // namespace wattloop::electrical
