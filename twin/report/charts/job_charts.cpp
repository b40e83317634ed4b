#include "twin/report/charts/job_charts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/text/count_text.hpp"

namespace wattloop::twin {

namespace {

using EventsOfJobs = std::map<std::string, std::vector<const EventRecord*>, std::less<>>;

EventsOfJobs events_of_jobs(const std::vector<EventRecord>& events) {
  EventsOfJobs by_name;
  for (const EventRecord& event : events) {
    if (event.kind.starts_with("job_")) by_name[event.target].push_back(&event);
  }
  return by_name;
}

std::optional<LaneState> state_after(const std::string& kind) {
  if (kind == "job_stopped" || kind == "job_grown") return LaneState::stopped;
  if (kind == "job_requeued") return LaneState::waits;
  if (kind == "job_started" || kind == "job_resumed") return LaneState::runs;
  return {};
}

/// What a job did from its submission, or the begin of the run, to its end.
std::vector<LaneSpan> spans_of(const JobOutcome& job, const EventsOfJobs& events, double run_s) {
  if (job.state == "to_come") return {};
  const double submitted_s = std::isnan(job.submitted_s) ? 0.0 : job.submitted_s;
  const double end_s = std::isnan(job.ended_s) ? run_s : job.ended_s;
  std::vector<LaneSpan> spans{{submitted_s, end_s, LaneState::waits}};
  const auto change = [&](double time_s, LaneState state, const std::string& words) {
    if (time_s < spans.back().begin_s || time_s > end_s) return;
    spans.back().end_s = time_s;
    if (spans.back().begin_s == time_s) spans.pop_back();
    spans.push_back({time_s, end_s, state, words});
  };
  if (!std::isnan(job.started_s)) change(job.started_s, LaneState::runs, {});
  const auto known = events.find(job.name);
  if (known == events.end()) return spans;
  for (const EventRecord* event : known->second) {
    const std::optional<LaneState> state = state_after(event->kind);
    const bool is_first_start = event->kind == "job_started" && event->time_s == job.started_s;
    if (state && !is_first_start)
      change(event->time_s, *state, *state == LaneState::runs ? std::string() : event->detail);
  }
  return spans;
}

double run_s(const ResultsReader& results) { return results.summary_number("simulated_time").value_or(0.0); }

}  // namespace

Sankey gpu_time_sankey(const ResultsReader& results) {
  const auto number = [&](const char* name) {
    const double value = results.summary_number(name).value_or(0.0);
    return std::isfinite(value) ? value : 0.0;
  };
  if (!results.summary_number("job_goodput_ratio")) return {};
  const auto gpus = static_cast<double>(results.layout_count("gpu"));
  const double all_s = number("simulated_time");
  const double done_s = number("job_goodput_ratio") * all_s, saving_s = number("job_checkpoint_time");
  const double held_s = results.summary_number("job_node_time_ratio").value_or(1.0) * all_s;
  const double free_s = std::max(0.0, all_s - held_s);
  const double down_s = std::min(free_s, gpus > 0.0 ? number("lost_gpu_time") / gpus : 0.0);
  Sankey sankey{.nodes = {{"all GPUs", "#888888", 0}, {"with a job", "#0072b2", 1}, {"without a job", "#bbbbbb", 1}},
                .unit = "GPU h"};
  const double gpu_h_per_s = gpus / 3600.0;
  sankey.flows = {{0, 1, held_s * gpu_h_per_s}, {0, 2, free_s * gpu_h_per_s}};
  const auto add = [&](std::size_t from, const char* title, const char* colour, double time_s) {
    sankey.nodes.push_back({title, colour, 2});
    sankey.flows.push_back({from, sankey.nodes.size() - 1, time_s * gpu_h_per_s});
  };
  add(1, "useful", "#009e73", done_s - saving_s);
  add(1, "checkpoints", "#56b4e9", saving_s);
  add(1, "redone", "#cc79a7", number("job_redone_time"));
  add(1, "delayed by slow GPUs", "#e69f00", number("job_slowed_time"));
  if (number("job_shrunk_time") > 0.0) add(1, "nodes missing", "#f0e442", number("job_shrunk_time"));
  if (number("job_storage_wait_time") > 0.0) add(1, "waiting for storage", "#999933", number("job_storage_wait_time"));
  add(1, "stopped, restarting", "#d55e00", number("job_stopped_time"));
  add(2, "idle", "#bbbbbb", free_s - down_s);
  add(2, "down", "#333333", down_s);
  constexpr double million = 1e6;
  if (all_s * gpu_h_per_s >= million) {
    sankey.unit = "million GPU h";
    for (SankeyFlow& flow : sankey.flows) flow.value /= million;
  }
  return sankey;
}

std::vector<Lane> job_lanes(const ResultsReader& results, std::size_t most) {
  const std::vector<JobOutcome> jobs = results.jobs();
  const std::vector<EventRecord> events = results.events();
  const EventsOfJobs by_name = events_of_jobs(events);
  const double end_s = run_s(results);
  const auto weight = [&](const JobOutcome& job) {
    const double waited_s = wait_s(job, end_s);
    return job.node_time_s + (std::isnan(waited_s) ? 0.0 : static_cast<double>(job.nodes) * waited_s);
  };
  std::vector<std::size_t> order(jobs.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return weight(jobs[a]) > weight(jobs[b]); });
  order.resize(std::min(order.size(), most));
  std::ranges::sort(order);
  std::vector<Lane> lanes;
  for (const std::size_t k : order) {
    std::vector<LaneSpan> spans = spans_of(jobs[k], by_name, end_s);
    if (spans.empty()) continue;
    lanes.push_back({fmt::format("{} ({})", jobs[k].name, count_text(jobs[k].nodes, "node")), std::move(spans)});
  }
  return lanes;
}

std::string job_lanes_picture(const ResultsReader& results) {
  const std::vector<Lane> lanes = job_lanes(results);
  return in_both_widths([&](DrawingWidth width) { return swim_lanes(lanes, 0.0, run_s(results), width); });
}

std::string queue_chart(const ResultsReader& results, LiveCharts& charts) {
  constexpr std::size_t points = 600;
  const std::vector<JobOutcome> jobs = results.jobs();
  const double end_s = run_s(results);
  if (jobs.empty() || !(end_s > 0.0)) return {};
  const std::vector<EventRecord> events = results.events();
  const EventsOfJobs by_name = events_of_jobs(events);
  std::vector<double> times_s;
  for (std::size_t k = 0; k <= points; ++k) times_s.push_back(end_s * static_cast<double>(k) / points);
  std::array<std::vector<float>, 2> counts{std::vector<float>(points + 1), std::vector<float>(points + 1)};
  const auto place_of = [&](double time_s) {
    return static_cast<std::size_t>(std::ceil(std::clamp(time_s / end_s, 0.0, 1.0) * points));
  };
  for (const JobOutcome& job : jobs) {
    for (const LaneSpan& span : spans_of(job, by_name, end_s)) {
      const std::size_t last = span.end_s >= end_s ? points + 1 : place_of(span.end_s);
      std::vector<float>& count = counts.at(span.state == LaneState::waits ? 0 : 1);
      for (std::size_t k = place_of(span.begin_s); k < last; ++k) ++count[k];
    }
  }
  const std::vector<ChartLine> lines{{"waiting jobs", counts[0], "#e69f00"}, {"jobs with nodes", counts[1], "#0072b2"}};
  return charts.add("jobs that wait and that have nodes", "1", times_s, lines);
}

}  // namespace wattloop::twin
