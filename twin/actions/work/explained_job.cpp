#include "twin/actions/work/explained_job.hpp"

#include <algorithm>

#include "twin/actions/work/rail_times.hpp"
#include "twin/actions/work/work.hpp"

namespace wattloop::twin {

namespace {

/// Mean of a GPU over all stages in parts of a step: means, least and most.
void add_watts(const workload::TrainingSetup& setup, ExplainedJob& job) {
  constexpr int parts = 100;
  std::vector<workload::StepPower> stages;
  for (int stage = 0; stage < setup.plan.pipeline; ++stage)
    stages.emplace_back(setup, job.step, stage, job.job.levels);
  const double part_s = job.step.step_s / parts, share = 1.0 / static_cast<double>(stages.size());
  for (int part = 0; part < parts; ++part) {
    double mean_w = 0.0;
    for (const workload::StepPower& stage : stages) mean_w += share * stage.mean_w(part * part_s, (part + 1) * part_s);
    job.least_gpu_w = part == 0 ? mean_w : std::min(job.least_gpu_w, mean_w);
    job.most_gpu_w = std::max(job.most_gpu_w, mean_w);
    job.gpu_w += mean_w / parts;
  }
}

ExplainedJob explained(const TransformerOnNodes& of, std::size_t plans) {
  const RailTimes times(links_of_nodes(of.nodes.gpus_per_node));
  ExplainedJob job{.name = of.name, .job = plan_job(*of.params, of.nodes)};
  const workload::TrainingSetup setup = job.job.setup(times);
  job.step = step_time(setup);
  job.memory = training_memory(job.job.model, job.job.plan, job.job.gpu);
  job.nodes = static_cast<std::size_t>(job.job.gpus / of.nodes.gpus_per_node);
  add_watts(setup, job);
  job.node_w = node_from_gpus_w(of.nodes.split, job.gpu_w * of.nodes.gpus_per_node);
  job.energy_per_token_j = job.node_w * static_cast<double>(job.nodes) / job.step.tokens_per_s;
  if (plans > 0) {
    job.plans = search_plans(setup, {.gpus = job.job.gpus, .most_tensor = job.job.gpu.gpus_per_domain});
    if (job.plans.size() > plans) job.plans.resize(plans);
  }
  return job;
}

}  // namespace

std::vector<ExplainedJob> explained_jobs(const Scenario& scenario, std::size_t plans) {
  make_work(scenario);  // reports all that is wrong
  std::vector<ExplainedJob> jobs;
  for (const TransformerOnNodes& of : transformers_of(scenario)) jobs.push_back(explained(of, plans));
  return jobs;
}

}  // namespace wattloop::twin
