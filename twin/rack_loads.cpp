// Watts asked for to the loads of units, rack by rack (twin/coupling.hpp).

#include <algorithm>
#include <cstring>

#include "core/lanes.hpp"
#include "twin/coupling.hpp"

namespace wattloop::twin {

namespace {

/// The loads of units of one kind from those of node `node` on.
double* loads(const NodeLoads& of, std::size_t node, PlantState& state) {
  return state.inputs.data() + of.first_input + node * of.per_node;
}

/// Copies `count` values and returns their sum.
double copy_and_add(const double* from, std::size_t count, double* to) {
  return sum_by_lanes(count, [&]<class Value>(std::size_t i, Value& sum) {
    Value values;
    std::memcpy(&values, from + i, sizeof values);
    std::memcpy(to + i, &values, sizeof values);
    sum += values;
  });
}

/// Up to eight nodes of one rack, computed together. Fewer leave the rest of the eight at no power.
class NodeBlock {
 public:
  static constexpr std::size_t most_nodes = 8;

  /// `count` nodes from `first` of the hall on, which ask for `asked`.
  NodeBlock(const RackNow& now, const AskedPower& asked, std::size_t first, std::size_t count)
      : now_(now), asked_(asked), gpus_(now.plant.hall.gpus_per_node), first_(first), count_(count) {}

  /// Gives GPUs what they ask for, as far as supply, firmware and power allow.
  void set_gpu_loads(bool has_full_clocks, PlantState& state) {
    const HallParts& hall = now_.plant.hall;
    double* load_w = loads(hall.gpu_loads, first_, state);
    for (std::size_t n = 0; n < count_; ++n) {
      asked_dc_w_[n] = asked_.node_w[n];
      gpus_w_[n] = copy_and_add(asked_.gpu_w.data() + n * gpus_, gpus_, load_w + n * gpus_);
    }
    now_.node.psu.to_output(asked_dc_w_);
    asked_gpus_w_ = gpus_w_;
    const bool is_served = electrical::is_served(state.switches, hall.racks[now_.rack].load);
    if (is_served && is_enough() && has_full_clocks) return;  // as nearly always; one that was shut down has no clock
    const auto clocks = std::span<const double>(state.work.clock_fraction).subspan(first_ * gpus_, count_ * gpus_);
    for (std::size_t n = 0; n < count_; ++n) {
      is_on_[n] = is_served && state.work.is_shut_down[first_ + n] == 0 ? 1.0 : 0.0;
      gpus_w_[n] = restrain(n, clocks.subspan(n * gpus_, gpus_), load_w + n * gpus_);
    }
  }

  /// Shares what is left evenly among the other units of each node; the supply's loss is in it.
  void set_rest_loads(PlantState& state) const {
    const HallParts& hall = now_.plant.hall;
    Lanes rest_dc_w = asked_dc_w_ - asked_gpus_w_;
    rest_dc_w = rest_dc_w > 0.0 ? rest_dc_w : 0.0;
    Lanes drawn_w = gpus_w_ + rest_dc_w;
    now_.node.psu.to_input(drawn_w);
    std::size_t units = 0;
    for (const NodeLoads& of_kind : hall.rest_loads) units += of_kind.per_node;
    const Lanes each_w = is_on_ * (1.0 / static_cast<double>(units)) * (drawn_w - gpus_w_);
    for (const NodeLoads& of_kind : hall.rest_loads) {
      double* load_w = loads(of_kind, first_, state);
      for (std::size_t k = 0; k < of_kind.per_node; ++k) {
        for (std::size_t n = 0; n < count_; ++n) load_w[n * of_kind.per_node + k] = each_w[n];
      }
    }
  }

 private:
  /// Whether supplies give what GPUs ask for.
  bool is_enough() const {
    Lanes missing_w = asked_gpus_w_ - asked_dc_w_;
    missing_w = missing_w > 0.0 ? missing_w : 0.0;
    return sum_of(missing_w) == 0.0;
  }

  /// Sets the loads of the GPUs of node `n` and returns their sum.
  double restrain(std::size_t n, std::span<const double> clocks, double* load_w) const {
    const double available_ratio = asked_gpus_w_[n] > asked_dc_w_[n] ? asked_dc_w_[n] / asked_gpus_w_[n] : 1.0;
    double sum_w = 0.0;
    for (std::size_t k = 0; k < gpus_; ++k) {
      const double available_w = asked_.gpu_w[n * gpus_ + k] * available_ratio;
      load_w[k] = is_on_[n] == 0.0 ? 0.0
                  : clocks[k] == 1.0
                      ? available_w
                      : workload::throttled_w(now_.node.split.gpu_idle_w, available_w, clocks[k]);
      sum_w += load_w[k];
    }
    return sum_w;
  }

  const RackNow& now_;
  const AskedPower asked_;
  const std::size_t gpus_, first_, count_;
  Lanes asked_dc_w_{};    ///< [node] what its supplies give if they draw what it asks for
  Lanes asked_gpus_w_{};  ///< what of it its GPUs ask for
  Lanes gpus_w_{};        ///< what they get
  Lanes is_on_ = Lanes{} + 1.0;  ///< 1, or 0 without power and after a shutdown
};

}  // namespace

void apply_rack_loads(const RackNow& now, const AskedPower& asked, bool has_full_clocks, PlantState& state) {
  const HallParts& hall = now.plant.hall;
  for (std::size_t first = 0; first < hall.nodes_per_rack; first += NodeBlock::most_nodes) {
    const std::size_t count = std::min(hall.nodes_per_rack - first, NodeBlock::most_nodes);
    const AskedPower of_block{asked.gpu_w.subspan(first * hall.gpus_per_node, count * hall.gpus_per_node),
                              asked.node_w.subspan(first, count)};
    NodeBlock block(now, of_block, now.rack * hall.nodes_per_rack + first, count);
    block.set_gpu_loads(has_full_clocks, state);
    block.set_rest_loads(state);
  }
}

AskedPower asked_of_rack(const HallParts& hall, std::size_t rack, const AskedPower& of_hall) {
  const std::size_t nodes = hall.nodes_per_rack, gpus = nodes * hall.gpus_per_node;
  return {of_hall.gpu_w.subspan(rack * gpus, gpus), of_hall.node_w.subspan(rack * nodes, nodes)};
}

void apply_loads(const Plant& plant, const NodeCoupling& node, PlantState& state) {
  for (std::size_t rack = 0; rack < plant.hall.racks.size(); ++rack) {
    apply_rack_loads({plant, node, rack, state.time_s},
                     asked_of_rack(plant.hall, rack, {state.work.asked_gpu_w, state.work.asked_node_w}),
                     state.work.is_restrained[rack] == 0, state);
  }
}

}  // namespace wattloop::twin
