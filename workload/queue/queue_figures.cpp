#include <algorithm>
#include <cmath>
#include <vector>

#include "workload/queue/queue_run.hpp"

namespace wattloop::workload {

namespace {

constexpr double shortest_s = 10.0;  ///< run time for slowdowns: [mualem2001]

double percentile(const std::vector<double>& sorted, double fraction) {
  if (sorted.empty()) return 0.0;
  const auto rank = static_cast<std::size_t>(std::ceil(fraction * static_cast<double>(sorted.size())));
  return sorted[std::max<std::size_t>(rank, 1) - 1];
}

double mean(const std::vector<double>& values) {
  double sum = 0.0;
  for (const double value : values) sum += value;
  return values.empty() ? 0.0 : sum / static_cast<double>(values.size());
}

}  // namespace

QueueFigures queue_figures(const JobList& jobs, const QueueRunState& state) {
  QueueFigures figures;
  std::vector<double> waits_s, slowdowns;
  double last_end_s = 0.0, node_time_s = 0.0;
  for (std::size_t k = 0; k < jobs.size(); ++k) {
    const JobRecord& record = state.queue.records[k];
    node_time_s += record.node_time_s;
    if (record.starts > 0) waits_s.push_back(record.first_start_s - jobs[k].submit_s);
    const bool is_over = record.is == JobIs::done || record.is == JobIs::over_limit;
    figures.done += record.is == JobIs::done ? 1 : 0;
    figures.over_limit += record.is == JobIs::over_limit ? 1 : 0;
    figures.unfinished += is_over ? 0 : 1;
    if (!is_over) continue;
    last_end_s = std::max(last_end_s, record.end_s);
    const double alone_s = std::max(std::min(jobs[k].run_time_s, jobs[k].time_limit_s), shortest_s);
    slowdowns.push_back(std::max((record.end_s - jobs[k].submit_s) / alone_s, 1.0));
  }
  std::ranges::sort(waits_s);
  figures.started = waits_s.size();
  figures.mean_wait_s = mean(waits_s);
  figures.p50_wait_s = percentile(waits_s, 0.5);
  figures.p95_wait_s = percentile(waits_s, 0.95);
  figures.max_wait_s = percentile(waits_s, 1.0);
  figures.mean_slowdown = mean(slowdowns);
  if (slowdowns.empty()) return figures;
  figures.makespan_s = last_end_s - jobs.front().submit_s;
  figures.utilisation = node_time_s / (figures.makespan_s * static_cast<double>(state.queue.where.slot_of_node.size()));
  return figures;
}

double mean_busy_nodes(const std::vector<BusyNodes>& busy, double from_s, double to_s) {
  double sum = 0.0;
  for (std::size_t row = 0; row < busy.size(); ++row) {
    const double begin_s = std::max(busy[row].from_s, from_s);
    const double end_s = std::min(row + 1 < busy.size() ? busy[row + 1].from_s : to_s, to_s);
    if (end_s > begin_s) sum += static_cast<double>(busy[row].nodes) * (end_s - begin_s);
  }
  return sum / (to_s - from_s);
}

}  // namespace wattloop::workload
