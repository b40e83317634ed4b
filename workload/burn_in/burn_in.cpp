#include "workload/burn_in/burn_in.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/numbers/series.hpp"
#include "core/units/units.hpp"

namespace wattloop::workload {

namespace {

class BurnIn final : public Workload {
 public:
  BurnIn(const BurnInParams& params, const NodeSet& nodes)
      : nodes_(nodes),
        test_(params, static_cast<std::size_t>(nodes.nodes), static_cast<std::size_t>(nodes.nodes_per_rack),
              static_cast<std::size_t>(nodes.gpus_per_node)) {}

  double next_change_s(double t_s) const override {
    if (t_s < -boundary_slack_s) return 0.0;
    const double interval_s = test_.params().sample_interval_s;
    const double begin_s = sample_begin_s(t_s);
    return begin_s < test_.end_s() ? begin_s + interval_s : std::numeric_limits<double>::infinity();
  }

  void sample(double t_s, NodeRange nodes, std::span<double> gpu_w, std::span<double> node_ac_w) const override {
    const BurnInParams& params = test_.params();
    const auto gpus = static_cast<std::size_t>(nodes_.gpus_per_node);
    const double from_s = sample_begin_s(t_s), to_s = from_s + params.sample_interval_s;
    const double idle_w = nodes_.split.gpu_idle_w;
    const TestSpan sweeps{test_.matrix_end_s(), test_.end_s()};
    const double in_sweeps = t_s < -boundary_slack_s ? 0.0 : sweeps.overlap_s(from_s, to_s) / (to_s - from_s);
    for (std::size_t node = 0; node < nodes.count; ++node) {
      const TestSpan matrix = test_.matrix_span_of_node(nodes.first + node);
      const double in_matrix = t_s < -boundary_slack_s ? 0.0 : matrix.overlap_s(from_s, to_s) / (to_s - from_s);
      const double w = idle_w + in_matrix * (params.matrix_gpu_w - idle_w) + in_sweeps * (params.sweep_gpu_w - idle_w);
      std::ranges::fill(gpu_w.subspan(node * gpus, gpus), w);
      node_ac_w[node] = node_from_gpus_w(nodes_.split, w * static_cast<double>(gpus));
    }
  }

  /// Idle.
  void mean_before(NodeRange nodes, std::span<double> gpu_w, std::span<double> node_ac_w) const override {
    sample(-1.0, nodes, gpu_w, node_ac_w);
  }

  std::vector<TestedNodes> tests() const override { return {{&test_, 0}}; }

 private:
  double sample_begin_s(double t_s) const {
    const double interval_s = test_.params().sample_interval_s;
    return std::floor((t_s + boundary_slack_s) / interval_s) * interval_s;
  }

  NodeSet nodes_;
  AcceptanceTest test_;
};

}  // namespace

MadeWork make_work(const BurnInParams& params, const WorkRequest& request, Problems& problems) {
  const BurnInParams own = with_powers_of_gpu(params, request.nodes.split);
  const NodeSplitParams& split = request.nodes.split;
  const auto check_power = [&](std::string_view key, double power_w) {
    if (power_w >= split.gpu_idle_w && power_w <= split.gpu_limit_w) return;
    const Mention written = request.mention_of(key);
    problems.add({written.place,
                  fmt::format("{}{}: {} is not between idle power {} and limit {} of a GPU", request.racks, key,
                              format_quantity(power_w, "W"), format_quantity(split.gpu_idle_w, "W"),
                              format_quantity(split.gpu_limit_w, "W")),
                  "", written.excerpt});
  };
  check_power("matrix_gpu_power", own.matrix_gpu_w);
  check_power("sweep_gpu_power", own.sweep_gpu_w);
  return {.workload = std::make_unique<BurnIn>(own, request.nodes)};
}

}  // namespace wattloop::workload
