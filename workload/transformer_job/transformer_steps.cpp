#include "workload/transformer_job/transformer_steps.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>

#include "workload/transformer/step_exchanges.hpp"

namespace wattloop::workload {

namespace {

/// Steps after which evaluation and checkpoint come together; infinity: beyond all numbers of steps.
double steps_per_both(const TrainingSchedule& s) {
  constexpr double most = 9e15;
  const double gcd = static_cast<double>(
      std::gcd(static_cast<std::uint64_t>(s.steps_per_evaluation), static_cast<std::uint64_t>(s.steps_per_checkpoint)));
  const double both = s.steps_per_evaluation / gcd * s.steps_per_checkpoint;
  return both < most ? both : std::numeric_limits<double>::infinity();
}

}  // namespace

/// An evaluation, a checkpoint, or one after the other, and the step that follows: it begins with another power than steps after steps.
struct TransformerSteps::Interruption {
  LaggedLevels watts;
  LaggedLevels next_step;
};

/// Energy and computing of a GPU of one stage in the course of the job.
class TransformerSteps::Course {
 public:
  Course(const TransformerSteps& of, const TrainingSchedule& others, const StagePower& stage)
      : of_(of),
        schedule_(others),
        stage_(stage),
        evaluation_(interruption(true, false)),
        checkpoint_(interruption(false, true)),
        both_(interruption(true, true)),
        per_evaluation_(others.evaluation_s > 0.0 ? others.steps_per_evaluation : never),
        per_checkpoint_(others.checkpoint_s > 0.0 ? others.steps_per_checkpoint : never),
        per_both_(per_evaluation_ < never && per_checkpoint_ < never ? steps_per_both(others) : never) {}

  WorkInWindow until(double position_s) const {
    const double step = step_at(schedule_, position_s, step_near(schedule_, position_s));
    const double into_s = position_s - step_start_s(schedule_, step);
    const double in_step_s = std::min(into_s, schedule_.step_s), both = std::floor(step / per_both_);
    const Interruption* before = before_step(step);
    WorkInWindow work{.energy_j = step * stage_.watts.energy_j(), .computing_s = step * stage_.computing.energy_j()};
    work.energy_j += (std::floor(step / per_evaluation_) - both) * more_j(evaluation_) +
                     (std::floor(step / per_checkpoint_) - both) * more_j(checkpoint_) + both * more_j(both_);
    if (before != nullptr) work.energy_j -= before->next_step.energy_j() - stage_.watts.energy_j();  // it is under way
    work.energy_j += (before != nullptr ? before->next_step : stage_.watts).energy_until_j(in_step_s);
    work.computing_s += stage_.computing.energy_until_j(in_step_s);
    const Interruption* now = into_s > schedule_.step_s ? before_step(step + 1.0) : nullptr;
    if (now != nullptr) work.energy_j += now->watts.energy_until_j(into_s - schedule_.step_s);
    return work;
  }

 private:
  static constexpr double never = std::numeric_limits<double>::infinity();

  Interruption interruption(bool has_evaluation, bool has_checkpoint) const {
    Interruption made{LaggedLevels(of_.levels_.lag), stage_.watts};
    if (has_evaluation) {
      made.watts.add(schedule_.evaluation_dip_s, of_.levels_w_[communication]);
      made.watts.add(schedule_.evaluation_s - schedule_.evaluation_dip_s, of_.levels_w_[evaluation]);
    }
    if (has_checkpoint) made.watts.add(schedule_.checkpoint_s, of_.levels_w_[checkpoint]);
    made.watts.begin_at(stage_.watts.end_w());
    made.next_step.begin_at(made.watts.end_w());
    return made;
  }

  /// By which an interruption and the step after it exceed a step.
  double more_j(const Interruption& of) const {
    return of.watts.energy_j() + of.next_step.energy_j() - stage_.watts.energy_j();
  }

  const Interruption* before_step(double step) const {
    if (step <= 0.0) return nullptr;
    const auto comes = [step](double every) { return every < never && std::fmod(step, every) == 0.0; };
    if (comes(per_evaluation_)) return comes(per_checkpoint_) ? &both_ : &evaluation_;
    return comes(per_checkpoint_) ? &checkpoint_ : nullptr;
  }

