#include "twin/actions/work/fabric_watch.hpp"
#include "core/text/count_text.hpp"
#include "twin/plant/state/power_gap.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/units/units.hpp"
#include "network/fabric/connectivity.hpp"

namespace wattloop::twin {

namespace {

using network::Fabric;
using network::FabricHealth;
using Kind = network::Component::Kind;

constexpr double never_s = std::numeric_limits<double>::infinity();
constexpr std::size_t most_names = 4;

bool is_nvlink(const Fabric& fabric, const FabricLoss& loss) {
  return component_of(fabric, loss.part).kind == Kind::nvlink;
}

/// All losses at present, by number; of several the largest.
std::vector<FabricLoss> losses_now(const Plant& plant, const PlantState& state) {
  std::vector<FabricLoss> losses;
  for (const FlagOverride& order : state.equipment.orders) {
    if (order.flag == FlagOverride::Flag::fabric_lost && order.value() > 0)
      losses.push_back({static_cast<std::uint32_t>(order.part), order.value()});
  }
  for (std::size_t rack = 0; rack < plant.it.network_racks.size(); ++rack) {
    if (electrical::is_served(state.switches, plant.it.network_racks[rack].load) ||
        is_gap_carried(state, plant.it.switches.hold_up_s))
      continue;
    const std::vector<std::uint32_t>& first = plant.fabric->first_switch;
    for (std::uint32_t one = first[rack]; one < first[rack + 1]; ++one) losses.push_back({one, 100});
  }
  std::ranges::sort(losses, [](const FabricLoss& a, const FabricLoss& b) {
    return a.part != b.part ? a.part < b.part : a.percent > b.percent;
  });
  const auto again = std::ranges::unique(losses, {}, &FabricLoss::part);
  losses.erase(again.begin(), again.end());
  return losses;
}

std::vector<FabricLoss> failed_cables(const Fabric& fabric, std::span<const FabricLoss> losses) {
  std::vector<FabricLoss> failed;
  std::ranges::copy_if(losses, std::back_inserter(failed),
                       [&](const FabricLoss& loss) { return loss.is_failed() && !is_nvlink(fabric, loss); });
  return failed;
}

/// "leaf_1, leaf_2 and 30 more".
std::string names_of(const Fabric& fabric, std::span<const FabricLoss> losses) {
  std::vector<std::string> names;
  for (std::size_t k = 0; k < std::min(most_names, losses.size()); ++k)
    names.push_back(network::name_of(fabric, component_of(fabric, losses[k].part)));
  const std::size_t more = losses.size() - names.size();
  return fmt::format("{}{}", fmt::join(names, ", "), more > 0 ? fmt::format(" and {} more", more) : "");
}

/// "7/8", where it is a share of so many; else "62 %".
std::string share_text(double fraction, double whole) {
  const double part = fraction * whole;
  const bool is_whole = std::abs(part - std::round(part)) < 1e-9 * whole;
  return is_whole ? fmt::format("{:.0f}/{:.0f}", part, whole) : fmt::format("{:.3g} %", 100.0 * fraction);
}

/// "32 nodes have 7/8 of their bandwidth", for each share that nodes have.
std::vector<std::string> node_shares(const Fabric& fabric, const FabricHealth& health) {
  const double rails = fabric.params.rails, whole_b_per_s = rails * fabric.params.link_b_per_s;
  std::map<double, std::size_t> nodes_with;
  for (std::size_t node = 0; node < fabric.node_count(); ++node)
    ++nodes_with[network::node_b_per_s(fabric, health, node) / whole_b_per_s];
  std::vector<std::string> texts;
  for (const auto& [fraction, nodes] : nodes_with) {
    if (fraction > 1.0 - 1e-9) continue;
    const std::string count = count_text(nodes, "node") + (nodes == 1 ? " has" : " have");
    texts.push_back(fraction == 0.0 ? count + " no bandwidth"
                                    : fmt::format("{} {} of {} bandwidth", count, share_text(fraction, rails),
                                                  nodes == 1 ? "its" : "their"));
  }
  return texts;
}

/// "16 leaves have 7/8 of their links up", of the switches of each tier that have lost most.
std::vector<std::string> switch_shares(const Fabric& fabric, const FabricHealth& health) {
  std::vector<std::string> texts;
  for (int tier = 0; tier + 1 < fabric.tiers(); ++tier) {
    std::map<double, std::pair<std::size_t, double>> switches_with;
    for (std::size_t one = fabric.tier_switch[tier]; one < fabric.tier_switch[tier + 1]; ++one) {
      if (health.is_failed[one] != 0) continue;
      double live_b_per_s = 0.0, all_b_per_s = 0.0;
      for (std::size_t link = fabric.first_up_link[one]; link < fabric.first_up_link[one + 1]; ++link) {
        live_b_per_s += network::live_b_per_s(fabric, health, link);
        all_b_per_s += fabric.link_b_per_s(link);
      }
      auto& [count, cables] = switches_with[live_b_per_s / all_b_per_s];
      ++count, cables = all_b_per_s / fabric.params.link_b_per_s;
    }
    if (switches_with.empty() || switches_with.begin()->first > 1.0 - 1e-9) continue;
    const auto& [fraction, found] = *switches_with.begin();
    const std::string name = network::switch_name(fabric, fabric.tier_switch[tier]);
    texts.push_back(fmt::format("{} of tier {} (as {}) ha{} {} of {} links up", found.first, tier + 1,
                                name.substr(0, name.rfind('_')), found.first == 1 ? "s" : "ve",
                                share_text(fraction, found.second), found.first == 1 ? "its" : "their"));
  }
  return texts;
}

/// Nodes of one number reach each other; the most nodes have 0, nodes without a live port or NVLink `alone`.
std::vector<std::uint32_t> node_parts(const Fabric& fabric, const FabricHealth& health) {
  std::vector<network::NodeGroup> groups = network::node_groups(fabric, health);
  std::vector<std::size_t> joined(groups.size());  // the first group that each reaches, directly or by others
  for (std::size_t one = 0; one < groups.size(); ++one) {
    joined[one] = one;
    for (std::size_t other = 0; other < one; ++other) {
      if (!network::can_reach(groups[one], groups[other])) continue;
      const std::size_t from = joined[one], to = joined[other];
      std::ranges::replace(joined, std::max(from, to), std::min(from, to));
    }
  }
  std::vector<std::size_t> nodes(groups.size(), 0), order;
  for (std::size_t one = 0; one < groups.size(); ++one) {
    if (!groups[one].parts.empty()) nodes[joined[one]] += groups[one].nodes.size();
  }
  for (std::size_t one = 0; one < groups.size(); ++one) {
    if (nodes[one] > 0) order.push_back(one);
  }
  std::ranges::stable_sort(order, std::ranges::greater{}, [&](std::size_t one) { return nodes[one]; });
  std::vector<std::uint32_t> part(fabric.node_count(), FabricState::alone);
  for (std::size_t one = 0; one < groups.size(); ++one) {
    const auto place = std::ranges::find(order, joined[one]);
    if (groups[one].parts.empty()) continue;
    for (const std::uint32_t node : groups[one].nodes) part[node] = static_cast<std::uint32_t>(place - order.begin());
  }
  const auto gpus = static_cast<std::size_t>(fabric.params.gpus_per_node);
  for (std::size_t gpu = 0; gpu < health.nvlink_fraction.size() && gpus > 1; ++gpu) {
    if (health.nvlink_fraction[gpu] == 0.0) part[gpu / gpus] = FabricState::broken;
  }
  if (std::ranges::all_of(part, [](std::uint32_t one) { return one == 0; })) part.clear();
  return part;
}

void report_changes(const HallFabric& hall, std::span<const FabricLoss> before, const PlantState& state,
                    std::vector<EventRecord>& events) {
  const Fabric& fabric = hall.fabric;
  // those that have lost more than they have among the others
  const auto worse_than = [](std::span<const FabricLoss> all, std::span<const FabricLoss> others) {
    std::vector<FabricLoss> worse;
    std::ranges::copy_if(all, std::back_inserter(worse), [&](const FabricLoss& one) {
      const auto other = std::ranges::find(others, one.part, &FabricLoss::part);
      return other == others.end() || other->percent < one.percent;
    });
    return worse;
  };
  const std::vector<FabricLoss>& now = state.fabric.losses;
  const std::vector<FabricLoss> lost = worse_than(now, before), back = worse_than(before, now);
  if (!lost.empty()) {
    const FabricHealth health = health_with(fabric, now);
    std::vector<std::string> texts = node_shares(fabric, health);
    std::ranges::move(switch_shares(fabric, health), std::back_inserter(texts));
    if (texts.empty()) texts.push_back("NVLink of its node is slower");
    events.push_back({state.time_s, "fabric_lost", names_of(fabric, lost), fmt::format("{}", fmt::join(texts, "; "))});
  }
  if (!back.empty())
    events.push_back({state.time_s, "fabric_back", names_of(fabric, back),
                      now.empty() ? "all links have their bandwidth" : "still impaired: " + names_of(fabric, now)});
}

void report_routes(const Fabric& fabric, const PlantState& state, std::vector<EventRecord>& events) {
  const std::vector<FabricLoss>& routed = state.fabric.routed;
  events.push_back({state.time_s, "rerouted", "fabric",
                    routed.empty() ? "routes are the original ones" : "around " + names_of(fabric, routed)});
  for (const std::string& cut : network::cuts_in(fabric, health_with(fabric, routed)))
    events.push_back({state.time_s, "cut_off", "fabric", cut});
}

}  // namespace

std::vector<FabricLoss> known_losses(const HallFabric& hall, const FabricState& fabric) {
  std::vector<FabricLoss> known = fabric.routed;
  std::ranges::copy_if(fabric.losses, std::back_inserter(known),
                       [&](const FabricLoss& loss) { return !loss.is_failed() || is_nvlink(hall.fabric, loss); });
  return known;
}

bool watch_fabric(const Plant& plant, PlantState& state, std::vector<EventRecord>& events) {
  const HallFabric& hall = *plant.fabric;
  FabricState& now = state.fabric;
  std::vector<FabricLoss> losses = losses_now(plant, state);
  const bool has_lost = losses != now.losses, is_due = state.time_s >= now.reroute_s;
  if (!has_lost && !is_due) return false;
  if (has_lost) {
    losses.swap(now.losses);
    report_changes(hall, losses, state, events);
    const bool is_news = failed_cables(hall.fabric, now.losses) != now.routed;
    if (!is_news)
      now.reroute_s = never_s;
    else if (now.reroute_s == never_s)  // else routes are being computed already
      now.reroute_s = state.time_s + hall.reroute_s;
  }
  if (state.time_s >= now.reroute_s) {
    now.routed = failed_cables(hall.fabric, now.losses);
    now.reroute_s = never_s;
    report_routes(hall.fabric, state, events);
  }
  now.node_part = node_parts(hall.fabric, health_with(hall.fabric, known_losses(hall, now)));
  now.rack_w.clear();
  ++now.stamp;
  return true;
}

}  // namespace wattloop::twin
