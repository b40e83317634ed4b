// A kind of work with everything that a kind must have: all nodes draw the same watts, a little less at each minute. In the list of
// workload/workload_kinds.hpp it would be one more line.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string_view>

#include "core/parts/field.hpp"
#include "workload/work/workload_kind.hpp"

namespace wattloop::tests {

struct ToyWork {
  static constexpr std::string_view kind = "fading", noun = "fading work", page = "docs/models/fading_work.md";
  static constexpr std::string_view doc = "Power that falls by a share of itself each minute.";

  double node_power_w = required;
  double fall_fraction = 0.1;

  bool contains_leakage() const { return true; }
  bool contains_fans() const { return true; }

  static constexpr auto fields() {
    using P = ToyWork;
    return std::array{
        Field<P>{&P::node_power_w, "node_power", "W", Range::positive, "Power of every node in the first minute."},
        Field<P>{&P::fall_fraction, "fall", "1", Range::fraction, "Share by which it falls each minute."},
    };
  }
};

class Fading final : public workload::Workload {
 public:
  Fading(const ToyWork& params, const workload::NodeSet& nodes) : params_(params), nodes_(nodes) {}

  double next_change_s(double t_s) const override { return (std::floor(t_s / minute_s) + 1.0) * minute_s; }
  void sample(double t_s, workload::NodeRange, std::span<double> gpu_w, std::span<double> node_ac_w) const override {
    const double minutes = std::max(std::floor(t_s / minute_s), 0.0);
    const double node_w = params_.node_power_w * std::pow(1.0 - params_.fall_fraction, minutes);
    std::ranges::fill(node_ac_w, node_w);
    std::ranges::fill(gpu_w, workload::gpu_from_node_w(nodes_.split, node_w, nodes_.gpus_per_node));
  }

 private:
  static constexpr double minute_s = 60.0;
  ToyWork params_;
  workload::NodeSet nodes_;
};

inline workload::MadeWork make_work(const ToyWork& params, const workload::WorkRequest& request, Problems& problems) {
  const Mention written = request.mention_of("node_power");
  if (params.node_power_w > request.nodes.nameplate_w)
    problems.add({written.place, "node_power: more than a node can draw", "less than its nameplate", written.excerpt});
  return {.workload = std::make_unique<Fading>(params, request.nodes)};
}
static_assert(workload::WorkloadKind<ToyWork>);

}  // namespace wattloop::tests