  const TransformerSteps& of_;
  const TrainingSchedule& schedule_;
  const StagePower& stage_;
  Interruption evaluation_, checkpoint_, both_;
  double per_evaluation_, per_checkpoint_, per_both_;
};

TransformerSteps::TransformerSteps(const PlannedJob& job, const CommunicationTimes& times, const StepTime& step,
                                   const TrainingParams& params, const NodeSet& nodes)
    : job_(job),
      step_(step),
      levels_(job.levels),
      schedule_(make_schedule(params)),
      first_gpu_(nodes.first_gpu_of_job),
      gpus_per_node_(static_cast<std::size_t>(nodes.gpus_per_node)),
      gpus_per_stage_(static_cast<std::size_t>(job.plan.tensor * job.plan.context * job.plan.data)) {
  double mean_w = 0.0;
  const auto stages = static_cast<std::size_t>(job.plan.pipeline);
  for (std::size_t stage = 0; stage < stages; ++stage) {
    timelines_.push_back(stage_timeline(job.setup(times), step, static_cast<int>(stage)));
    at_full_pace_.push_back(stage_power(timelines_.back(), step, levels_));
    mean_w += at_full_pace_.back().watts.energy_j() / step.step_s / static_cast<double>(stages);
  }
  levels_w_ = {kernel_level_w(step, levels_), levels_.waiting_w, evaluation_gpu_w(params, nodes, mean_w),
               params.checkpoint_gpu_w, nodes.split.gpu_idle_w};
  if (gpus_per_stage_ >= gpus_per_node_) {
    for (std::size_t stage = 0; stage < stages; ++stage) stages_of_class_.push_back({stage, stage + 1});
  } else {
    const std::size_t all = stages * gpus_per_stage_;
    for (std::size_t gpu = 0; gpu < all; gpu += gpus_per_node_) {
      const std::size_t last = std::min(gpu + gpus_per_node_, all) - 1;
      stages_of_class_.push_back({gpu / gpus_per_stage_, last / gpus_per_stage_ + 1});
    }
  }
}

std::size_t TransformerSteps::class_of(std::size_t node) const {
  const std::size_t gpu = first_gpu_ + node * gpus_per_node_;
  return (gpu / std::max(gpus_per_stage_, gpus_per_node_)) % classes();
}

std::vector<StepExchange> TransformerSteps::exchanges() const { return step_exchanges(job_.setup(NoCommunication())); }

double TransformerSteps::communication_s(const CommunicationTimes& times) const {
  return step_time(job_.setup(times)).step_s - clocked_s(step_);
}

StepPace TransformerSteps::pace_of(const TrainingSchedule& slowest) const {
  const double other_s = schedule_.step_s - schedule_.compute_s;
  const double slow_other_s = slowest.step_s - slowest.compute_s;
  return {schedule_.compute_s / slowest.compute_s, other_s > 0.0 ? slow_other_s / other_s : 1.0};
}

WorkInWindow TransformerSteps::between(const TrainingClock::Pace& pace, double start_s, double end_s,
                                       std::size_t of_class) const {
  const bool is_full = pace.slowest.compute_s == schedule_.compute_s && pace.slowest.step_s == schedule_.step_s;
  const Stages stages = stages_of_class_[of_class];
  WorkInWindow sum;
  for (std::size_t stage = stages.first; stage < stages.end; ++stage) {
    const StagePower slow =
        is_full ? at_full_pace_[stage] : stage_power(timelines_[stage], step_, levels_, pace_of(pace.slowest));
    const Course course(*this, pace.others, slow);
    const WorkInWindow before = course.until(start_s + pace.shift_s), after = course.until(end_s + pace.shift_s);
    sum.energy_j += after.energy_j - before.energy_j;
    sum.computing_s += after.computing_s - before.computing_s;
  }
  const double share = 1.0 / static_cast<double>(stages.end - stages.first);
  return {sum.energy_j * share, sum.computing_s * share};
}

}  // namespace wattloop::workload
