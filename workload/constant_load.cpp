#include "workload/constant_load.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/units/units.hpp"

namespace wattloop::workload {

namespace {

class ConstantLoad final : public Workload {
 public:
  ConstantLoad(double node_ac_w, const NodeSet& nodes)
      : node_ac_w_(node_ac_w), gpu_w_(gpu_from_node_w(nodes.split, node_ac_w, nodes.gpus_per_node)) {}

  double next_change_s(double) const override { return std::numeric_limits<double>::infinity(); }

  void sample(double, NodeRange, std::span<double> gpu_w, std::span<double> node_ac_w) const override {
    std::ranges::fill(gpu_w, gpu_w_);
    std::ranges::fill(node_ac_w, node_ac_w_);
  }

 private:
  double node_ac_w_, gpu_w_;
};

}  // namespace

std::unique_ptr<Workload> make_constant_load(double node_ac_w, const NodeSet& nodes) {
  return std::make_unique<ConstantLoad>(node_ac_w, nodes);
}

MadeWork make_work(const ConstantParams& params, const WorkRequest& request, Problems& problems) {
  const NodeSet& nodes = request.nodes;
  const double node_w = params.node_power_w == ConstantParams::nameplate_w ? nodes.nameplate_w : params.node_power_w;
  if (node_w > nodes.nameplate_w) {
    const Mention written = request.mention_of("node_power");
    problems.add({written.place,
                  fmt::format("node_power: {} is more than a node can draw, {}", format_quantity(node_w, "W"),
                              format_quantity(nodes.nameplate_w, "W")),
                  "leave it out for the nameplate power of the node", written.excerpt});
  }
  std::vector<std::string> warnings;
  const double idle_w = nodes.gpus_per_node * nodes.split.gpu_idle_w;
  if (node_w > 0.0 && node_w < idle_w) {
    warnings.push_back(fmt::format("node_power: {} is less than the GPUs of a node draw without work, {}",
                                   format_quantity(node_w, "W"), format_quantity(idle_w, "W")));
  }
  return {.workload = make_constant_load(node_w, nodes), .warnings = std::move(warnings)};
}

}  // namespace wattloop::workload
