// Watts asked for to the loads of units, rack by rack (twin/coupling.hpp).

#include <algorithm>
#include <array>

#include "twin/coupling.hpp"

namespace wattloop::twin {

namespace {

/// The loads of units from `unit` on.
double* loads(const Plant& plant, std::size_t group, std::size_t unit, PlantState& state) {
  return state.inputs.data() + (plant.groups[group]->first_load - plant.map.input(0) + unit);
}

/// Nodes of one rack that get their loads together, step by step: each step is a loop that vectors can take.
class NodeBlock {
 public:
  static constexpr std::size_t most_nodes = 16;

  /// `count` nodes from `first` of the hall on, which ask for `asked`.
  NodeBlock(const RackNow& now, const AskedPower& asked, std::size_t first, std::size_t count)
      : now_(now), asked_(asked), gpus_(now.plant.hall.gpus_per_node), first_(first), count_(count) {}

  /// DC power asked for, and what of it GPUs ask for.
  void supply() {
    const electrical::PsuCurve psu = now_.node.psu;
    for (std::size_t n = 0; n < count_; ++n) asked_dc_w_[n] = psu.output_w(asked_.node_w[n]);
    is_enough_ = true;
    for (std::size_t n = 0; n < count_; ++n) {
      asked_gpus_w_[n] = sum(asked_.gpu_w.subspan(n * gpus_, gpus_));
      is_enough_ = is_enough_ && asked_gpus_w_[n] <= asked_dc_w_[n];
    }
  }

  /// Gives GPUs what they ask for, as far as supply, firmware and power allow.
  void set_gpu_loads(bool has_full_clocks, PlantState& state) {
    const RackPart& rack = now_.plant.hall.racks[now_.rack];
    const bool is_served = electrical::is_served(state.switches, rack.load);
    const double* asked_w = asked_.gpu_w.data();
    double* load_w = loads(now_.plant, now_.plant.hall.gpu_group, first_ * gpus_, state);
    if (is_served && is_enough_ && has_full_clocks) {  // as nearly always; one that was shut down has no clock
      std::copy_n(asked_w, count_ * gpus_, load_w);
      std::copy_n(asked_gpus_w_.begin(), count_, gpus_w_.begin());
      is_on_.fill(true);
      return;
    }
    const auto clocks = std::span<const double>(state.work.clock_fraction).subspan(first_ * gpus_, count_ * gpus_);
    for (std::size_t n = 0; n < count_; ++n) {
      is_on_[n] = is_served && state.work.is_shut_down[first_ + n] == 0;
      restrain(n, {asked_w + n * gpus_, gpus_}, clocks.subspan(n * gpus_, gpus_), load_w + n * gpus_);
    }
  }

  /// Shares what is left evenly among the units of the rest groups of each node; the supply's loss is in it.
  void set_rest_loads(PlantState& state) {
    const electrical::PsuCurve psu = now_.node.psu;
    std::array<double, most_nodes> rest_w;
    for (std::size_t n = 0; n < count_; ++n) {
      const double rest_dc_w = std::max(asked_dc_w_[n] - asked_gpus_w_[n], 0.0);
      const double drawn_w = psu.input_w(gpus_w_[n] + rest_dc_w) - gpus_w_[n];
      rest_w[n] = is_on_[n] ? drawn_w : 0.0;
    }
    const HallParts& hall = now_.plant.hall;
    const auto per_node = [&](std::size_t group) { return now_.plant.groups[group]->count() / hall.node_count(); };
    std::size_t units = 0;
    for (const std::size_t group : hall.rest_groups) units += per_node(group);
    for (const std::size_t group : hall.rest_groups) {
      const std::size_t of_group = per_node(group);
      double* load_w = loads(now_.plant, group, first_ * of_group, state);
      for (std::size_t n = 0; n < count_; ++n) {
        std::fill_n(load_w + n * of_group, of_group, rest_w[n] / static_cast<double>(units));
      }
    }
  }

 private:
  /// Even and odd ones apart, so that additions wait less for one another.
  static double sum(std::span<const double> values) {
    double even = 0.0, odd = 0.0;
    for (std::size_t k = 0; k + 1 < values.size(); k += 2) {
      even += values[k];
      odd += values[k + 1];
    }
    return values.size() % 2 == 0 ? even + odd : even + odd + values.back();
  }

  void restrain(std::size_t n, std::span<const double> asked_w, std::span<const double> clocks, double* load_w) {
    const double available_ratio = asked_gpus_w_[n] > asked_dc_w_[n] ? asked_dc_w_[n] / asked_gpus_w_[n] : 1.0;
    gpus_w_[n] = 0.0;
    for (std::size_t k = 0; k < gpus_; ++k) {
      const double available_w = asked_w[k] * available_ratio;
      load_w[k] = !is_on_[n] ? 0.0
                  : clocks[k] == 1.0
                      ? available_w
                      : workload::throttled_w(now_.node.split.gpu_idle_w, available_w, clocks[k]);
      gpus_w_[n] += load_w[k];
    }
  }

  const RackNow& now_;
  const AskedPower asked_;
  const std::size_t gpus_, first_, count_;
  std::array<double, most_nodes> asked_dc_w_, asked_gpus_w_, gpus_w_;
  std::array<bool, most_nodes> is_on_;
  bool is_enough_ = true;  ///< what supplies give, for what GPUs ask for
};

}  // namespace

void apply_rack_loads(const RackNow& now, const AskedPower& asked, bool has_full_clocks, PlantState& state) {
  const HallParts& hall = now.plant.hall;
  for (std::size_t first = 0; first < hall.nodes_per_rack; first += NodeBlock::most_nodes) {
    const std::size_t count = std::min(hall.nodes_per_rack - first, NodeBlock::most_nodes);
    const AskedPower of_block{asked.gpu_w.subspan(first * hall.gpus_per_node, count * hall.gpus_per_node),
                              asked.node_w.subspan(first, count)};
    NodeBlock block(now, of_block, now.rack * hall.nodes_per_rack + first, count);
    block.supply();
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
