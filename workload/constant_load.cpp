#include "workload/constant_load.hpp"

#include <algorithm>
#include <limits>

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

}  // namespace wattloop::workload
