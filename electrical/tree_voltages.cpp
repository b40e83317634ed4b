#include "electrical/tree_voltages.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace wattloop::electrical {

namespace {

constexpr double collapsed_ratio = 0.01;
constexpr double settled_change = 1e-12;
constexpr int most_sweeps = 2000;

std::size_t in_order(const SwitchState& switches, std::size_t place) {
  return switches.branch_order.empty() ? place : switches.branch_order[place];
}

/// Rated voltage of a transformer on the side `to`; for all other equipment the nominal voltage of its bus.
double base_v(const PowerTree& tree, const VoltageModel& model, std::size_t branch) {
  const TransformerRating& rating = tree.branch_transformer[branch];
  return rating.rated_va > 0.0 ? rating.to_v : model.nominal_v[static_cast<std::size_t>(tree.branch_to[branch])];
}

/// Reactive power from the loads to the sources.
void sweep_up(const PowerTree& tree, const VoltageModel& model, const SwitchState& switches, const PowerFlow& flow,
              TreeVoltages& v) noexcept {
  std::ranges::fill(v.bus_var, 0.0);
  for (std::size_t load = 0; load < tree.load_name.size(); ++load) {
    for (std::size_t cord = 0; cord < 2; ++cord) {
      const double share = switches.cord_share[load][cord];
      if (share <= 0.0) continue;
      const double both = switches.cord_share[load][0] + switches.cord_share[load][1];
      v.bus_var[static_cast<std::size_t>(tree.load_bus[load][cord])] +=
          share / both * flow.load_served_w[load] * model.load_tangent[load];
    }
  }
  for (std::size_t place = tree.branch_name.size(); place-- > 0;) {
    const std::size_t branch = in_order(switches, place);
    v.branch_output_var[branch] = v.branch_input_var[branch] = 0.0;
    const BranchMode mode = switches.branch_mode[branch];
    if (mode == BranchMode::dead) continue;
    const BranchWay way = way_of(tree, model, switches, branch);
    if (feeds_its_bus(switches, branch)) v.branch_output_var[branch] = v.bus_var[way.to];
    if (mode == BranchMode::on_battery) continue;
    double& input_var = v.branch_input_var[branch];
    if (tree.branch_makes_voltage[branch] != 0) {
      input_var = flow.branch_input_w[branch] * tree.branch_input_tangent[branch];
    } else {
      const double middle_v = std::abs(v.bus[way.from]) / way.ratio * model.nominal_v[way.to];
      input_var = way.magnetising_s * middle_v * middle_v;
      if (mode == BranchMode::carrying) {
        const double to_v = std::abs(v.bus[way.to]) * model.nominal_v[way.to];
        const double p = flow.branch_output_w[branch], q = v.branch_output_var[branch];
        input_var += q + way.reactance_ohm * (p * p + q * q) / (to_v * to_v);
      }
    }
    v.bus_var[way.from] += input_var;
  }
  for (std::size_t source = 0; source < tree.source_name.size(); ++source)
    v.source_var[source] = switches.source_share[source] * v.bus_var[static_cast<std::size_t>(tree.source_bus[source])];
}

/// Sets the voltage of a bus and returns its change.
double set_voltage(Complex& bus, Complex voltage) noexcept {
  const double change = std::abs(voltage - bus);
  bus = voltage;
  return change;
}

/// Voltages from the sources to the loads.
double sweep_down(const PowerTree& tree, const VoltageModel& model, const SwitchState& switches, const PowerFlow& flow,
                  TreeVoltages& v) noexcept {
  double change = 0.0;
  for (std::size_t bus = 0; bus < v.bus.size(); ++bus) {
    if (switches.bus_live[bus] == 0)
      v.bus[bus] = 0.0;
    else if (v.bus[bus] == 0.0)
      change = std::max(change, set_voltage(v.bus[bus], 1.0));  // live again
  }
  for (std::size_t source = 0; source < tree.source_name.size(); ++source) {
    if (switches.source_share[source] <= 0.0) continue;
    change = std::max(change, set_voltage(v.bus[static_cast<std::size_t>(tree.source_bus[source])], 1.0));
  }
  for (std::size_t place = 0; place < tree.branch_name.size(); ++place) {
    const std::size_t branch = in_order(switches, place);
    if (!feeds_its_bus(switches, branch)) continue;
    const BranchWay way = way_of(tree, model, switches, branch);
    Complex voltage = 1.0;
    if (tree.branch_makes_voltage[branch] == 0) {
      const double nominal_v = model.nominal_v[way.to], base_ohm = nominal_v * nominal_v;
      const Complex drawn{flow.branch_output_w[branch], v.branch_output_var[branch]};
      const Complex impedance{way.resistance_ohm / base_ohm, way.reactance_ohm / base_ohm};
      voltage = v.bus[way.from] / way.ratio - impedance * std::conj(drawn / v.bus[way.to]);
    }
    change = std::max(change, set_voltage(v.bus[way.to], voltage));
  }
  return change;
}

/// Sweeps without a solution may give the overloaded bus a voltage far above this.
constexpr double highest_solved_ratio = 1.5;

FlowEnd weakest_of(const SwitchState& switches, const TreeVoltages& voltages) {
  FlowEnd end;
  end.weakest_ratio = 1e9;
  for (std::size_t bus = 0; bus < voltages.bus.size(); ++bus) {
    const double found = std::abs(voltages.bus[bus]);
    const double ratio = found > highest_solved_ratio ? 1.0 / found : found;
    if (switches.bus_live[bus] == 0 || ratio >= end.weakest_ratio) continue;
    end.weakest_bus = bus;
    end.weakest_ratio = ratio;
  }
  return end;
}

}  // namespace

