#include "workload/replay/replay.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

#include "core/numbers/series.hpp"
#include "core/tables/rows_by_date.hpp"
#include "core/text/count_text.hpp"
#include "workload/replay/followed_columns.hpp"
#include "workload/replay/replayed_job.hpp"

namespace wattloop::workload {

namespace {

class Replay final : public Workload {
 public:
  Replay(const PowerTrace& trace, const ReplayParams& params, const NodeSet& nodes, const ReplaySetting& setting)
      : columns_(trace, params, nodes),
        after_end_(after_end_of(params)),
        trace_(stamps_from_zero_s(trace), trace.duration_s(), inlet_power_w(trace, params, setting.ac_from_dc_w),
               spread_delays_s(params.spread, followers_of(trace, params, nodes), setting.seed)),
        lead_in_s_(std::min(params.lead_in_s, trace.duration_s())) {}

  double next_change_s(double t_s) const override {
    const Lap lap = lap_at(t_s);
    if (lap.is_over) return std::numeric_limits<double>::infinity();
    const std::vector<double>& stamps_s = trace_.stamps_s();
    const std::size_t next = sample_at(stamps_s, lap.local_s) + 1;
    if (t_s < -boundary_slack_s && (next == stamps_s.size() || stamps_s[next] >= lead_in_s_))
      return lap.start_s + lead_in_s_;
    if (next < stamps_s.size()) return lap.start_s + stamps_s[next];
    if (after_end_ == AfterEnd::hold) return std::numeric_limits<double>::infinity();
    return lap.start_s + trace_.duration_s();
  }

  void sample(double t_s, NodeRange nodes, std::span<double> gpu_w, std::span<double> node_ac_w) const override {
    const Lap lap = lap_at(t_s);
    if (lap.is_over && after_end_ == AfterEnd::idle) return columns_.rest(gpu_w, node_ac_w);
    const std::vector<double>& stamps_s = trace_.stamps_s();
    const std::size_t row = lap.is_over ? stamps_s.size() - 1 : sample_at(stamps_s, lap.local_s);
    columns_.follow(nodes, gpu_w, node_ac_w,
                    [&](std::size_t column, std::size_t follower) { return trace_.mean_w(row, column, follower); });
  }

  void mean_before(NodeRange nodes, std::span<double> gpu_w, std::span<double> node_ac_w) const override {
    std::vector<double> mean_w(columns_.columns());
    for (std::size_t column = 0; column < mean_w.size(); ++column)
      mean_w[column] = trace_.mean_until_w(lead_in_s_, column);
    columns_.follow(nodes, gpu_w, node_ac_w, [&](std::size_t column, std::size_t) { return mean_w[column]; });
  }

 private:
  /// Where in the trace the run is.
  struct Lap {
    double start_s;
    double local_s;
    bool is_over;  // beyond the end, and not repeated
  };

  Lap lap_at(double t_s) const {
    if (t_s < -boundary_slack_s) {  // before the run
      const double start_s = std::floor((t_s + boundary_slack_s) / lead_in_s_) * lead_in_s_;
      return {start_s, t_s - start_s, false};
    }
    const double lap_s = trace_.duration_s();
    const double laps = std::floor((t_s + boundary_slack_s) / lap_s);
    if (laps < 1.0) return {0.0, t_s, false};
    if (after_end_ != AfterEnd::repeat) return {0.0, t_s, true};
    return {laps * lap_s, t_s - laps * lap_s, false};
  }

