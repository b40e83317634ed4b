#include "twin/ratings/power/protection_devices.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "electrical/cable.hpp"

namespace wattloop::twin {

namespace {

using electrical::OvercurrentDevice;
using electrical::PowerTree;
using electrical::SwitchState;

constexpr double infinite = std::numeric_limits<double>::infinity();

bool carries(const SwitchState& switches, std::size_t branch) {
  return switches.branch_mode[branch] == electrical::BranchMode::carrying;
}

/// The breaker that stands in series with a branch, or the equipment that a breaker stands in series with.
std::optional<std::size_t> partner_of(const PowerTree& tree, std::size_t branch) {
  if (tree.branch_protects[branch] != electrical::no_branch)
    return static_cast<std::size_t>(tree.branch_protects[branch]);
  const auto breaker = std::ranges::find(tree.branch_protects, static_cast<int>(branch));
  if (breaker == tree.branch_protects.end()) return std::nullopt;
  return static_cast<std::size_t>(breaker - tree.branch_protects.begin());
}

/// On the way to the sources, from place to place.
class WaysUp {
 public:
  WaysUp(const PowerTree& tree, const SwitchState& switches) : tree_(tree), switches_(switches) {}

  std::vector<UpstreamDevice> devices(const ProtectedPlace& of) {
    const bool is_transformed = is_transformer(tree_, of.device) || (of.beside && is_transformer(tree_, *of.beside));
    reached_ = {{of.from, 0.0, is_transformed}};
    for (std::size_t place = 0; place < reached_.size(); ++place) {
      for (std::size_t branch = 0; branch < tree_.branch_name.size(); ++branch) {
        const bool leads_here = electrical::ends_of_flow(tree_, switches_, branch).second == reached_[place].bus;
        if (leads_here && carries(switches_, branch) && passes_short_circuits(tree_, branch))
          go_through(branch, reached_[place]);
      }
    }
    return std::move(devices_);
  }

 private:
  struct Reached {
    int bus;
    double more_than_w;
    bool is_beyond_transformer;
  };

  void go_through(std::size_t branch, Reached here) {
    const int from = electrical::ends_of_flow(tree_, switches_, branch).first;
    if (is_device(tree_, branch)) {
      devices_.push_back({branch, here.more_than_w, here.is_beyond_transformer});
      add_partner(branch, from, here);
    } else if (std::ranges::find(reached_, from, &Reached::bus) == reached_.end()) {
      const double limited_w = tree_.branch_short_circuit_ratio[branch] * tree_.branch_rated_w[branch];
      reached_.push_back(
          {from, std::max(here.more_than_w, limited_w), here.is_beyond_transformer || is_transformer(tree_, branch)});
    }
  }

  /// What is in series with a device, and before it.
  void add_partner(std::size_t device, int from, const Reached& here) {
    const auto partner = partner_of(tree_, device);
    if (!partner || !is_device(tree_, *partner)) return;
    if (electrical::ends_of_flow(tree_, switches_, *partner).second == from)
      devices_.push_back({*partner, here.more_than_w, here.is_beyond_transformer || is_transformer(tree_, device)});
  }

  const PowerTree& tree_;
  const SwitchState& switches_;
  std::vector<Reached> reached_;
  std::vector<UpstreamDevice> devices_;
};

}  // namespace

bool is_device(const PowerTree& tree, std::size_t branch) {
  return tree.branch_kind[branch] != electrical::Cable::kind && device_of(tree, branch, 1.0).has_value();
}

std::vector<std::size_t> zone_of(const PowerTree& tree, const SwitchState& switches, std::size_t device) {
  std::vector<std::size_t> zone{static_cast<std::size_t>(electrical::ends_of_flow(tree, switches, device).second)};
  for (std::size_t place = 0; place < zone.size(); ++place) {
    for (std::size_t branch = 0; branch < tree.branch_name.size(); ++branch) {
      const auto [from, to] = electrical::ends_of_flow(tree, switches, branch);
      if (static_cast<std::size_t>(from) != zone[place] || !carries(switches, branch) || is_device(tree, branch))
        continue;
      if (tree.branch_makes_voltage[branch] != 0 || is_transformer(tree, branch)) continue;
      const auto next = static_cast<std::size_t>(to);
      if (std::ranges::find(zone, next) == zone.end()) zone.push_back(next);
    }
  }
  return zone;
}

bool passes_short_circuits(const PowerTree& tree, std::size_t branch) {
  return tree.branch_makes_voltage[branch] == 0 ||
         std::ranges::find(tree.branch_bypassed, static_cast<int>(branch)) != tree.branch_bypassed.end();
}

std::optional<OvercurrentDevice> device_of(const PowerTree& tree, std::size_t branch, double at_v) {
  const Endurance& endurance = tree.branch_limit[branch].endurance;
  const double rated_a = tree.branch_rated_w[branch] / (std::numbers::sqrt3 * at_v);
  if (endurance.law != Endurance::Law::inverse || !std::isfinite(rated_a) || !(rated_a > 0.0)) return std::nullopt;
  const electrical::FixedStages& stages = tree.branch_stages[branch];
  const auto pickup_a = [&](double ratio) { return ratio > 0.0 ? ratio * rated_a : infinite; };
  return OvercurrentDevice{.name = tree.branch_name[branch],
                           .curve = {"", {endurance.scale_s, endurance.steepness, endurance.added_s}},
                           .pickup_a = endurance.limit * rated_a,
                           .time_multiplier = 1.0,
                           .short_time = {pickup_a(stages.short_time_ratio), stages.short_time_s},
                           .instantaneous = {pickup_a(stages.instantaneous_ratio), endurance.fastest_s},
                           .fastest_s = endurance.fastest_s,
                           .selective_ratio = stages.selective_ratio};
}

std::optional<OvercurrentDevice> earth_device_of(const PowerTree& tree, std::size_t branch, double at_v) {
  std::optional<OvercurrentDevice> device = device_of(tree, branch, at_v);
  const electrical::FixedStages& stages = tree.branch_stages[branch];
  if (!device || !(stages.earth_ratio > 0.0)) return device;
  const double rated_a = tree.branch_rated_w[branch] / (std::numbers::sqrt3 * at_v);
  device->earth = {stages.earth_ratio * rated_a, stages.earth_s};
  return device;
}

std::vector<ProtectedPlace> protected_places(const PowerTree& tree, const SwitchState& switches) {
  std::vector<ProtectedPlace> places;
  for (std::size_t branch = 0; branch < tree.branch_name.size(); ++branch) {
    if (!is_device(tree, branch) || !carries(switches, branch)) continue;
    auto [from, to] = electrical::ends_of_flow(tree, switches, branch);
    const auto partner = partner_of(tree, branch);
    if (!partner || !is_device(tree, *partner) || !carries(switches, *partner)) {
      places.push_back({branch, std::nullopt, from, to});
      continue;
    }
    if (tree.branch_protects[branch] == electrical::no_branch) continue;  // its breaker is in the list
    const auto [other_from, other_to] = electrical::ends_of_flow(tree, switches, *partner);
    (other_to == from ? from : to) = other_to == from ? other_from : other_to;
    places.push_back({branch, partner, from, to});
  }
  return places;
}

std::vector<UpstreamDevice> upstream_devices(const PowerTree& tree, const SwitchState& switches,
                                             const ProtectedPlace& of) {
  return WaysUp(tree, switches).devices(of);
}

}  // namespace wattloop::twin
