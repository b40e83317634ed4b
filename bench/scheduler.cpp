// 100,000 jobs on 1,280 nodes of 8 GPUs, without a hall: those of Seren [acme_trace], submitted so that a share of all nodes is asked for.
#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "workload/queue/job_mix.hpp"
#include "workload/queue/queue_run.hpp"

namespace {

using namespace wattloop::workload;

constexpr JobHall hall{.nodes = 1280, .gpus_per_node = 8};
constexpr std::size_t count = 100'000;

JobList jobs_for(double load) {
  const JobMix mix({{.name = "seren",
                     .median_run_time_s = 122.0,
                     .mean_run_time_s = 1414.335,
                     .longest_run_time_s = 1209604.0,
                     .mean_gpus = 5.68,
                     .most_gpus = 1024,
                     .size_correlation = 0.3262,
                     .time_limit_ratio = 2.0}},
                   1);
  JobList jobs = jobs_of_mix(mix, {.rate_per_s = 1.0, .to_s = 1.1 * count}, hall).jobs;
  jobs.resize(count);
  double node_time_s = 0.0;
  for (const JobRequest& job : jobs) node_time_s += static_cast<double>(job.nodes) * job.run_time_s;
  const double pause_s = node_time_s / static_cast<double>(hall.nodes * count) / load;
  for (JobRequest& job : jobs) job.submit_s *= pause_s;
  return jobs;
}

/// Placement, and per cent of all nodes that jobs ask for.
void schedule(benchmark::State& state) {
  const JobList jobs = jobs_for(static_cast<double>(state.range(1)) / 100.0);
  ClusterNodes nodes;
  QueueRunParams params;
  for (std::uint32_t node = 0; node < hall.nodes; ++node) {
    nodes.rack_of_node.push_back(node / 8);
    params.node_rank.push_back(static_cast<double>(node * 7919 % hall.nodes));
  }
  for (auto _ : state) {
    const QueueRun run(jobs, nodes, {.placement = static_cast<PlacementPolicy>(state.range(0))}, params);
    QueueRunState queue = run.at_begin();
    run.advance(queue);
    const QueueFigures figures = queue_figures(jobs, queue);
    state.counters["busy"] = figures.utilisation;
    state.counters["mean_wait_s"] = figures.mean_wait_s;
  }
}

BENCHMARK(schedule)->ArgsProduct({{0, 1, 2}, {70, 90, 150}})->Unit(benchmark::kSecond);

}  // namespace
