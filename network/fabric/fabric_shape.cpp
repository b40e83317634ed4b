#include "network/fabric/fabric_shape.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include <fmt/format.h>

namespace wattloop::network {

namespace {

constexpr int most_tiers = 8;

int divide_up(int dividend, int divisor) { return (dividend + divisor - 1) / divisor; }

int product(int a, int b) {
  const std::int64_t all = std::int64_t{a} * b;
  return static_cast<int>(std::min<std::int64_t>(all, std::numeric_limits<int>::max()));
}

TierPorts ports_of(int radix, double oversubscription) {
  const double up = std::ceil(radix / (1.0 + oversubscription) - 1e-9);
  const int whole = std::clamp(static_cast<int>(up), 1, radix - 1);
  return {radix - whole, whole};
}

double oversubscription_of(const FabricParams& params, int tier) {
  const auto number = static_cast<std::size_t>(tier);
  return number < params.oversubscription.size() ? params.oversubscription[number] : 1.0;
}

/// The shape with this number of tiers, even if it does not reach all units.
FabricShape shape_with(const FabricParams& params, int tiers) {
  FabricShape shape;
  for (int tier = 0; tier + 1 < tiers; ++tier)
    shape.ports.push_back(ports_of(params.radix, oversubscription_of(params, tier)));
  shape.ports.push_back({params.radix, 0});
  const bool is_clos = params.kind == FabricKind::ethernet_clos;
  shape.unit_leaves = is_clos ? 1 : params.rails;
  shape.unit_nodes = is_clos ? shape.ports[0].down / params.rails : shape.ports[0].down;
  shape.units = shape.unit_nodes > 0 ? divide_up(params.nodes, shape.unit_nodes) : 0;
  const bool is_by_rail = params.spines == SpineLayout::by_rail;
  shape.block_units = {1, shape.ports[1].down / (is_by_rail ? 1 : shape.unit_leaves)};
  for (int tier = 2; tier < tiers; ++tier)
    shape.block_units.push_back(is_by_rail ? shape.block_units[1]
                                           : product(shape.block_units.back(), shape.ports[tier].down));
  return shape;
}

/// Sets the islands. False if these tiers do not reach all units or form no island.
bool reaches(const FabricParams& params, FabricShape& shape) {
  const int tiers = shape.tiers();
  if (shape.unit_nodes < 1 || shape.block_units[1] < 1 || shape.units > shape.block_units.back()) return false;
  const int island_units = params.island_nodes > 0 ? divide_up(params.island_nodes, shape.unit_nodes) : shape.units;
  if (tiers == 2) return island_units >= shape.units;
  const int block = shape.block_units[tiers - 2];
  if (params.island_nodes > 0 && island_units < shape.units) {
    shape.islands = divide_up(shape.units, island_units);
    return island_units <= block && shape.islands <= shape.ports.back().down;
  }
  shape.islands = params.spines == SpineLayout::by_rail ? 1 : divide_up(shape.units, block);
  return true;
}

std::string reach_text(const FabricParams& params, int tiers) {
  const FabricShape shape = shape_with(params, tiers);
  return fmt::format("{} tiers of radix {} reach {} nodes", tiers, params.radix,
                     product(shape.block_units.back(), shape.unit_nodes));
}

/// "; a radix of 16 is enough", of the radices that switches have.
std::string radix_remedy(FabricParams params, int tiers) {
  constexpr int most_ports = 1024;
  for (params.radix += 2; params.radix <= most_ports; params.radix += 2) {
    FabricShape shape = shape_with(params, tiers);
    if (reaches(params, shape)) return fmt::format("; a radix of {} is enough", params.radix);
  }
  return {};
}

std::string why_not(const FabricParams& params, const FabricShape& shape) {
  const int tiers = shape.tiers();
  if (shape.unit_nodes < 1)
    return fmt::format("a radix of {} is too small for {} rails: a leaf needs {} ports for one node{}", params.radix,
                       params.rails, params.rails, radix_remedy(params, tiers));
  if (shape.block_units[1] < 1)
    return fmt::format(
        "a radix of {} is too small for {} rails with {} tiers: a spine needs a port down to each of the {} "
        "leaves of a unit, and has {}{}",
        params.radix, params.rails, tiers, shape.unit_leaves, shape.ports[1].down, radix_remedy(params, tiers));
  const int island_units = divide_up(params.island_nodes, shape.unit_nodes);
  if (params.island_nodes > 0 && tiers > 2 && island_units > shape.block_units[tiers - 2])
    return fmt::format("an island of {} nodes is larger than the {} tiers below the top tier reach: {} nodes",
                       params.island_nodes, tiers - 1, product(shape.block_units[tiers - 2], shape.unit_nodes));
  if (params.island_nodes > 0 && tiers == 2 && island_units < shape.units)
    return fmt::format("islands of {} nodes need a tier above them, and there are 2 tiers", params.island_nodes);
  if (params.island_nodes > 0 && shape.islands > params.radix)
    return fmt::format("{} islands of {} nodes are more than a switch of the top tier has ports: {}", shape.islands,
                       params.island_nodes, params.radix);
  return fmt::format("{} nodes are too many: {}", params.nodes, reach_text(params, tiers));
}

/// The shape with this number of tiers and the smallest whole oversubscription at the top that reaches all units.
std::optional<FabricShape> oversubscribed(FabricParams params, int tiers) {
  params.oversubscription.assign(static_cast<std::size_t>(tiers) - 1, 1.0);
  for (int ratio = 2; ratio < params.radix; ++ratio) {
    params.oversubscription.back() = ratio;
    FabricShape shape = shape_with(params, tiers);
    if (!reaches(params, shape)) continue;
    shape.remarks.push_back(
        fmt::format("{} nodes are more than {} tiers of radix {} reach without oversubscription: switches of tier {} "
                    "are oversubscribed {} : 1",
                    params.nodes, tiers, params.radix, tiers - 1, ratio));
    return shape;
  }
  return {};
}

void remark_tiers(const FabricParams& params, FabricShape& shape) {
  const int tiers = shape.tiers();
  const auto stated = static_cast<int>(params.oversubscription.size());
  if (stated >= tiers)
    shape.remarks.push_back(fmt::format(
        "oversubscription is stated for {} tiers, and the fabric has {}: switches of the top tier have no links up",
        stated, tiers));
  if (params.tiers == 0 && tiers > 3 && params.island_nodes == 0)
    shape.remarks.push_back(
        fmt::format("{}, and the fabric has {}: it has {} tiers", reach_text(params, tiers - 1), params.nodes, tiers));
  if (params.tiers == 0 && params.island_nodes > 0 && shape.islands > 1)
    shape.remarks.push_back(
        fmt::format("{} islands of {} nodes need {} tiers", shape.islands, params.island_nodes, tiers));
}

}  // namespace

std::optional<FabricShape> find_shape(const FabricParams& params, std::vector<std::string>& mistakes) {
  const int least = params.tiers > 0 ? params.tiers : 2;
  const int most = params.tiers > 0 ? params.tiers : params.spines == SpineLayout::by_rail ? 2 : most_tiers;
  for (int tiers = least; tiers <= most; ++tiers) {
    FabricShape shape = shape_with(params, tiers);
    if (!reaches(params, shape)) continue;
    remark_tiers(params, shape);
    return shape;
  }
  FabricShape shape = shape_with(params, least);  // of all that do not reach, the one that reaches farthest
  for (int tiers = least + 1; tiers <= most; ++tiers) {
    FabricShape other = shape_with(params, tiers);
    if (other.block_units.back() > shape.block_units.back()) shape = std::move(other);
  }
  const bool can_be_oversubscribed = params.tiers > 0 && params.oversubscription.empty() && shape.unit_nodes > 0 &&
                                     shape.block_units[1] > 0 && params.island_nodes == 0;
  if (can_be_oversubscribed) {
    if (std::optional<FabricShape> found = oversubscribed(params, least)) return found;
  }
  reaches(params, shape);
  mistakes.push_back(why_not(params, shape));
  return {};
}

}  // namespace wattloop::network
