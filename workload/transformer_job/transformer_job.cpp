#include "workload/transformer_job/transformer_job.hpp"

#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/units/units.hpp"
#include "workload/training/training.hpp"
#include "workload/training/training_checkpoints.hpp"
#include "workload/transformer/plan_search.hpp"
#include "workload/transformer_job/transformer_steps.hpp"

namespace wattloop::workload {

namespace {

/// Watts of the hardware that cannot be those of the GPU that the job is calculated for; empty: they can.
std::string other_gpu_warning(const TrainingGpu& gpu, const NodeSplitParams& split) {
  constexpr double alike_fraction = 0.05;
  if (std::abs(split.gpu_limit_w - gpu.power_limit_w) <= alike_fraction * gpu.power_limit_w) return {};
  return fmt::format(
      "the step times are those of `gpu: {}` with {:.0f} W, but the GPUs of these nodes have a power limit of {:.0f} W",
      gpu.name, gpu.power_limit_w, split.gpu_limit_w);
}

/// A run without a whole step says nothing of throughput; empty: it has one.
std::string endless_step_warning(const StepTime& step, double run_s) {
  if (step.step_s < run_s || run_s <= 0.0) return {};
  return fmt::format("a step takes {}, so that no step ends within the run of {}", format_quantity(step.step_s, "s"),
                     format_quantity(run_s, "s"));
}

/// Samples that are too long to show the swing of a step; empty: they are not.
std::string aliasing_note(const StepTime& step, double sample_interval_s) {
  if (sample_interval_s <= 0.5 * step.step_s) return {};
  return fmt::format(
      "samples of {} are longer than half a step: mean power is exact, but the power swing of {} Hz is not visible; "
      "write `sample_interval: {}` or less to see it",
      format_quantity(sample_interval_s, "s"), fmt::format("{:.2g}", 1.0 / step.step_s),
      format_quantity(0.5 * step.step_s, "s"));
}

/// The fastest plan on these GPUs that has no mistakes, as it is written in a scenario.
std::string remedy(const PlannedJob& job, const CommunicationTimes& times) {
  if (!job.batch_mistake.empty()) return {};
  for (const FoundPlan& found :
       search_plans(job.setup(times), {.gpus = job.gpus, .most_tensor = job.gpu.gpus_per_domain})) {
    const ParallelPlan& plan = found.plan;
    if (plan.pipeline > most_pipeline_stages) continue;
    std::string degrees = fmt::format("tensor: {}, pipeline: {}, virtual: {}, micro_batch: {}", plan.tensor,
                                      plan.pipeline, plan.virtual_stages, plan.micro_batch);
    if (plan.context > 1) degrees += fmt::format(", context: {}", plan.context);
    if (plan.expert > 1) degrees += fmt::format(", expert: {}", plan.expert);
    return fmt::format("the fastest plan that fits these {} GPUs: parallel: {{ {} }}", job.gpus, degrees);
  }
  return {};
}

}  // namespace

TrainingParams training_with_step(const TransformerParams& params, const PlannedJob& job, const StepTime& step) {
  TrainingParams training = params.job;
  training.step_s = step.step_s;
  training.tokens_per_step = static_cast<double>(job.plan.global_batch) * job.model.sequence;
  training.step_at_peak_s = step.mfu_fraction * step.step_s;
  training.communication_fraction = 1.0 - clocked_s(step) / step.step_s;
  training.compute_gpu_w = kernel_level_w(step, job.levels);
  training.communication_gpu_w = job.levels.waiting_w;
  training.pipeline_stages = 1;
  training.stage_lag_s = training.ramp_s = 0.0;
  return training;
}

MadeWork make_work(const TransformerParams& params, const WorkRequest& request, Problems& problems) {
  const auto report = [&](const std::vector<std::string>& mistakes, std::string hint = {}) {
    for (const std::string& mistake : mistakes) {
      const Mention written = request.mention_of(std::string_view(mistake).substr(0, mistake.find(':')));
      problems.add({written.place, request.racks + mistake, std::exchange(hint, {}), written.excerpt});
    }
    return !mistakes.empty();
  };
  if (params.job.is_elastic && report({"elastic: the parallel plan of a transformer needs all nodes of the job"},
                                      "write spare_nodes, or kind: training"))
    return {};
  const PlannedJob job = plan_job(params, request.nodes);
  const NoCommunication alone;
  const CommunicationTimes& times = request.network != nullptr ? *request.network : alone;
  if (const std::vector<std::string> mistakes = mistakes_in(job); !mistakes.empty()) {
    report(mistakes, remedy(job, times));
    return {};
  }
  const StepTime step = step_time(job.setup(times));
  const TrainingParams training = with_powers_of_gpu(training_with_step(params, job, step), request.nodes.split);
  if (report(training_mistakes(training, request.nodes))) return {};
  const TrainingParams scheduled = with_checkpoints(training, request.nodes);
  auto steps = std::make_shared<const TransformerSteps>(job, times, step, scheduled, request.nodes);
  MadeWork work{.workload = make_training(scheduled, request.nodes, request.seed, std::move(steps))};
  work.notes.push_back(step_note(job, step));
  for (std::string& note : plan_notes(job.plan, job.gpu)) work.notes.push_back(std::move(note));
  if (std::string note = aliasing_note(step, training.sample_interval_s); !note.empty())
    work.notes.push_back(std::move(note));
  if (training.checkpoint.is_given) work.notes.push_back(checkpoint_note(scheduled, request.nodes));
  if (std::string warning = other_gpu_warning(job.gpu, request.nodes.split); !warning.empty())
    work.warnings.push_back(std::move(warning));
  if (std::string warning = endless_step_warning(step, request.run.duration_s); !warning.empty())
    work.warnings.push_back(std::move(warning));
  return work;
}

}  // namespace wattloop::workload
