#include "twin/planning/work/job_nodes.hpp"

#include <numeric>
#include <optional>

namespace wattloop::twin {

workload::NodeSet node_set(const RacksSpec& racks) {
  workload::NodeSet nodes;
  nodes.nodes = racks.count * racks.nodes;
  nodes.nodes_per_rack = racks.nodes;
  nodes.split = racks.hardware.split;
  nodes.nameplate_w = racks.hardware.nameplate_w;
  for (const NodeUnits& units : racks.hardware.units) {
    if (units.name == "gpu") nodes.gpus_per_node = units.count;
  }
  return nodes;
}

std::vector<std::size_t> jobs_of_groups(const Scenario& scenario) {
  std::vector<std::size_t> jobs;
  std::optional<std::size_t> shared;
  std::size_t count = 0;
  for (const RacksSpec& racks : scenario.racks) {
    if (!racks.workload && !shared) shared = count++;
    jobs.push_back(racks.workload ? count++ : *shared);
  }
  return jobs;
}

workload::NodeSet nodes_in_job(const Scenario& scenario, std::span<const std::size_t> jobs, std::size_t group) {
  workload::NodeSet nodes = node_set(scenario.racks[group]);
  for (std::size_t other = 0; other < jobs.size(); ++other) {
    if (jobs[other] != jobs[group]) continue;
    const workload::NodeSet of_other = node_set(scenario.racks[other]);
    const auto gpus = static_cast<std::size_t>(of_other.nodes) * static_cast<std::size_t>(of_other.gpus_per_node);
    nodes.nodes_of_job += static_cast<std::size_t>(of_other.nodes);
    nodes.gpus_of_job += gpus;
    if (other < group) nodes.first_gpu_of_job += gpus;
  }
  return nodes;
}

std::vector<std::size_t> nodes_of_job(const Scenario& scenario, std::span<const std::size_t> jobs, std::size_t group) {
  std::vector<std::size_t> numbers;
  std::size_t first = 0;
  for (std::size_t other = 0; other < jobs.size(); ++other) {
    const auto nodes = static_cast<std::size_t>(node_set(scenario.racks[other]).nodes);
    for (std::size_t node = first; jobs[other] == jobs[group] && node < first + nodes; ++node) numbers.push_back(node);
    first += nodes;
  }
  return numbers;
}

std::vector<std::size_t> first_nodes(std::size_t count) {
  std::vector<std::size_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  return numbers;
}

std::vector<TransformerOnNodes> transformers_of(const Scenario& scenario) {
  std::vector<TransformerOnNodes> found;
  if (scenario.jobs) {
    for (const JobSpec& job : scenario.jobs->queue) {
      const auto* params = job.program.get<workload::TransformerParams>();
      if (params == nullptr) continue;
      workload::NodeSet nodes = node_set(scenario.racks.front());
      nodes.nodes_of_job = static_cast<std::size_t>(job.nodes);
      nodes.gpus_of_job = nodes.nodes_of_job * static_cast<std::size_t>(nodes.gpus_per_node);
      found.push_back({job.name, params, nodes, {&scenario.racks.front()}, first_nodes(nodes.nodes_of_job)});
    }
    return found;
  }
  const std::vector<std::size_t> jobs = jobs_of_groups(scenario);
  for (std::size_t group = 0; group < scenario.racks.size(); ++group) {
    bool is_first_of_job = true;
    for (std::size_t before = 0; before < group; ++before) is_first_of_job &= jobs[before] != jobs[group];
    const RacksSpec& racks = scenario.racks[group];
    const auto* params = workload_of(scenario, racks).get<workload::TransformerParams>();
    if (params == nullptr || !is_first_of_job) continue;
    std::vector<const RacksSpec*> groups;
    for (std::size_t other = group; other < scenario.racks.size(); ++other)
      if (jobs[other] == jobs[group]) groups.push_back(&scenario.racks[other]);
    found.push_back({racks.workload ? racks.name : std::string(), params, nodes_in_job(scenario, jobs, group),
                     std::move(groups), nodes_of_job(scenario, jobs, group)});
  }
  return found;
}

}  // namespace wattloop::twin
