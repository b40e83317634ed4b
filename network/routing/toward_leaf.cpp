#include "network/routing/toward_leaf.hpp"

#include <algorithm>
#include <limits>

namespace wattloop::network {

TowardLeaf::TowardLeaf(const Fabric& fabric, const EqualPositions& positions)
    : fabric_(&fabric),
      positions_(&positions),
      above_stamp_(positions.class_count(), 0),
      rise_stamp_(positions.class_count(), 0),
      capacity_(positions.class_count(), 0.0),
      rise_(positions.class_count(), 0.0),
      inflow_(positions.class_count(), 0.0),
      moved_up_(static_cast<std::size_t>(fabric.tiers())),
      moved_down_(static_cast<std::size_t>(fabric.tiers())) {}

void TowardLeaf::turn_to(std::uint32_t leaf) {
  leaf_ = leaf;
  ++stamp_;
  above_.assign(1, leaf);
  above_stamp_[leaf] = stamp_;
  capacity_[leaf] = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < above_.size(); ++i) {  // grows, tier by tier
    const std::uint32_t lower = above_[i];
    for (std::size_t bundle = positions_->first_up[lower]; bundle < positions_->first_up[lower + 1]; ++bundle) {
      const std::uint32_t upper = positions_->bundle_upper[bundle];
      if (!is_above(upper)) {
        above_stamp_[upper] = stamp_;
        capacity_[upper] = 0.0;
        above_.push_back(upper);
      }
      capacity_[upper] += term_down(bundle);
    }
  }
}

double TowardLeaf::term_down(std::size_t bundle) const {
  return positions_->links_down(bundle) *
         std::min(positions_->bundle_link_b_per_s[bundle], capacity_[positions_->bundle_lower[bundle]]);
}

double TowardLeaf::term_up(std::size_t bundle) {
  return positions_->links_up(bundle) *
         std::min(positions_->bundle_link_b_per_s[bundle], capacity_b_per_s(positions_->bundle_upper[bundle]));
}

double TowardLeaf::capacity_b_per_s(std::uint32_t from) {
  if (is_above(from)) return capacity_[from];
  if (rise_stamp_[from] == stamp_) return rise_[from];
  double sum = 0.0;
  for (std::size_t bundle = positions_->first_up[from]; bundle < positions_->first_up[from + 1]; ++bundle)
    sum += term_up(bundle);
  rise_stamp_[from] = stamp_;
  return rise_[from] = sum;
}

void TowardLeaf::move(std::uint32_t to, double fraction, std::vector<std::uint32_t>& moved) {
  if (inflow_[to] == 0.0) moved.push_back(to);
  inflow_[to] += fraction;
}

void TowardLeaf::add_adaptive(std::uint32_t from, std::vector<RouteShare>& shares) {
  const EqualPositions& positions = *positions_;
  move(from, 1.0, moved_up_[0]);
  for (std::size_t tier = 0; tier < moved_up_.size(); ++tier) {
    for (const std::uint32_t at : moved_up_[tier]) {
      if (is_above(at)) {
        moved_down_[tier].push_back(at);
        continue;
      }
      const double per_term = inflow_[at] / capacity_b_per_s(at);
      inflow_[at] = 0.0;
      for (std::uint32_t bundle = positions.first_up[at]; bundle < positions.first_up[at + 1]; ++bundle) {
        const double fraction = per_term * term_up(bundle);
        if (fraction == 0.0) continue;
        shares.push_back({2 * bundle, fraction});
        move(positions.bundle_upper[bundle], fraction, moved_up_[tier + 1]);
      }
    }
    moved_up_[tier].clear();
  }
  for (std::size_t tier = moved_down_.size(); tier-- > 0;) {
    for (const std::uint32_t at : moved_down_[tier]) {
      const double per_term = inflow_[at] / capacity_[at];
      inflow_[at] = 0.0;
      if (at == leaf_) continue;
      for (std::size_t i = positions.first_down[at]; i < positions.first_down[at + 1]; ++i) {
        const std::uint32_t bundle = positions.down_bundles[i], lower = positions.bundle_lower[bundle];
        if (!is_above(lower)) continue;
        const double fraction = per_term * term_down(bundle);
        shares.push_back({2 * bundle + 1, fraction});
        move(lower, fraction, moved_down_[tier - 1]);
      }
    }
    moved_down_[tier].clear();
  }
}

std::uint32_t TowardLeaf::choose_up(const Flow& flow, Hop& hop, CableChoice choose, std::uint64_t seed) {
  const Fabric& fabric = *fabric_;
  const auto cables_of = [&](std::uint32_t link) -> std::uint32_t {
    const bool leads_on = positions_->link_bundle[link] != no_bundle &&
                          capacity_b_per_s(positions_->switch_class[fabric.link_upper[link]]) > 0.0;
    return leads_on ? fabric.link_cables[link] : 0;
  };
  hop.count = 0;
  for (std::uint32_t link = fabric.first_up_link[hop.at]; link < fabric.first_up_link[hop.at + 1]; ++link)
    hop.count += cables_of(link);
  std::uint32_t cable = choose(flow, hop, seed);
  if (hop.number == 0) {
    hop.first_cable = cable;
    hop.first_count = hop.count;
  }
  std::uint32_t link = fabric.first_up_link[hop.at];
  for (; cable >= cables_of(link); ++link) cable -= cables_of(link);
  return link;
}

std::uint32_t TowardLeaf::choose_down(const Flow& flow, Hop& hop, CableChoice choose, std::uint64_t seed) {
  const Fabric& fabric = *fabric_;
  const auto cables_of = [&](std::uint32_t link) -> std::uint32_t {
    const bool leads_on =
        positions_->link_bundle[link] != no_bundle && is_above(positions_->switch_class[fabric.link_lower[link]]);
    return leads_on ? fabric.link_cables[link] : 0;
  };
  hop.count = 0;
  for (std::size_t i = fabric.first_down[hop.at]; i < fabric.first_down[hop.at + 1]; ++i)
    hop.count += cables_of(fabric.down_links[i]);
  std::uint32_t cable = choose(flow, hop, seed);
  std::size_t i = fabric.first_down[hop.at];
  for (; cable >= cables_of(fabric.down_links[i]); ++i) cable -= cables_of(fabric.down_links[i]);
  return fabric.down_links[i];
}

void TowardLeaf::add_single(std::uint32_t from, const Flow& flow, CableChoice choose, std::uint64_t seed,
                            std::vector<RouteShare>& shares) {
  Hop hop{.at = from, .number = 0, .count = 0, .to_leaf = leaf_};
  for (; !is_above(positions_->switch_class[hop.at]); ++hop.number) {
    const std::uint32_t link = choose_up(flow, hop, choose, seed);
    shares.push_back({2 * link, 1.0});
    hop.at = fabric_->link_upper[link];
  }
  hop.is_up = false;
  for (; hop.at != leaf_; ++hop.number) {
    const std::uint32_t link = choose_down(flow, hop, choose, seed);
    shares.push_back({2 * link + 1, 1.0});
    hop.at = fabric_->link_lower[link];
  }
}

}  // namespace wattloop::network
