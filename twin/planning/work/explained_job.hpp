// What follows from a transformer job of a scenario: its step, memory, watts, and plans that would be faster.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "twin/planning/work/job_nodes.hpp"
#include "workload/transformer/plan_search.hpp"
#include "workload/transformer/step_parts.hpp"
#include "workload/transformer_job/planned_job.hpp"

namespace wattloop::twin {

/// A plan that fits, and the energy of a token at the AC inlets of all nodes.
struct ExplainedPlan {
  workload::FoundPlan found;
  double energy_per_token_j = 0.0;
};

/// So many other plans of each job, those of highest throughput or of least energy first.
struct WantedPlans {
  std::size_t most = 0;
  bool is_by_energy = false;
};

struct ExplainedJob {
  std::string name;  ///< empty: the job of the hall
  workload::PlannedJob job;
  workload::StepTime step = {};
  workload::TrainingMemory memory = {};  ///< of a GPU
  std::size_t nodes = 0;
  double gpu_w = 0.0;            ///< mean in steps, at full clock, without leakage
  double node_w = 0.0;           ///< at its AC inlet, with that mean and fans at full speed
  bool has_fan_control = false;  ///< fans turn slower in a run
  double least_gpu_w = 0.0;      ///< mean of all stages, in 1 % of a step
  double most_gpu_w = 0.0;
  std::vector<double> gpu_course_w = {};                           ///< mean of all stages, in equal parts of a step
  std::vector<std::vector<workload::StepSegment>> timelines = {};  ///< [stage]
  double energy_per_token_j = 0.0;                                 ///< at the AC inlets of all nodes
  std::vector<ExplainedPlan> plans = {};                           ///< if they were asked for
};

/// The step of a transformer job, at full clock on a sound network.
struct PlannedStep {
  std::string name;  ///< empty: the job of the hall
  workload::StepTime step = {};
};

/// Of all transformer jobs of a scenario whose work has no mistakes.
std::vector<PlannedStep> planned_steps(const Scenario& scenario);

/// All transformer jobs of a scenario; `warnings`: what can hardly be meant. Throws InputError with what is wrong with its work.
std::vector<ExplainedJob> explained_jobs(const Scenario& scenario, const WantedPlans& wanted = {},
                                         std::vector<std::string>* warnings = nullptr);

}  // namespace wattloop::twin