double tap_ratio(const PowerTree& tree, const SwitchState& switches, std::size_t branch) noexcept {
  return switches.branch_tap.empty()
             ? 1.0
             : 1.0 + switches.branch_tap[branch] * tree.branch_transformer[branch].changer.step_fraction;
}

BranchWay way_of(const PowerTree& tree, const VoltageModel& model, const SwitchState& switches, std::size_t branch) {
  const auto [from, to] = ends_of_flow(tree, switches, branch);
  const double share = switches.branch_in_service_share[branch];
  const double turns_ratio = tap_ratio(tree, switches, branch);
  BranchWay way{static_cast<std::size_t>(from),       static_cast<std::size_t>(to),
                model.resistance_ohm[branch] / share, model.reactance_ohm[branch] / share,
                model.magnetising_s[branch] * share,  model.ratio[branch] * turns_ratio,
                base_v(tree, model, branch)};
  if (from == tree.branch_from[branch]) return way;
  const double turns = model.nominal_v[way.to] / model.nominal_v[way.from] * way.ratio;
  way.resistance_ohm *= turns * turns;
  way.reactance_ohm *= turns * turns;
  way.magnetising_s /= turns * turns;
  way.ratio = 1.0 / way.ratio;
  way.base_v *= turns;
  return way;
}

HeldFactors take_factors(SwitchState& switches) {
  HeldFactors held{switches.branch_factors, switches.load_ratio};
  switches.branch_factors.assign(switches.branch_closed.size(), {});
  switches.load_ratio.clear();
  return held;
}

void give_factors(const HeldFactors& factors, SwitchState& switches) {
  switches.branch_factors = factors.branch;
  switches.load_ratio = factors.load;
}