  FollowedColumns columns_;
  AfterEnd after_end_;
  SpreadTrace trace_;
  double lead_in_s_;
};

}  // namespace

AfterEnd after_end_of(const ReplayParams& params) {
  if (params.after_end == "hold") return AfterEnd::hold;
  if (params.after_end == "idle") return AfterEnd::idle;
  return AfterEnd::repeat;
}

std::vector<double> stamps_from_zero_s(const PowerTrace& trace) {
  std::vector<double> stamps_s = trace.stamps_s;
  for (double& stamp_s : stamps_s) stamp_s -= trace.stamps_s.front();
  return stamps_s;
}

std::vector<double> inlet_power_w(const PowerTrace& trace, const ReplayParams& params, const AcFromDc& ac_from_dc_w) {
  std::vector<double> power_w = trace.power_w;
  if (params.meaning != "node_dc") return power_w;
  if (params.dc_over_ac_ratio > 0.0) {
    for (double& w : power_w) w /= params.dc_over_ac_ratio;
    return power_w;
  }
  if (!ac_from_dc_w) throw std::invalid_argument("replay of node_dc needs the power supplies of the node");
  for (double& w : power_w) w = ac_from_dc_w(w);
  return power_w;
}

std::size_t columns_used(const PowerTrace& trace, const ReplayParams& params, const NodeSet& nodes) {
  return std::min(followers_of(trace, params, nodes).count, trace.columns());
}

std::unique_ptr<Workload> make_replay(const PowerTrace& trace, const ReplayParams& params, const NodeSet& nodes,
                                      const ReplaySetting& setting) {
  return std::make_unique<Replay>(trace, params, nodes, setting);
}

std::vector<std::string> describe_replay(const PowerTrace& trace, const ReplayParams& params, const NodeSet& nodes,
                                         double duration_s) {
  const std::size_t followers = followers_of(trace, params, nodes).count;
  const std::string_view what = params.meaning == "gpu" ? "GPU" : params.meaning == "rack" ? "rack" : "node";
  std::vector<std::string> lines{fmt::format("trace of {}, {} every {:.6g} s, {:.6g} s in all",
                                             count_text(trace.columns(), "column"), count_text(trace.rows(), "sample"),
                                             trace.interval_s, trace.duration_s())};
  for (std::string& line : describe_holes(trace, {.columns = followers})) lines.push_back(std::move(line));
  lines.insert(lines.end(), trace.notes.begin(), trace.notes.end());
  const bool is_of_queue = nodes.nodes_of_job > 0 && nodes.nodes_of_job < static_cast<std::size_t>(nodes.nodes);
  if (is_of_queue && trace.columns() > 1) {
    lines.push_back(fmt::format("{}s follow {} columns in turn, by their place in the hall", what, trace.columns()));
  } else if (followers > trace.columns()) {
    const bool is_one = trace.columns() == 1;
    lines.push_back(is_one ? fmt::format("all {} {}s follow it", followers, what)
                           : fmt::format("{} {}s follow {} columns in turn", followers, what, trace.columns()));
  } else if (followers < trace.columns()) {
    lines.push_back(followers == 1 ? fmt::format("column 1 of {} is used", trace.columns())
                                   : fmt::format("columns 1 to {} of {} are used, one for each {}", followers,
                                                 trace.columns(), what));
  }
  if (const SpreadParams& spread = params.spread; spread.phase_jitter_s > 0.0 || spread.copy_delay_s > 0.0) {
    lines.push_back(
        fmt::format("each node is late by up to {:.6g} s, and each copy of the recorded columns by up to {:.6g} s",
                    spread.phase_jitter_s, spread.copy_delay_s));
  }
  if (duration_s > trace.duration_s() + boundary_slack_s) {
    const AfterEnd after_end = after_end_of(params);
    const std::string_view then = after_end == AfterEnd::repeat ? "then the trace repeats"
                                  : after_end == AfterEnd::hold ? "then the last sample holds"
                                                                : "then all GPUs are idle";
    lines.push_back(fmt::format("the run of {:.6g} s is longer than the trace: {}", duration_s, then));
  }
  return lines;
}

std::string few_rows_warning(const PowerTrace& trace, const ReplayParams& params, double duration_s) {
  constexpr double shortest_suspect_s = 100.0, ms_per_s = 1000.0;
  std::string text = few_rows_text(stamps_from_zero_s(trace), trace.interval_s, duration_s);
  if (text.empty() || params.times.time_unit != "s" || trace.interval_s < shortest_suspect_s) return text;
  const std::string_view unit = trace.interval_s < shortest_suspect_s * ms_per_s              ? "ms"
                                : trace.interval_s < shortest_suspect_s * ms_per_s * ms_per_s ? "us"
                                                                                              : "ns";
  return fmt::format("{}: are these times in {}? If so, write `time_unit: {}`", text, unit, unit);
}

}  // namespace wattloop::workload
