#include "workload/training/stage_levels.hpp"

#include <algorithm>
#include <bitset>
#include <utility>

#include "workload/training/deviation_pool.hpp"

namespace wattloop::workload {

namespace {

constexpr double uniform_limit = 1.7320508075688772;  ///< of a uniform deviate, in standard deviations

/// Seconds of each phase between two instants, in the schedule of the slowest GPU or of others.
PhaseSeconds seconds_between(const TrainingSchedule& schedule, double start_s, double end_s) {
  const double step = step_at(schedule, start_s, step_near(schedule, start_s));
  const PhaseSeconds before = phase_seconds(schedule, start_s, step);
  PhaseSeconds seconds = phase_seconds(schedule, end_s, step_at(schedule, end_s, step));
  for (std::size_t phase = 0; phase < phase_count; ++phase) seconds[phase] -= before[phase];
  return seconds;
}

}  // namespace

StageLevels::StageLevels(const TrainingParams& params, const NodeSet& nodes, std::shared_ptr<const StepWork> steps)
    : params_(params),
      steps_(std::move(steps)),
      levels_w_(steps_ ? steps_->levels_w() : phase_levels_w(params, nodes)),
      stages_(steps_ ? steps_->classes() : static_cast<std::size_t>(params.pipeline_stages)) {
  for (std::size_t node = 0; node < static_cast<std::size_t>(nodes.nodes); ++node)
    stage_of_node_.push_back(static_cast<std::uint8_t>(steps_ ? steps_->class_of(node) : node % stages_));
}

void StageLevels::mix(const TrainingClock::Pace& pace, double start_s, double end_s, double interval_s, NodeRange nodes,
                      double* mixes) const {
  const TrainingSchedule& schedule = pace.others;
  double step = step_near(schedule, start_s + pace.shift_s);
  const auto seconds_until = [&](double t_s) {  // steps of all stages are near one another
    step = step_at(schedule, t_s, step);
    return phase_seconds(schedule, t_s, step);
  };
  std::bitset<most_pipeline_stages> done;
  for (std::size_t node = nodes.first; node < nodes.first + nodes.count && done.count() < stages_; ++node) {
    const std::size_t stage = stage_of(node);
    if (done[stage]) continue;
    done.set(stage);
    const double lag_s = steps_ ? 0.0 : (params_.pipeline_stages - 1 - static_cast<int>(stage)) * params_.stage_lag_s;
    const double lead_s = lag_s + pace.shift_s;
    const PhaseSeconds before = seconds_until(start_s + lead_s);
    StageMix mix = mix_of_seconds(before, seconds_until(end_s + lead_s), interval_s);
    if (steps_) mix.level_w = steps_->between(pace, start_s, end_s, stage).energy_j / interval_s;
    put_mix(mix, mixes + stage * numbers_per_mix);
  }
}

/// Of the seconds that were spent in each phase at the begin and the end of a window.
StageMix StageLevels::mix_of_seconds(const PhaseSeconds& before, const PhaseSeconds& after, double interval_s) const {
  StageMix mix{};
  double busy_weight = 0.0;        // computing, communicating, evaluating
  double checkpoint_weight = 0.0;  // waiting for a checkpoint
  for (std::size_t phase = 0; phase < phase_count; ++phase) {
    const double weight = (after[phase] - before[phase]) / interval_s;
    mix.level_w += weight * levels_w_[phase];
    if (phase == checkpoint) checkpoint_weight = weight;
    if (phase < checkpoint) busy_weight += weight;
  }
  const double band_w = checkpoint_weight * params_.checkpoint_band_w;
  mix.per_node_noise_w = busy_weight * params_.node_noise_w;
  mix.per_gpu_noise_w = busy_weight * params_.gpu_noise_w + band_w / (3.0 * DeviationPool::largest);
  mix.per_place_w = busy_weight * params_.gpu_spread_w * uniform_limit + band_w * (2.0 / 3.0);
  return mix;
}

SampleShares StageLevels::shares(const TrainingClock& clock, const JobClock& job, double t_s, std::size_t node) const {
  const std::size_t stage = stage_of(node);
  if (!steps_) return clock.shares(levels_w_, job, t_s, static_cast<int>(stage));
  if (job.is != JobClock::Is::running || clock.has_yet_to_begin(t_s)) return {};
  const TrainingClock::Pace pace = clock.pace_of(job, t_s);
  const TrainingClock::Span sample = clock.sample_of(pace);
  const double start_s = sample.start_s + pace.shift_s, end_s = sample.end_s + pace.shift_s;
  const double per_s = 1.0 / (sample.end_s - sample.start_s);
  const WorkInWindow work = steps_->between(pace, sample.start_s, sample.end_s, stage);
  const double evaluated_s = seconds_between(pace.others, start_s, end_s)[evaluation];
  const double slowly_evaluated_s = seconds_between(pace.slowest, start_s, end_s)[evaluation];
  const double busy_s = work.computing_s + evaluated_s;
  const double busy_w = busy_s > 0.0
                            ? (work.computing_s * levels_w_[compute] + evaluated_s * levels_w_[evaluation]) / busy_s
                            : levels_w_[compute];
  const double slowest_busy_s = work.computing_s / job.clock_fraction + slowly_evaluated_s;
  return {.busy_fraction = busy_s * per_s,
          .busy_above_w = busy_w - work.energy_j * per_s,
          .waiting_fraction = std::max(0.0, slowest_busy_s - busy_s) * per_s,
          .waiting_w = levels_w_[communication],
          .slowest_fraction = job.clock_fraction};
}

}  // namespace wattloop::workload