std::vector<double> nominal_voltages(const PowerTree& tree, double low_voltage_v) {
  std::vector<double> nominal_v = tree.bus_voltage_v;
  const auto at = [&](int bus) -> double& { return nominal_v[static_cast<std::size_t>(bus)]; };
  for (std::size_t branch = 0; branch < tree.branch_name.size(); ++branch) {
    const TransformerRating& rating = tree.branch_transformer[branch];
    if (rating.rated_va == 0.0) continue;
    if (at(tree.branch_from[branch]) == 0.0) at(tree.branch_from[branch]) = rating.from_v;
    if (at(tree.branch_to[branch]) == 0.0) at(tree.branch_to[branch]) = rating.to_v;
  }
  for (std::size_t branch = 0; branch < tree.branch_name.size(); ++branch) {
    double &from_v = at(tree.branch_from[branch]), &to_v = at(tree.branch_to[branch]);
    if (to_v == 0.0) to_v = from_v;
    if (from_v == 0.0) from_v = to_v;
  }
  for (double& bus_v : nominal_v) {
    if (bus_v == 0.0) bus_v = low_voltage_v;
  }
  return nominal_v;
}

VoltageModel make_voltage_model(const PowerTree& tree, std::vector<double> load_tangent) {
  VoltageModel model{.nominal_v = nominal_voltages(tree),
                     .load_tangent = std::move(load_tangent),
                     .resistance_ohm = {},
                     .reactance_ohm = {},
                     .magnetising_s = {},
                     .ratio = {},
                     .load_shares = {}};
  for (std::size_t branch = 0; branch < tree.branch_name.size(); ++branch) {
    const double from_v = model.nominal_v[static_cast<std::size_t>(tree.branch_from[branch])];
    const double to_v = model.nominal_v[static_cast<std::size_t>(tree.branch_to[branch])];
    const int modules = tree.branch_modules[branch];
    const double base = base_v(tree, model, branch);
    model.resistance_ohm.push_back(tree.branch_loss[branch].quadratic_per_w * base * base);
    const TransformerRating& rating = tree.branch_transformer[branch];
    if (rating.rated_va == 0.0) {
      model.reactance_ohm.push_back(tree.branch_reactance_ohm[branch]);
      model.magnetising_s.push_back(0.0);
      model.ratio.push_back(1.0);
      continue;
    }
    const double base_ohm = rating.to_v * rating.to_v / rating.rated_va;
    const double iron = rating.no_load_loss_w / rating.rated_va, no_load = rating.no_load_current_fraction;
    model.reactance_ohm.push_back(reactance_ratio(rating) * base_ohm / modules);
    model.magnetising_s.push_back(std::sqrt(std::max(0.0, no_load * no_load - iron * iron)) / base_ohm * modules);
    model.ratio.push_back(transformer_ratio(rating, from_v, to_v, rating.tap_fraction));
  }
  return model;
}

TreeVoltages make_tree_voltages(const PowerTree& tree) {
  const std::vector<double> branches(tree.branch_name.size(), 0.0);
  return {.bus = std::vector<Complex>(tree.bus_name.size(), 1.0),
          .bus_var = std::vector<double>(tree.bus_name.size(), 0.0),
          .bus_w = std::vector<double>(tree.bus_name.size(), 0.0),
          .branch_output_w = branches,
          .branch_output_var = branches,
          .branch_input_var = branches,
          .source_var = std::vector<double>(tree.source_name.size(), 0.0)};
}

double sweep(const PowerTree& tree, const VoltageModel& model, const SwitchState& switches, const PowerFlow& flow,
             TreeVoltages& voltages) noexcept {
  std::ranges::copy(flow.branch_output_w, voltages.branch_output_w.begin());
  std::ranges::copy(flow.bus_w, voltages.bus_w.begin());
  sweep_up(tree, model, switches, flow, voltages);
  return sweep_down(tree, model, switches, flow, voltages);
}

