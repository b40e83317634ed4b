#include "twin/actions/work/work.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/tables/local_time.hpp"
#include "electrical/psu_curve.hpp"
#include "workload/queue/queued_work.hpp"
#include "workload/work_of_groups.hpp"
#include "workload/workload_kinds.hpp"

namespace wattloop::twin {

namespace {

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

workload::MadeWork make_work_of(const Scenario& scenario, const WorkloadSpec& spec, const RacksSpec& racks,
                                const workload::NodeSet& nodes) {
  const electrical::PsuParams& psu = racks.hardware.psu;
  const workload::WorkRequest request{
      .nodes = nodes,
      .ac_from_dc_w = [&psu](double dc_w) { return electrical::psu_input_w(psu, dc_w); },
      .seed = scenario.seed,
      .run = {parse_local_time(scenario.start).value_or(LocalTime{}), scenario.duration_s},
      .racks = racks.name.empty() ? "" : "racks " + racks.name + ": ",
      .mention_of = [&spec](std::string_view key) { return spec.mention_of(key); }};
  Problems problems;
  workload::MadeWork work = spec.visit([&](const auto& params) { return make_work(params, request, problems); });
  problems.throw_if_any(scenario.file);
  return work;
}

/// Groups with work of their own are jobs of their own, all others one. [group of racks]
std::vector<std::size_t> jobs_of(const Scenario& scenario) {
  std::vector<std::size_t> jobs;
  std::optional<std::size_t> shared;
  std::size_t count = 0;
  for (const RacksSpec& racks : scenario.racks) {
    if (!racks.workload && !shared) shared = count++;
    jobs.push_back(racks.workload ? count++ : *shared);
  }
  return jobs;
}

/// Nodes and GPUs of the job of a group.
void count_job(const Scenario& scenario, std::span<const std::size_t> jobs, std::size_t group,
               workload::NodeSet& nodes) {
  for (std::size_t other = 0; other < jobs.size(); ++other) {
    if (jobs[other] != jobs[group]) continue;
    const workload::NodeSet of_other = node_set(scenario.racks[other]);
    nodes.nodes_of_job += static_cast<std::size_t>(of_other.nodes);
    nodes.gpus_of_job += static_cast<std::size_t>(of_other.nodes) * static_cast<std::size_t>(of_other.gpus_per_node);
  }
}

/// Watts that a node is expected to draw in a program, at its AC inlet.
double expected_node_w(const workload::Workload& program, int gpus_per_node) {
  std::vector<double> gpu_w(static_cast<std::size_t>(gpus_per_node));
  double node_w = 0.0;
  program.mean_before({0, 1}, gpu_w, {&node_w, 1});
  return node_w;
}

workload::SchedulerParams scheduler_of(const SchedulerSpec& spec) {
  workload::SchedulerParams params;
  params.policy = spec.policy == "backfill" ? workload::QueuePolicy::backfill : workload::QueuePolicy::first_come;
  params.placement = spec.placement == "spread"    ? workload::PlacementPolicy::spread
                     : spec.placement == "coolest" ? workload::PlacementPolicy::coolest
                                                   : workload::PlacementPolicy::packed;
  params.interval_s = spec.interval_s;
  return params;
}

/// Each job of the queue; a program for each entry of it.
workload::JobList job_list(const JobsSpec& jobs) {
  workload::JobList list;
  for (std::size_t entry = 0; entry < jobs.queue.size(); ++entry) {
    const JobSpec& job = jobs.queue[entry];
    for (int k = 0; k < job.count; ++k) {
      list.push_back({.name = job.count == 1 ? job.name : fmt::format("{}_{}", job.name, k + 1),
                      .submit_s = job.submit_s + k * job.every_s,
                      .nodes = static_cast<std::size_t>(job.nodes),
                      .run_time_s = job.run_time_s,
                      .time_limit_s = job.time_limit_s,
                      .priority = job.priority,
                      .is_preemptable = job.is_preemptable,
                      .program = entry});
    }
  }
  std::ranges::stable_sort(list, {}, &workload::JobRequest::submit_s);
  return list;
}

Work make_queue(const Scenario& scenario) {
  Work work;
  const JobsSpec& jobs = *scenario.jobs;
  workload::JobQueue queue{
      .jobs = job_list(jobs), .scheduler = scheduler_of(jobs.scheduler), .budget_w = jobs.scheduler.budget_w};
  std::vector<workload::ProgramsOfNodes> groups;
  std::size_t gpus = 0;
  for (const RacksSpec& racks : scenario.racks) {
    const workload::NodeSet set = node_set(racks);
    workload::ProgramsOfNodes& group =
        groups.emplace_back(workload::ProgramsOfNodes{static_cast<std::size_t>(set.nodes), set.split, {}});
    gpus += set.job_gpus();
    for (const JobSpec& job : jobs.queue) {
      workload::MadeWork program = make_work_of(scenario, job.program, racks, set);
      for (std::vector<std::string>* texts : {&program.notes, &program.warnings}) {
        for (std::string& text : *texts) text = job.name + ": " + text;
      }
      std::ranges::move(program.notes, std::back_inserter(work.notes));
      std::ranges::move(program.warnings, std::back_inserter(work.warnings));
      group.programs.push_back(std::move(program.workload));
    }
  }
  for (workload::JobRequest& job : queue.jobs) {
    job.node_power_w =
        expected_node_w(*groups.front().programs[job.program], node_set(scenario.racks.front()).gpus_per_node);
  }
  if (!jobs.failures.kinds.empty()) queue.failures.emplace(jobs.failures, gpus, scenario.seed);
  work.workload = workload::make_queued_work(std::move(groups), std::move(queue));
  return work;
}

/// "dgx: what the user should know".
std::vector<std::string> of_group(const RacksSpec& racks, std::vector<std::string> texts) {
  for (std::string& text : texts) text = racks.name.empty() ? text : racks.name + ": " + text;
  return texts;
}

}  // namespace

Work make_work(const Scenario& scenario) {
  if (scenario.jobs) return make_queue(scenario);
  Work work;
  std::vector<workload::GroupWork> groups;
  double nodes = 0.0;
  std::optional<double> clamped;
  const std::vector<std::size_t> jobs = jobs_of(scenario);
  for (std::size_t group = 0; group < scenario.racks.size(); ++group) {
    const RacksSpec& racks = scenario.racks[group];
    workload::NodeSet set = node_set(racks);
    count_job(scenario, jobs, group, set);
    workload::MadeWork of_racks = make_work_of(scenario, workload_of(scenario, racks), racks, set);
    const int count = racks.count * racks.nodes;
    groups.push_back({std::move(of_racks.workload), static_cast<std::size_t>(count), jobs[group]});
    std::ranges::move(of_group(racks, std::move(of_racks.notes)), std::back_inserter(work.notes));
    std::ranges::move(of_group(racks, std::move(of_racks.warnings)), std::back_inserter(work.warnings));
    nodes += count;
    if (of_racks.clamped_sample_share) clamped = clamped.value_or(0.0) + count * *of_racks.clamped_sample_share;
  }
  if (clamped) work.clamped_sample_share = *clamped / nodes;
  work.workload = workload::make_work_of_groups(std::move(groups));
  return work;
}

}  // namespace wattloop::twin
