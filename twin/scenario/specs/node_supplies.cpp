#include "twin/scenario/specs/node_supplies.hpp"

#include <algorithm>

#include "twin/scenario/specs/scenario.hpp"

namespace wattloop::twin {

NodeSupplies node_supplies(const NodeHardware& node) {
  NodeSupplies supplies{.curve = node.psu, .one_cord_share = electrical::share_on_one_cord(node.psu)};
  const auto gpu = std::ranges::find(node.units, "gpu", &NodeUnits::name);
  if (supplies.one_cord_share == 1.0 || gpu == node.units.end()) return supplies;
  const double gpus = gpu->count, given_w = supplies.one_cord_share * node.psu.rated_w;
  const auto dc_w = [&](double gpu_w) {
    return supplies.curve.output_w(workload::node_from_gpus_w(node.split, gpus * gpu_w));
  };
  const double limit_w = node.split.gpu_limit_w;
  const double rest_w = std::max(dc_w(limit_w), supplies.curve.output_w(node.nameplate_w)) - gpus * limit_w;
  supplies.one_cord_gpu_limit_w = (given_w - rest_w) / gpus;
  supplies.needs_both_cords = dc_w(node.split.gpu_idle_w) > given_w;
  return supplies;
}

}  // namespace wattloop::twin