namespace {

/// If reactive power over active power is above this ratio, reactive power stays constant while active power follows the load.
constexpr double most_tangent = 4.0;

double load_ratio(const PowerTree& tree, const VoltageModel& model, const TreeVoltages& voltages, std::size_t load) {
  const VoltageShares& shares = model.load_shares[load];
  const double ratio = std::abs(voltages.bus[static_cast<std::size_t>(tree.load_bus[load][0])]);
  return shares.power_fraction + ratio * (shares.current_fraction + ratio * shares.impedance_fraction);
}

void set_factors_of_flow(Complex power_va, double to_ratio, BranchFactors& factors) {
  const double p = power_va.real(), q = power_va.imag(), square = 1.0 / (to_ratio * to_ratio);
  const bool follows_load = std::abs(q) <= most_tangent * std::abs(p);
  factors.quadratic_ratio = follows_load ? (1.0 + q * q / (p * p)) * square : square;
  factors.loading_ratio = std::sqrt(factors.quadratic_ratio);
  if (!follows_load) factors.reactive_va = std::abs(q) / to_ratio;
}

}  // namespace

void set_factors(const PowerTree& tree, const VoltageModel& model, const TreeVoltages& voltages, const PowerFlow& flow,
                 SwitchState& switches) {
  switches.branch_factors.resize(tree.branch_name.size());
  for (std::size_t branch = 0; branch < tree.branch_name.size(); ++branch) {
    BranchFactors& factors = switches.branch_factors[branch];
    factors = {};
    const BranchMode mode = switches.branch_mode[branch];
    if (mode == BranchMode::dead || tree.branch_makes_voltage[branch] != 0) continue;
    const BranchWay way = way_of(tree, model, switches, branch);
    const double over_base = model.nominal_v[way.to] / way.base_v;
    const double middle = std::abs(voltages.bus[way.from]) / way.ratio * over_base;
    factors.constant_ratio = middle * middle;
    const Complex power_va{voltages.branch_output_w[branch], voltages.branch_output_var[branch]};
    const double to = std::abs(voltages.bus[way.to]) * over_base;
    if (power_va == 0.0 || !(to > 0.0)) continue;
    set_factors_of_flow(power_va, to, factors);
    if (mode == BranchMode::idle && flow.served_w > 0.0) factors.link_ratio = power_va.real() / flow.served_w;
  }
  if (model.load_shares.empty()) return;
  switches.load_ratio.resize(tree.load_name.size());
  for (std::size_t load = 0; load < tree.load_name.size(); ++load)
    switches.load_ratio[load] = load_ratio(tree, model, voltages, load);
}

FlowEnd settle(const PowerTree& tree, const VoltageModel& model, const PowerDemand& demand, SwitchState& switches,
               PowerFlow& flow, TreeVoltages& voltages) {
  const HeldFactors before = take_factors(switches);
  voltages = make_tree_voltages(tree);
  FlowEnd end;
  for (int round = 1; round <= most_sweeps; ++round) {
    evaluate(tree, demand, switches, flow);
    const double change = sweep(tree, model, switches, flow, voltages);
    if (!std::isfinite(change)) break;  // the bus of the round before is where it collapses
    end = weakest_of(switches, voltages);
    end.iterations = round;
    if (end.weakest_ratio < collapsed_ratio) break;
    set_factors(tree, model, voltages, flow, switches);
    if (round == 1 || change > settled_change) continue;
    evaluate(tree, demand, switches, flow);
    end.is_solved = true;
    return end;
  }
  give_factors(before, switches);
  return end;
}

double output_current_a(const PowerTree& tree, const VoltageModel& model, const SwitchState& switches,
                        const TreeVoltages& voltages, std::size_t branch) noexcept {
  const auto to = static_cast<std::size_t>(ends_of_flow(tree, switches, branch).second);
  const double to_v = std::abs(voltages.bus[to]) * model.nominal_v[to];
  if (switches.branch_mode[branch] == BranchMode::dead || !(to_v > 0.0)) return 0.0;
  return std::hypot(voltages.branch_output_w[branch], voltages.branch_output_var[branch]) /
         (std::numbers::sqrt3 * to_v);
}

double output_power_factor(const TreeVoltages& voltages, std::size_t branch) noexcept {
  const double power_w = voltages.branch_output_w[branch];
  return power_w != 0.0 ? std::abs(power_w) / std::hypot(power_w, voltages.branch_output_var[branch]) : 0.0;
}

}  // namespace wattloop::electrical
