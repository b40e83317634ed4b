#include <algorithm>
#include <numeric>
#include <optional>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "network/fabric/fabric.hpp"

namespace wattloop::network {

namespace {

struct Link {
  std::uint32_t lower, upper;  ///< numbers inside their tiers
  std::uint16_t cables;
};

/// Switches and links of a tier while the fabric grows.
struct Tier {
  std::vector<std::int32_t> island, rail;  ///< [switches]
  std::vector<std::uint32_t> block;        ///< [switches]
  std::vector<Link> links;                 ///< down
};

/// Switches of one tier that the tier above connects, by their numbers in their tier.
using Tops = std::vector<std::uint32_t>;

struct Growth {
  const FabricParams& params;
  const FabricShape& shape;
  std::vector<Tier> tiers;
  std::uint32_t blocks = 0;

  std::uint32_t add_switch(int tier, std::int32_t island, std::int32_t rail) {
    tiers[tier].island.push_back(island);
    tiers[tier].rail.push_back(rail);
    tiers[tier].block.push_back(blocks);
    return static_cast<std::uint32_t>(tiers[tier].island.size() - 1);
  }
};

/// The smallest number, at least `least`, with which each lower switch has equal links to each of its upper switches.
std::uint32_t with_equal_links(std::uint32_t least, std::uint32_t up) {
  for (std::uint32_t count = least;; ++count) {
    if (count <= up ? up % count == 0 : count % up == 0) return count;
  }
}

/// Connects switches by the switches of the tier above.
Tops join(Growth& growth, const Tops& lowers, int tier, std::int32_t island, std::int32_t rail) {
  const auto up = static_cast<std::uint32_t>(growth.shape.ports[tier - 1].up);
  const auto down = static_cast<std::uint32_t>(growth.shape.ports[tier].down);
  const auto cables = static_cast<std::uint32_t>(lowers.size()) * up;
  std::uint32_t count = (cables + down - 1) / down;
  if (growth.params.has_equal_links) count = with_equal_links(count, up);
  Tops uppers;
  for (std::uint32_t i = 0; i < count; ++i) uppers.push_back(growth.add_switch(tier, island, rail));
  ++growth.blocks;
  std::uint32_t next = 0;
  for (const std::uint32_t lower : lowers) {
    for (std::uint32_t i = 0; i < std::min(up, count); ++i) {
      const std::uint32_t links = up / count + (i < up % count ? 1 : 0);
      growth.tiers[tier].links.push_back({lower, uppers[(next + i) % count], static_cast<std::uint16_t>(links)});
    }
    next = (next + up) % count;
  }
  return uppers;
}

/// All switches of units, whose top is `tier`.
Tops grow_block(Growth& growth, int tier, int first_unit, int units, std::int32_t island) {
  const FabricShape& shape = growth.shape;
  Tops lowers;
  if (tier == 0) {
    for (std::int32_t leaf = 0; leaf < shape.unit_leaves; ++leaf, ++growth.blocks)
      lowers.push_back(growth.add_switch(0, island, shape.unit_leaves > 1 ? leaf : no_rail));
    return lowers;
  }
  const bool is_top = tier + 1 == shape.tiers();
  const int below = tier == 1 ? units
                    : is_top  ? shape.islands
                              : (units + shape.block_units[tier - 1] - 1) / shape.block_units[tier - 1];
  const int island_units = growth.params.island_nodes / shape.unit_nodes;
  const bool has_given_islands = is_top && tier > 1 && shape.islands > 1 && island_units > 0;
  for (std::int64_t block = 0; block < below; ++block) {
    std::int64_t first = block * units / below, end = (block + 1) * units / below;
    if (has_given_islands) {
      first = block * island_units;
      end = std::min<std::int64_t>(first + island_units, units);
    }
    const auto island_below = is_top && tier > 1 ? static_cast<std::int32_t>(block) : island;
    const Tops tops =
        grow_block(growth, tier - 1, first_unit + static_cast<int>(first), static_cast<int>(end - first), island_below);
    lowers.insert(lowers.end(), tops.begin(), tops.end());
  }
  return join(growth, lowers, tier, is_top ? no_island : island, no_rail);
}

/// Leaves of all rails, spines of one rail each, joined above where there is a third tier.
void grow_by_rail(Growth& growth) {
  const FabricShape& shape = growth.shape;
  for (int unit = 0; unit < shape.units; ++unit) grow_block(growth, 0, unit, 1, no_island);
  Tops spines;
  for (std::int32_t rail = 0; rail < growth.params.rails; ++rail) {
    Tops leaves;
    for (int unit = 0; unit < shape.units; ++unit)
      leaves.push_back(static_cast<std::uint32_t>(unit * shape.unit_leaves + rail));
    const Tops of_rail = join(growth, leaves, 1, no_island, rail);
    spines.insert(spines.end(), of_rail.begin(), of_rail.end());
  }
  if (shape.tiers() > 2) join(growth, spines, 2, no_island, no_rail);
}

void connect_nodes(Growth& growth) {
  const FabricParams& params = growth.params;
  const FabricShape& shape = growth.shape;
  for (int node = 0; node < params.nodes; ++node) {
    const int unit = node / shape.unit_nodes;
    for (int rail = 0; rail < params.rails; ++rail) {
      const int leaf = unit * shape.unit_leaves + (shape.unit_leaves > 1 ? rail : 0);
      growth.tiers[0].links.push_back({static_cast<std::uint32_t>(node), static_cast<std::uint32_t>(leaf), 1});
    }
  }
  const int leaves = shape.units * shape.unit_leaves;  // free ports are on leaves of the last unit
  for (int port = 0; port < params.manager_ports; ++port) {
    const int leaf = leaves - shape.unit_leaves + port % shape.unit_leaves;
    growth.tiers[0].links.push_back(
        {static_cast<std::uint32_t>(params.nodes + port), static_cast<std::uint32_t>(leaf), 1});
  }
}

void add_switches(const Growth& growth, Fabric& fabric) {
  fabric.tier_switch.push_back(0);
  for (std::size_t tier = 0; tier < growth.tiers.size(); ++tier) {
    const Tier& grown = growth.tiers[tier];
    fabric.switch_tier.insert(fabric.switch_tier.end(), grown.island.size(), static_cast<std::uint8_t>(tier));
    fabric.switch_island.insert(fabric.switch_island.end(), grown.island.begin(), grown.island.end());
    fabric.switch_block.insert(fabric.switch_block.end(), grown.block.begin(), grown.block.end());
    fabric.switch_rail.insert(fabric.switch_rail.end(), grown.rail.begin(), grown.rail.end());
    fabric.tier_switch.push_back(static_cast<std::uint32_t>(fabric.switch_tier.size()));
  }
}

void add_links(Growth& growth, Fabric& fabric) {
  std::size_t links = 0;
  for (const Tier& tier : growth.tiers) links += tier.links.size();
  for (auto* column : {&fabric.link_lower, &fabric.link_upper}) column->reserve(links);
  fabric.link_cables.reserve(links);
  fabric.tier_link.push_back(0);
  for (std::size_t tier = 0; tier < growth.tiers.size(); ++tier) {
    std::vector<Link>& grown = growth.tiers[tier].links;
    std::ranges::stable_sort(grown, {}, &Link::lower);
    const std::uint32_t below = tier == 0 ? 0 : fabric.tier_switch[tier - 1];
    for (const Link& link : grown) {
      fabric.link_lower.push_back(below + link.lower);
      fabric.link_upper.push_back(fabric.tier_switch[tier] + link.upper);
      fabric.link_cables.push_back(link.cables);
    }
    fabric.tier_link.push_back(static_cast<std::uint32_t>(fabric.link_lower.size()));
    grown = {};
  }
}

void index_links(Fabric& fabric) {
  const std::size_t switches = fabric.switch_count(), links = fabric.link_count();
  fabric.first_up_link.assign(switches + 1, 0);
  fabric.first_down.assign(switches + 1, 0);
  const std::size_t node_links = fabric.tier_link[1];
  for (std::size_t link = node_links; link < links; ++link) ++fabric.first_up_link[fabric.link_lower[link] + 1];
  fabric.first_up_link[0] = static_cast<std::uint32_t>(node_links);
  for (std::size_t link = 0; link < links; ++link) ++fabric.first_down[fabric.link_upper[link] + 1];
  std::partial_sum(fabric.first_up_link.begin(), fabric.first_up_link.end(), fabric.first_up_link.begin());
  std::partial_sum(fabric.first_down.begin(), fabric.first_down.end(), fabric.first_down.begin());
  fabric.down_links.resize(links);
  std::vector<std::uint32_t> next(fabric.first_down.begin(), fabric.first_down.end() - 1);
  for (std::uint32_t link = 0; link < links; ++link) fabric.down_links[next[fabric.link_upper[link]]++] = link;
}

}  // namespace

int Fabric::link_tier(std::size_t link) const { return switch_tier[link_upper[link]]; }

Fabric build_fabric(const FabricParams& params) {
  std::vector<std::string> mistakes = mistakes_in(params);
  std::optional<FabricShape> shape;
  if (mistakes.empty()) shape = find_shape(params, mistakes);
  if (!shape) throw std::invalid_argument(fmt::format("{}", fmt::join(mistakes, "; ")));
  Fabric fabric;
  fabric.params = params;
  fabric.shape = *shape;
  Growth growth{fabric.params, fabric.shape, std::vector<Tier>(static_cast<std::size_t>(shape->tiers())), 0};
  if (params.spines == SpineLayout::by_rail) {
    grow_by_rail(growth);
  } else {
    grow_block(growth, shape->tiers() - 1, 0, shape->units, shape->tiers() > 2 ? 0 : no_island);
  }
  connect_nodes(growth);
  add_switches(growth, fabric);
  add_links(growth, fabric);
  index_links(fabric);
  return fabric;
}

FabricCounts count_by_traversal(const Fabric& fabric) {
  const auto tiers = static_cast<std::size_t>(fabric.tiers());
  FabricCounts counts{std::vector<std::size_t>(tiers), std::vector<std::size_t>(tiers),
                      std::vector<std::size_t>(tiers)};
  std::vector<std::uint8_t> is_seen(fabric.switch_count(), 0);
  std::vector<std::uint32_t> open;
  const auto visit = [&](std::uint32_t found) {
    if (is_seen[found] != 0) return;
    is_seen[found] = 1;
    open.push_back(found);
  };
  for (std::size_t link = 0; link < fabric.tier_link[1]; ++link) visit(fabric.link_upper[link]);
  while (!open.empty()) {
    const std::uint32_t at = open.back();
    open.pop_back();
    const std::size_t tier = fabric.switch_tier[at];
    std::size_t ports = 0;
    ++counts.switches[tier];
    for (std::uint32_t i = fabric.first_down[at]; i < fabric.first_down[at + 1]; ++i) {
      const std::uint32_t link = fabric.down_links[i];
      ports += fabric.link_cables[link];
      if (tier > 0) visit(fabric.link_lower[link]);
    }
    counts.cables[tier] += ports;
    for (std::uint32_t link = fabric.first_up_link[at]; link < fabric.first_up_link[at + 1]; ++link) {
      ports += fabric.link_cables[link];
      visit(fabric.link_upper[link]);
    }
    counts.most_ports[tier] = std::max(counts.most_ports[tier], ports);
  }
  return counts;
}

}  // namespace wattloop::network
