#include "network/fat_tree.hpp"

#include <cstdint>
#include <numeric>
#include <stdexcept>

#include <fmt/format.h>

namespace wattloop::network {

namespace {

int divide_up(int dividend, int divisor) { return (dividend + divisor - 1) / divisor; }

/// Tiers of a non-blocking tree with that many ports down; at least two.
int tiers_for(std::int64_t ports, std::int64_t half_radix) {
  int tiers = 2;
  for (std::int64_t reach = 2 * half_radix * half_radix; reach < ports; reach *= half_radix) ++tiers;
  return tiers;
}

}  // namespace

int FatTree::all_switches() const { return std::accumulate(switches.begin(), switches.end(), 0); }

FatTree fat_tree(const FatTreeParams& params, int nodes) {
  if (nodes < 0) throw std::invalid_argument(fmt::format("a fat tree cannot have {} nodes", nodes));
  if (params.rails < 1) throw std::invalid_argument(fmt::format("a fat tree cannot have {} rails", params.rails));
  if (params.radix < 4 || params.radix % 2 != 0) {
    throw std::invalid_argument(
        fmt::format("a fat tree needs switches with an even radix from 4, not {}", params.radix));
  }
  FatTree tree;
  if (nodes == 0) return tree;
  const int half_radix = params.radix / 2;
  tree.scalable_units = divide_up(nodes, half_radix);
  const int leaves = params.rails * tree.scalable_units;
  const int tiers = tiers_for(std::int64_t{leaves} * half_radix, half_radix);
  tree.switches.assign(tiers, leaves);
  tree.switches.back() = divide_up(leaves, 2);
  tree.cables.assign(tiers, leaves * half_radix);
  tree.cables.front() = nodes * params.rails;
  return tree;
}

}  // namespace wattloop::network
