#include "twin/planning/work/explained_job.hpp"

#include <algorithm>

#include "twin/planning/work/job_network.hpp"
#include "twin/planning/work/work.hpp"

namespace wattloop::twin {

namespace {

/// Mean of a GPU over all stages in parts of a step: means, least and most.
void add_watts(const workload::TrainingSetup& setup, ExplainedJob& job) {
  constexpr int parts = 100;
  std::vector<workload::StepPower> stages;
  for (int stage = 0; stage < setup.plan.pipeline; ++stage) {
    stages.emplace_back(setup, job.step, stage, job.job.levels);
    job.timelines.push_back(stage_timeline(setup, job.step, stage));
  }
  const double part_s = job.step.step_s / parts, share = 1.0 / static_cast<double>(stages.size());
  for (int part = 0; part < parts; ++part) {
    double mean_w = 0.0;
    for (const workload::StepPower& stage : stages) mean_w += share * stage.mean_w(part * part_s, (part + 1) * part_s);
    job.least_gpu_w = part == 0 ? mean_w : std::min(job.least_gpu_w, mean_w);
    job.most_gpu_w = std::max(job.most_gpu_w, mean_w);
    job.gpu_w += mean_w / parts;
    job.gpu_course_w.push_back(mean_w);
  }
}

/// Mean of a GPU in the steps of a plan, over all stages.
double mean_gpu_w(const workload::TrainingSetup& setup, const workload::StepTime& step,
                  const workload::GpuPowerLevels& levels) {
  double sum_w = 0.0;
  for (int stage = 0; stage < setup.plan.pipeline; ++stage)
    sum_w += workload::StepPower(setup, step, stage, levels).step_mean_w();
  return sum_w / setup.plan.pipeline;
}

/// Mean of its nodes at their AC inlets, which may be of several groups of racks; fans at full speed.
double mean_node_w(const TransformerOnNodes& of, double gpu_w) {
  double sum_w = 0.0, count = 0.0;
  for (const RacksSpec* racks : of.groups) {
    const workload::NodeSet nodes = node_set(*racks);
    sum_w += nodes.nodes * node_from_gpus_w(nodes.split, gpu_w * nodes.gpus_per_node);
    count += nodes.nodes;
  }
  return sum_w / count;
}

std::vector<ExplainedPlan> other_plans(const ExplainedJob& job, const workload::TrainingSetup& setup,
                                       const TransformerOnNodes& of, const WantedPlans& wanted) {
  std::vector<ExplainedPlan> plans;
  for (workload::FoundPlan& found :
       search_plans(setup, {.gpus = job.job.gpus, .most_tensor = job.job.gpu.gpus_per_domain})) {
    const workload::TrainingSetup own{setup.model, found.plan, setup.gpu, setup.times};
    const double node_w = mean_node_w(of, mean_gpu_w(own, found.time, job.job.levels));
    plans.push_back({found, node_w * static_cast<double>(job.nodes) / found.time.tokens_per_s});
    if (!wanted.is_by_energy && plans.size() == wanted.most) break;
  }
  if (wanted.is_by_energy) std::ranges::stable_sort(plans, {}, &ExplainedPlan::energy_per_token_j);
  plans.resize(std::min(plans.size(), wanted.most));
  return plans;
}

/// With the nodes that work, without spare ones.
workload::PlannedJob planned(TransformerOnNodes& of, const JobNetwork& network) {
  of.nodes.gpus_per_domain = network.domain_gpus(of.nodes.gpus_per_node);
  workload::PlannedJob job = plan_job(*of.params, of.nodes);
  of.numbers.resize(static_cast<std::size_t>(job.gpus / of.nodes.gpus_per_node));
  return job;
}

ExplainedJob explained(TransformerOnNodes of, const JobNetwork& network, const WantedPlans& wanted) {
  ExplainedJob job{.name = of.name, .job = planned(of, network)};
  const auto times = network.times(of.numbers, of.nodes.gpus_per_node, job.job.gpu);
  const workload::TrainingSetup setup = job.job.setup(*times);
  job.step = step_time(setup);
  job.memory = training_memory(job.job.model, job.job.plan, job.job.gpu);
  job.nodes = static_cast<std::size_t>(job.job.gpus / of.nodes.gpus_per_node);
  add_watts(setup, job);
  job.node_w = mean_node_w(of, job.gpu_w);
  job.has_fan_control = std::ranges::any_of(of.groups, [](const RacksSpec* racks) {
    return racks->hardware.has_fan_control && racks->hardware.fans.is_controlled;
  });
  job.energy_per_token_j = job.node_w * static_cast<double>(job.nodes) / job.step.tokens_per_s;
  if (wanted.most > 0) job.plans = other_plans(job, setup, of, wanted);
  return job;
}

}  // namespace

std::vector<PlannedStep> planned_steps(const Scenario& scenario) {
  std::vector<TransformerOnNodes> jobs = transformers_of(scenario);
  if (jobs.empty()) return {};
  std::vector<PlannedStep> steps;
  const JobNetwork network(scenario);
  for (TransformerOnNodes& of : jobs) {
    const workload::PlannedJob job = planned(of, network);
    const auto times = network.times(of.numbers, of.nodes.gpus_per_node, job.gpu);
    steps.push_back({of.name, step_time(job.setup(*times))});
  }
  return steps;
}

std::vector<ExplainedJob> explained_jobs(const Scenario& scenario, const WantedPlans& wanted,
                                         std::vector<std::string>* warnings) {
  Work work = make_work(scenario);  // reports all that is wrong
  if (warnings != nullptr) *warnings = std::move(work.warnings);
  std::vector<ExplainedJob> jobs;
  const JobNetwork network(scenario);
  for (const TransformerOnNodes& of : transformers_of(scenario)) jobs.push_back(explained(of, network, wanted));
  return jobs;
}

}  // namespace wattloop::twin
