#include "workload/replay/replay_levels.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "core/units/units.hpp"

namespace wattloop::workload {

namespace {

/// What the samples of one column ask beyond the limit of the GPUs.
struct Surplus {
  std::size_t samples = 0;
  double sum_w = 0.0;
};

Surplus surplus_of(const PowerTrace& trace, std::span<const double> inlet_w, std::size_t column, double most_w) {
  Surplus surplus;
  for (std::size_t row = 0; row < trace.rows(); ++row) {
    const double w = inlet_w[row * trace.columns() + column];
    if (w <= most_w) continue;
    ++surplus.samples;
    surplus.sum_w += w - most_w;
  }
  return surplus;
}

/// Of each column.
std::vector<double> means_w(const PowerTrace& trace, std::span<const double> inlet_w, std::size_t columns) {
  std::vector<double> means(columns, 0.0);
  for (std::size_t row = 0; row < trace.rows(); ++row) {
    for (std::size_t column = 0; column < columns; ++column) means[column] += inlet_w[row * trace.columns() + column];
  }
  for (double& mean : means) mean /= static_cast<double>(trace.rows());
  return means;
}

void count_clamped(const PowerTrace& trace, std::span<const double> inlet_w, std::size_t columns, const NodeSet& nodes,
                   bool are_racks, ReplayLevels& levels) {
  const int nodes_together = are_racks ? nodes.nodes_per_rack : 1;
  const std::string_view what = are_racks ? "rack" : "node";
  const double most_w = nodes_together * node_from_gpus_w(nodes.split, nodes.gpus_per_node * nodes.split.gpu_limit_w);
  Surplus all, worst;
  std::size_t worst_column = 0;
  for (std::size_t column = 0; column < columns; ++column) {
    const Surplus surplus = surplus_of(trace, inlet_w, column, most_w);
    all = {all.samples + surplus.samples, all.sum_w + surplus.sum_w};
    if (surplus.samples <= worst.samples) continue;
    worst = surplus;
    worst_column = column;
  }
  if (all.samples == 0) return;
  const auto rows = static_cast<double>(trace.rows());
  levels.clamped_sample_share = static_cast<double>(all.samples) / (rows * static_cast<double>(columns));
  levels.notes.push_back(fmt::format(
      "{:.3g} % of samples ask more of the GPUs than their limit of {}, most in column '{}' ({:.3g} %); "
      "the other parts of the {} draw the power above {}, the power of a {} at that limit: {} in the mean of these "
      "samples",
      100.0 * levels.clamped_sample_share, format_quantity(nodes.split.gpu_limit_w, "W"), trace.names[worst_column],
      100.0 * static_cast<double>(worst.samples) / rows, what, format_quantity(most_w, "W"), what,
      format_quantity(all.sum_w / static_cast<double>(all.samples), "W")));
}

/// What else a column may be of: how many watts it then has, and how a scenario says so.
struct OtherMeaning {
  std::string text;
  double least_w, most_w;
};

/// What a node, a rack or a GPU may draw.
struct Draw {
  std::string_view what, least_name, most_name;
  double least_w, most_w;
  std::vector<OtherMeaning> others = {};  ///< that watts may be of, the likeliest first
};

/// Names the mistake that a factor of 1000, or another meaning, would be.
std::string unit_hint(double mean_w, const Draw& draw) {
  const auto is_between = [&](double w) { return w >= draw.least_w && w <= draw.most_w; };
  if (is_between(mean_w * 1e3)) return ": are these values in kW? If so, write `unit: kW`";
  if (is_between(mean_w * 1e-3)) return ": are these values in mW? If so, write `unit: mW`";
  for (const OtherMeaning& other : draw.others) {
    if (mean_w >= other.least_w && mean_w <= other.most_w) return other.text;
  }
  return {};
}

bool is_plausible(double mean_w, const Draw& draw) { return mean_w >= draw.least_w && mean_w <= draw.most_w; }

/// What `what` ("the trace") cannot be, and what it may be instead.
std::string level_text(const std::string& what, double mean_w, const Draw& draw) {
  const bool is_low = mean_w < draw.least_w;
  return fmt::format("{} has {} a {} in the mean, {} than {}, {}{}", what, format_quantity(mean_w, "W"), draw.what,
                     is_low ? "less" : "more",
                     is_low ? std::string(draw.least_name) : fmt::format("its {}", draw.most_name),
                     format_quantity(is_low ? draw.least_w : draw.most_w, "W"), unit_hint(mean_w, draw));
}

/// Columns beside others that are plausible: of each sort, what is the matter with the first, and how many they are. A column below
/// idle that seems to be in no other unit is of a node that rested.
void reference_columns(const PowerTrace& trace, std::span<const double> means, const Draw& draw, ReplayLevels& levels) {
  struct Sort {
    std::size_t first = 0, count = 0;
  };
  std::map<std::pair<bool, std::string>, Sort> sorts;  // too low or not, and what it may be instead
  for (std::size_t column = 0; column < means.size(); ++column) {
    if (is_plausible(means[column], draw)) continue;
    Sort& sort = sorts[{means[column] < draw.least_w, unit_hint(means[column], draw)}];
    if (sort.count++ == 0) sort.first = column;
  }
  for (const auto& [key, sort] : sorts) {
    const auto& [is_low, hint] = key;
    const std::string others =
        sort.count == 1 ? "" : fmt::format("; so have {} of {} columns", sort.count, means.size());
    std::vector<std::string>& lines = is_low && hint.empty() ? levels.notes : levels.warnings;
    lines.push_back(level_text(fmt::format("column '{}'", trace.names[sort.first]), means[sort.first], draw) + others);
  }
}

/// The trace as a whole where all its columns are alike, else those that are not like nodes.
void reference_means(const PowerTrace& trace, std::span<const double> means, const Draw& draw, ReplayLevels& levels) {
  if (std::ranges::any_of(means, [&](double mean_w) { return is_plausible(mean_w, draw); })) {
    reference_columns(trace, means, draw, levels);
    return;
  }
  const double mean_w = std::accumulate(means.begin(), means.end(), 0.0) / static_cast<double>(means.size());
  if (!is_plausible(mean_w, draw)) levels.warnings.push_back(level_text("the trace", mean_w, draw));
}

constexpr double meter_slack_ratio = 1.02;  ///< by which two meters, or a meter and a label, may differ

/// Peaks are judged where the mean is plausible: a few samples too high are a fault of the record, or of the nameplate.
void reference_peaks(const PowerTrace& trace, std::span<const double> inlet_w, std::size_t columns, const Draw& draw,
                     ReplayLevels& levels) {
  double peak_w = 0.0;
  std::size_t above = 0;
  for (std::size_t row = 0; row < trace.rows(); ++row) {
    for (const double w : inlet_w.subspan(row * trace.columns(), columns)) {
      peak_w = std::max(peak_w, w);
      if (w > meter_slack_ratio * draw.most_w) ++above;
    }
  }
  if (above == 0) return;
  levels.warnings.push_back(
      fmt::format("{} of {} samples of the trace exceed the {} of a {}, which is {}; the largest is {}: the run draws "
                  "the power of the trace",
                  above, trace.rows() * columns, draw.most_name, draw.what, format_quantity(draw.most_w, "W"),
                  format_quantity(peak_w, "W")));
}

constexpr std::string_view as_gpu = ": is this the power of one GPU? If so, write `meaning: gpu`";
constexpr std::string_view as_node = ": is this the power of a node? If so, write `meaning: node_ac`";

Draw draw_of(const ReplayParams& params, const NodeSet& nodes) {
  const NodeSplitParams& split = nodes.split;
  const int per_rack = nodes.nodes_per_rack;
  const double idle_w = nodes.gpus_per_node * split.gpu_idle_w, least_w = std::max(idle_w, split.base_w);
  const std::string_view least_name = split.base_w > idle_w ? "its parts without GPUs" : "its GPUs without work";
  const OtherMeaning gpu{std::string(as_gpu), split.gpu_idle_w, meter_slack_ratio * split.gpu_limit_w};
  const OtherMeaning node{std::string(as_node), least_w, nodes.nameplate_w};
  const OtherMeaning rack{
      fmt::format(": is this the power of a rack with {} nodes? If so, write `meaning: rack`", per_rack),
      per_rack * least_w, per_rack * nodes.nameplate_w};
  if (params.meaning == "gpu")
    return {"GPU", "a GPU without work", "limit", split.gpu_idle_w, split.gpu_limit_w, {node, rack}};
  if (params.meaning == "rack")
    return {"rack", least_name, "nameplate", per_rack * least_w, per_rack * nodes.nameplate_w, {node, gpu}};
  return {"node", least_name, "nameplate", least_w, nodes.nameplate_w, {gpu, rack}};
}

}  // namespace

ReplayLevels replay_levels(const PowerTrace& trace, std::span<const double> inlet_w, std::size_t columns,
                           const ReplayParams& params, const NodeSet& nodes) {
  ReplayLevels levels;
  const Draw draw = draw_of(params, nodes);
  if (params.meaning != "gpu") count_clamped(trace, inlet_w, columns, nodes, params.meaning == "rack", levels);
  reference_means(trace, means_w(trace, inlet_w, columns), draw, levels);
  if (levels.warnings.empty()) reference_peaks(trace, inlet_w, columns, draw, levels);
  return levels;
}

}  // namespace wattloop::workload
