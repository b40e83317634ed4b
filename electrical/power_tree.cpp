#include "electrical/power_tree.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "core/numbers/running_sum.hpp"

namespace wattloop::electrical {

namespace {

std::optional<std::size_t> find(const std::vector<std::string>& names, std::string_view name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return static_cast<std::size_t>(found - names.begin());
}

void serve_loads(const PowerTree& tree, std::span<const double> load_w, const SwitchState& switches,
                 PowerFlow& out) noexcept {
  double served_w = 0.0;
  RunningSum first(out.bus_w), second(out.bus_w);  // by cord: racks one after the other mostly hang on the same two
  for (std::size_t load = 0; load < load_w.size(); ++load) {
    double load_served_w = 0.0;
    const auto serve = [&](std::size_t cord, RunningSum& buses, RunningSum& others) {
      const double share = switches.cord_share[load][cord];
      if (share <= 0.0) return;
      const double cord_w =
          switches.load_ratio.empty() ? share * load_w[load] : share * load_w[load] * switches.load_ratio[load];
      buses.add(static_cast<std::size_t>(tree.load_bus[load][cord]), cord_w, others);
      load_served_w += cord_w;
    };
    serve(0, first, second);
    serve(1, second, first);
    out.load_served_w[load] = load_served_w;
    served_w += load_served_w;
  }
  out.served_w = served_w;
}

LossCurve at_voltage(const LossCurve& curve, const BranchFactors& factors) noexcept {
  const double reactive_w = curve.quadratic_per_w * factors.reactive_va * factors.reactive_va;
  return {.constant_w = curve.constant_w * factors.constant_ratio + reactive_w,
          .linear_ratio = curve.linear_ratio,
          .quadratic_per_w = curve.quadratic_per_w * factors.quadratic_ratio};
}

bool is_link(const SwitchState& switches, std::size_t branch) noexcept {
  return !switches.branch_factors.empty() && switches.branch_factors[branch].link_ratio != 0.0;
}

void evaluate_branch(const PowerTree& tree, std::size_t branch, const SwitchState& switches, double charger_w,
                     PowerFlow& out) noexcept {
  const BranchMode mode = switches.branch_mode[branch];
  const bool is_fed = mode == BranchMode::carrying || mode == BranchMode::idle;
  const bool links = is_link(switches, branch);
  const bool feeds = links || feeds_its_bus(switches, branch);
  const auto [from, to] = ends_of_flow(tree, switches, branch);
  double output_w = feeds ? out.bus_w[to] : 0.0;
  if (links) {
    output_w = switches.branch_factors[branch].link_ratio * out.served_w;
    out.bus_w[to] -= output_w;
  }
  LossCurve curve = in_service(tree.branch_loss[branch], switches.branch_in_service_share[branch]);
  if (!switches.branch_factors.empty()) curve = at_voltage(curve, switches.branch_factors[branch]);
  const Passage::Effect effect = Passage::effect(
      curve, {.input = {is_fed ? 1.0 : 0.0}, .output = {feeds ? 1.0 : 0.0, output_w}, .battery = {charger_w}});
  const double loss = effect.room.heat_w;
  out.branch_output_w[branch] = output_w;
  out.branch_loss_w[branch] = loss;
  out.branch_input_w[branch] = effect.input.power_w;
  out.branch_battery_w[branch] = effect.battery.power_w;
  const double rated_w = rated_in_service_w(tree, switches, branch);
  out.branch_loading_fraction[branch] = rated_w > 0.0 ? std::abs(output_w) / rated_w : 0.0;
  if (!switches.branch_factors.empty() && switches.branch_factors[branch].reactive_va > 0.0 && rated_w > 0.0)
    out.branch_loading_fraction[branch] = std::hypot(output_w, switches.branch_factors[branch].reactive_va /
                                                                   switches.branch_factors[branch].loading_ratio) /
                                          rated_w;
  out.bus_w[from] += out.branch_input_w[branch];
  const int room = tree.branch_room[branch];
  (room == outdoors ? out.outdoor_loss_w : out.room_loss_w[room]) += loss;
}

/// For buses with links: before, `bus_w` is the power from their feed. Afterwards it is all power that they pass on, from the feed and from links.
void add_what_comes_in(const PowerTree& tree, const SwitchState& switches, PowerFlow& out) noexcept {
  for (std::size_t branch = 0; branch < tree.branch_name.size(); ++branch) {
    const auto [from, to] = ends_of_flow(tree, switches, branch);
    const double into_w = is_link(switches, branch) ? out.branch_output_w[branch] : -out.branch_output_w[branch];
    out.bus_w[to] += std::max(into_w, 0.0);
    out.bus_w[from] += std::max(-out.branch_input_w[branch], 0.0);
  }
}

}  // namespace

std::optional<std::size_t> find_branch(const PowerTree& tree, std::string_view name) {
  return find(tree.branch_name, name);
}

std::optional<std::size_t> find_source(const PowerTree& tree, std::string_view name) {
  return find(tree.source_name, name);
}

std::optional<std::size_t> find_load(const PowerTree& tree, std::string_view name) {
  return find(tree.load_name, name);
}

SwitchState normal_switch_state(const PowerTree& tree) {
  SwitchState switches{.branch_closed = tree.branch_normally_closed,
                       .source_live = tree.source_normally_live,
                       .battery_ready = std::vector<std::uint8_t>(tree.branch_name.size(), 0),
                       .branch_in_service_share = std::vector<double>(tree.branch_name.size(), 1.0),
                       .load_open = {},
                       .branch_factors = {},
                       .branch_tap = {},
                       .load_ratio = {},
                       .bus_live = {},
                       .branch_mode = {},
                       .branch_is_reversed = {},
                       .branch_order = {},
                       .source_share = {},
                       .cord_share = {}};
  energise(tree, switches);
  return switches;
}

PowerFlow make_power_flow(const PowerTree& tree) {
  const auto branches = std::vector<double>(tree.branch_name.size());
  PowerFlow flow;
  flow.branch_output_w = flow.branch_loss_w = flow.branch_input_w = branches;
  flow.branch_battery_w = flow.branch_loading_fraction = branches;
  flow.bus_w.resize(tree.bus_name.size());
  flow.source_w.resize(tree.source_name.size());
  flow.source_loading_fraction.resize(tree.source_name.size());
  flow.load_served_w.resize(tree.load_name.size());
  flow.room_loss_w.resize(static_cast<std::size_t>(tree.rooms));
  return flow;
}

void evaluate(const PowerTree& tree, const PowerDemand& demand, const SwitchState& switches, PowerFlow& out) noexcept {
  assert(demand.load_w.size() == tree.load_name.size() && out.bus_w.size() == tree.bus_name.size());
  assert(demand.recharge_w.empty() || demand.recharge_w.size() == tree.branch_name.size());
  std::fill(out.bus_w.begin(), out.bus_w.end(), 0.0);
  std::fill(out.room_loss_w.begin(), out.room_loss_w.end(), 0.0);
  out.outdoor_loss_w = out.source_total_w = 0.0;
  double loss_w = 0.0, battery_total_w = 0.0;
  serve_loads(tree, demand.load_w, switches, out);
  bool has_links = false;
  for (std::size_t branch = 0; branch < switches.branch_factors.size();
       ++branch) {  // first: all others take up what they leave
    if (!is_link(switches, branch)) continue;
    has_links = true;
    evaluate_branch(tree, branch, switches, 0.0, out);
    loss_w += out.branch_loss_w[branch];
  }
  for (std::size_t place = tree.branch_name.size(); place-- > 0;) {
    const std::size_t branch = switches.branch_order.empty() ? place : switches.branch_order[place];
    if (is_link(switches, branch)) continue;
    const double charger_w = demand.recharge_w.empty() ? 0.0 : demand.recharge_w[branch];
    evaluate_branch(tree, branch, switches, charger_w, out);
    loss_w += out.branch_loss_w[branch];
    battery_total_w += out.branch_battery_w[branch];
  }
  out.loss_w = loss_w;
  out.battery_total_w = battery_total_w;
  for (std::size_t source = 0; source < tree.source_name.size(); ++source) {
    out.source_w[source] = switches.source_share[source] * out.bus_w[tree.source_bus[source]];
    const double rated_w = tree.source_rated_w[source];
    out.source_loading_fraction[source] = rated_w > 0.0 ? out.source_w[source] / rated_w : 0.0;
    out.source_total_w += out.source_w[source];
  }
  if (has_links) add_what_comes_in(tree, switches, out);
}

}  // namespace wattloop::electrical
