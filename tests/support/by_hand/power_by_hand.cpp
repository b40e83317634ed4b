#include "tests/support/by_hand/power_by_hand.hpp"

#include <algorithm>

namespace wattloop::tests {

namespace {

struct LossByHand {
  double rated_w, constant_w, linear, square_w;  ///< loss at rated output: constant_w + linear rated_w + square_w
};

LossByHand loss_by_hand(const twin::PowerSpec& spec, const std::string& name) {
  if (name.starts_with("substation"))
    return {spec.substation.rated_va, spec.substation.no_load_loss_w, 0.0, spec.substation.load_loss_w};
  if (name.starts_with("transformer"))
    return {spec.transformer.rated_va, spec.transformer.no_load_loss_w, 0.0, spec.transformer.load_loss_w};
  if (name.starts_with("ups")) {
    const double rated_w = spec.ups.rated_w;
    return {rated_w, spec.ups.constant_loss_fraction * rated_w, spec.ups.linear_loss_fraction,
            spec.ups.quadratic_loss_fraction * rated_w};
  }
  return {spec.pdu.rated_w, spec.pdu.constant_loss_fraction * spec.pdu.rated_w, 0.0,
          spec.pdu.quadratic_loss_fraction * spec.pdu.rated_w};
}

bool is_live(const Instant& now, int bus) {
  return bus >= 0 && now.state.switches.bus_live[static_cast<std::size_t>(bus)] != 0;
}

/// Of a load on its first or second cord: half on each of two live ones, all on the first live one behind a transfer switch.
double cord_share(const Instant& now, std::size_t load, std::size_t cord) {
  const electrical::PowerTree& tree = now.names.plant.power_tree;
  const auto [first, second] = tree.load_bus[load];
  if (!is_live(now, cord == 0 ? first : second)) return 0.0;
  if (!is_live(now, cord == 0 ? second : first)) return 1.0;
  if (tree.load_transfers[load] != 0) return cord == 0 ? 1.0 : 0.0;
  return 0.5;
}

}  // namespace

double PowerByHand::demand_w(const Instant& now, std::size_t bus) const {
  const electrical::PowerTree& tree = now.names.plant.power_tree;
  double sum_w = 0.0;
  for (std::size_t load = 0; load < tree.load_name.size(); ++load) {
    for (std::size_t cord = 0; cord < 2; ++cord) {
      if (tree.load_bus[load][cord] == static_cast<int>(bus))
        sum_w += cord_share(now, load, cord) * now.load_w(tree.load_name[load]);
    }
  }
  for (std::size_t b = 0; b < tree.branch_name.size(); ++b) {
    if (tree.branch_from[b] == static_cast<int>(bus)) sum_w += branch(now, b).input_w;
  }
  return sum_w;
}

BranchByHand PowerByHand::branch(const Instant& now, const std::string& name) const {
  return branch(now, number_of(now.names.branches, name));
}

BranchByHand PowerByHand::branch(const Instant& now, std::size_t number) const {
  using electrical::BranchMode;
  const electrical::PowerTree& tree = now.names.plant.power_tree;
  const std::string& name = tree.branch_name[number];
  const LossByHand sheet = loss_by_hand(spec_, name);
  const BranchMode mode = now.state.switches.branch_mode[number];
  BranchByHand result{.rated_w = sheet.rated_w};
  if (mode == BranchMode::dead) return result;
  const bool is_on_battery = mode == BranchMode::on_battery;
  if (mode == BranchMode::carrying || is_on_battery)
    result.output_w = demand_w(now, static_cast<std::size_t>(tree.branch_to[number]));
  const double load = result.output_w / sheet.rated_w;
  result.loss_w = sheet.constant_w + sheet.linear * result.output_w + sheet.square_w * load * load;
  const double needed_w = result.output_w + result.loss_w;
  double recharge_w = 0.0;
  if (name.starts_with("ups") && spec_.ups.battery_time_s > 0.0) {  // full below 5 % missing, then in proportion to it
    const double missing = 1.0 - now.evaluation.signals[number_of(now.names.states, name + ".state_of_charge")];
    recharge_w = spec_.ups.recharge_fraction * spec_.ups.rated_w * std::clamp(missing / 0.05, 0.0, 1.0);
  }
  result.input_w = is_on_battery ? 0.0 : needed_w + recharge_w;
  result.battery_w = is_on_battery ? needed_w : -recharge_w;
  return result;
}

double PowerByHand::source_w(const Instant& now, const std::string& name) const {
  const electrical::PowerTree& tree = now.names.plant.power_tree;
  const std::size_t source = number_of(now.names.sources, name);
  const auto& live = now.state.switches.source_live;
  if (live[source] == 0) return 0.0;
  double sharing = 0.0;  // all generators are of one size
  for (std::size_t s = 0; s < tree.source_name.size(); ++s) {
    if (live[s] != 0 && tree.source_bus[s] == tree.source_bus[source]) sharing += 1.0;
  }
  return demand_w(now, static_cast<std::size_t>(tree.source_bus[source])) / sharing;
}

double PowerByHand::all_sources_w(const Instant& now) const {
  double sum_w = 0.0;
  for (const auto& [name, number] : now.names.sources) sum_w += source_w(now, name);
  return sum_w;
}

double PowerByHand::losses_w(const Instant& now, const std::string& prefix) const {
  double sum_w = 0.0;
  for (const auto& [name, number] : now.names.branches) {
    if (name.starts_with(prefix)) sum_w += branch(now, number).loss_w;
  }
  return sum_w;
}

double PowerByHand::batteries_w(const Instant& now) const {
  double sum_w = 0.0;
  for (const auto& [name, number] : now.names.branches) sum_w += branch(now, number).battery_w;
  return sum_w;
}

}  // namespace wattloop::tests
