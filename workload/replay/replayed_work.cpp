// A trace as work of some nodes, with what the user should know of it.
#include <iterator>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "workload/replay/replay.hpp"
#include "workload/replay/replay_levels.hpp"
#include "workload/replay/replayed_job.hpp"

namespace wattloop::workload {

namespace {

/// What the library's supplies make of a DC trace: two meters of one node may well disagree by some percent.
std::string ratio_of_supplies(const PowerTrace& trace, const std::vector<double>& inlet_w) {
  const double dc_w = std::accumulate(trace.power_w.begin(), trace.power_w.end(), 0.0);
  const double ac_w = std::accumulate(inlet_w.begin(), inlet_w.end(), 0.0);
  return fmt::format(
      "the ratio of DC to AC power of this trace is {:.3f}, computed from the node's power supplies; if both powers "
      "were measured, write the measured ratio as `dc_over_ac` (in one record 0.984, which is 3 % less AC energy than "
      "with the power supplies of the library)",
      ac_w > 0.0 ? dc_w / ac_w : 1.0);
}

}  // namespace

MadeWork make_work(const ReplayParams& params, const WorkRequest& request, Problems& problems) {
  const NodeSet& nodes = request.nodes;
  Problems of_trace;
  TraceRequest asked{.named_at = {request.mention_of("trace").place, {}}};
  if (!request.is_program) asked.run = request.run;
  const PowerTrace trace = read_power_trace(params.trace, params, of_trace, asked);
  of_trace.throw_if_any(params.trace);
  static_cast<void>(problems);
  const std::vector<double> inlet_w = inlet_power_w(trace, params, request.ac_from_dc_w);
  ReplayLevels levels = replay_levels(trace, inlet_w, columns_used(trace, params, nodes), params, nodes);
  const double duration_s = request.run.duration_s;
  const bool has_clock = request.is_program || params.stretches;
  MadeWork work{
      (has_clock ? make_replayed_job : make_replay)(trace, params, nodes, {request.ac_from_dc_w, request.seed}),
      describe_replay(trace, params, nodes, duration_s), std::move(levels.warnings), levels.clamped_sample_share};
  std::ranges::move(levels.notes, std::back_inserter(work.notes));
  const std::string few_rows = few_rows_warning(trace, params, duration_s);
  if (!few_rows.empty()) work.warnings.push_back(few_rows);
  if (params.meaning == "node_dc" && !(params.dc_over_ac_ratio > 0.0))
    work.notes.push_back(ratio_of_supplies(trace, inlet_w));
  return work;
}

}  // namespace wattloop::workload
