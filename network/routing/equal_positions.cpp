#include "network/routing/equal_positions.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <unordered_map>

namespace wattloop::network {

namespace {

using Signature = std::vector<std::uint64_t>;

struct Hash {
  std::size_t operator()(const Signature& signature) const {
    std::uint64_t sum = 0x9E3779B97F4A7C15;
    for (const std::uint64_t word : signature) sum = (sum ^ word) * 0xBF58476D1CE4E5B9 + (sum >> 31);
    return sum;
  }
};

/// Links between switches. Each has a number for the value by which links are compared: its bandwidth, or its share of the bandwidth.
struct ComparedLinks {
  std::vector<double> b_per_s;        ///< [links] live
  std::vector<std::uint32_t> number;  ///< [links]
  Alike alike;
};

ComparedLinks compared_links(const Fabric& fabric, const FabricHealth& health, Alike alike) {
  ComparedLinks links{std::vector<double>(fabric.link_count(), 0.0), std::vector<std::uint32_t>(fabric.link_count(), 0),
                      alike};
  std::vector<double> value(fabric.link_count(), 0.0), known;
  for (std::size_t link = fabric.tier_link[1]; link < value.size(); ++link) {
    links.b_per_s[link] = live_b_per_s(fabric, health, link);
    value[link] = alike == Alike::exactly ? links.b_per_s[link] : links.b_per_s[link] / fabric.link_b_per_s(link);
    const bool is_new = known.empty() || known.back() != value[link];
    if (is_new) known.push_back(value[link]);
  }
  std::ranges::sort(known);
  known.erase(std::ranges::unique(known).begin(), known.end());
  for (std::size_t link = fabric.tier_link[1]; link < value.size(); ++link)
    links.number[link] = static_cast<std::uint32_t>(std::ranges::lower_bound(known, value[link]) - known.begin());
  return links;
}

/// The neighbourhood of a switch: its own class, and for each link the class at the other end and the compared value, in order.
void see(const Fabric& fabric, const ComparedLinks& links, const std::vector<std::uint32_t>& colour, std::size_t at,
         Signature& seen) {
  seen.assign(1, colour[at]);
  const auto add = [&](std::size_t link, std::uint32_t end) {
    const bool counts =
        links.alike == Alike::exactly ? links.b_per_s[link] > 0.0 : links.b_per_s[link] != fabric.link_b_per_s(link);
    if (counts) seen.push_back(std::uint64_t{links.number[link]} << 32 | colour[end]);
  };
  for (std::size_t i = fabric.first_down[at]; i < fabric.first_down[at + 1]; ++i)
    add(fabric.down_links[i], fabric.link_lower[fabric.down_links[i]]);
  for (std::size_t link = fabric.first_up_link[at]; link < fabric.first_up_link[at + 1]; ++link)
    add(link, fabric.link_upper[link]);
  std::sort(seen.begin() + 1, seen.end());
  if (links.alike == Alike::by_health) seen.erase(std::unique(seen.begin() + 1, seen.end()), seen.end());
}

/// Splits classes once and returns the new number of classes. Classes are numbered by their first switch, so tiers stay in order.
std::size_t refine(const Fabric& fabric, const FabricHealth& health, const ComparedLinks& links,
                   std::vector<std::uint32_t>& colour) {
  const std::size_t leaves = fabric.tier_switch[1];
  std::unordered_map<Signature, std::uint32_t, Hash> number;
  std::vector<std::uint32_t> refined = colour;
  auto next = static_cast<std::uint32_t>(leaves);
  Signature seen;
  for (std::size_t at = leaves; at < fabric.switch_count(); ++at) {
    if (health.is_failed[at] != 0) continue;
    see(fabric, links, colour, at, seen);
    const auto [place, is_new] = number.try_emplace(seen, next);
    if (is_new) ++next;
    refined[at] = place->second;
  }
  colour = std::move(refined);
  return next;
}

void number_classes(const Fabric& fabric, std::size_t classes, EqualPositions& positions) {
  positions.class_tier.assign(classes, 0);
  positions.class_size.assign(classes, 0);
  for (std::size_t at = 0; at < fabric.switch_count(); ++at) {
    const std::uint32_t own = positions.switch_class[at];
    if (own == no_class) continue;
    positions.class_tier[own] = fabric.switch_tier[at];
    ++positions.class_size[own];
  }
}

void add_bundles(const Fabric& fabric, const ComparedLinks& compared, EqualPositions& positions) {
  using Ends = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;  // lower, upper, number
  std::vector<std::pair<Ends, std::uint32_t>> links;
  for (std::uint32_t link = fabric.tier_link[1]; link < fabric.link_count(); ++link) {
    if (!(compared.b_per_s[link] > 0.0)) continue;
    links.push_back({{positions.switch_class[fabric.link_lower[link]], positions.switch_class[fabric.link_upper[link]],
                      compared.number[link]},
                     link});
  }
  std::ranges::sort(links);
  positions.link_bundle.assign(fabric.link_count(), no_bundle);
  const Ends* last = nullptr;
  for (const auto& [ends, link] : links) {
    if (last == nullptr || *last != ends) {
      positions.bundle_lower.push_back(std::get<0>(ends));
      positions.bundle_upper.push_back(std::get<1>(ends));
      positions.bundle_links.push_back(0);
      positions.bundle_link_b_per_s.push_back(0.0);
    }
    last = &ends;
    ++positions.bundle_links.back();
    positions.bundle_link_b_per_s.back() += compared.b_per_s[link];
    positions.link_bundle[link] = static_cast<std::uint32_t>(positions.bundle_count() - 1);
  }
  for (std::size_t bundle = 0; bundle < positions.bundle_count(); ++bundle)
    positions.bundle_link_b_per_s[bundle] /= positions.bundle_links[bundle];
}

void index_bundles(EqualPositions& positions) {
  const std::size_t classes = positions.class_count();
  positions.first_up.assign(classes + 1, 0);
  positions.first_down.assign(classes + 1, 0);
  for (std::size_t bundle = 0; bundle < positions.bundle_count(); ++bundle) {
    ++positions.first_up[positions.bundle_lower[bundle] + 1];
    ++positions.first_down[positions.bundle_upper[bundle] + 1];
  }
  std::partial_sum(positions.first_up.begin(), positions.first_up.end(), positions.first_up.begin());
  std::partial_sum(positions.first_down.begin(), positions.first_down.end(), positions.first_down.begin());
  positions.down_bundles.resize(positions.bundle_count());
  std::vector<std::uint32_t> next(positions.first_down.begin(), positions.first_down.end() - 1);
  for (std::uint32_t bundle = 0; bundle < positions.bundle_count(); ++bundle)
    positions.down_bundles[next[positions.bundle_upper[bundle]]++] = bundle;
}

}  // namespace

EqualPositions find_equal_positions(const Fabric& fabric, const FabricHealth& health, Alike alike) {
  const ComparedLinks links = compared_links(fabric, health, alike);
  const std::size_t leaves = fabric.tier_switch[1];
  EqualPositions positions;
  std::vector<std::uint32_t>& colour = positions.switch_class;
  colour.resize(fabric.switch_count());
  for (std::size_t at = 0; at < colour.size(); ++at) {  // a leaf that failed keeps a class without links
    const std::size_t block = alike == Alike::by_health ? fabric.switch_block[at] : fabric.switch_tier[at];
    colour[at] = static_cast<std::uint32_t>(at < leaves ? at : leaves + block);
  }
  std::size_t classes = 0;
  for (std::size_t at = leaves; at < colour.size(); ++at) {
    if (health.is_failed[at] != 0) colour[at] = no_class;
  }
  for (std::size_t refined = 0;; classes = refined) {
    refined = refine(fabric, health, links, colour);
    if (refined == classes) break;
  }
  number_classes(fabric, classes, positions);
  add_bundles(fabric, links, positions);
  index_bundles(positions);
  return positions;
}

}  // namespace wattloop::network
