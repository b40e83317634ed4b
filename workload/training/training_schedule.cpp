#include "workload/training/training_schedule.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

namespace wattloop::workload {

namespace {

constexpr double most_steps = 1e15;

double whole_steps(double seconds, double step_s) {
  return std::max(1.0, std::round(std::min(seconds / step_s, most_steps)));
}

double mean_step_s(const TrainingSchedule& s) {
  return s.step_s + s.evaluation_s / s.steps_per_evaluation + s.checkpoint_s / s.steps_per_checkpoint;
}

/// In steps, up to `t_s` in or after step `step`.
double communicated_s(const TrainingSchedule& s, double t_s, double step) {
  const double of_step_s = s.step_s - s.compute_s, into_s = t_s - step_start_s(s, step);
  return step * of_step_s + std::clamp(into_s - s.compute_s, 0.0, of_step_s);
}

}  // namespace

TrainingSchedule make_schedule(const TrainingParams& p) {
  TrainingSchedule s{
      .ramp_s = p.ramp_s,
      .step_s = p.step_s,
      .compute_s = p.step_s * (1.0 - p.communication_fraction),
      .evaluation_s = p.evaluation_s,
      .evaluation_dip_s = std::min(p.evaluation_dip_s, p.evaluation_s),
      .checkpoint_s = p.checkpoint_s,
      .background_write_s = p.background_write_s,
      .steps_per_evaluation = whole_steps(p.evaluation_interval_s - p.evaluation_s, p.step_s),
  };
  const double step_and_evaluation_s = p.step_s + p.evaluation_s / s.steps_per_evaluation;
  s.steps_per_checkpoint = std::max(whole_steps(p.checkpoint_interval_s - p.checkpoint_s, step_and_evaluation_s),
                                    std::ceil(std::min(p.background_write_s / p.step_s, most_steps)));
  return s;
}

TrainingSchedule of_slowest(const TrainingSchedule& s, const TrainingPace& pace) noexcept {
  if (pace == TrainingPace{}) return s;
  const double longer_ratio = 1.0 / (pace.clock_fraction * pace.size_fraction) - 1.0;
  TrainingSchedule slow = s;
  slow.compute_s = s.compute_s * (1.0 + longer_ratio);
  slow.step_s = s.step_s + s.compute_s * longer_ratio + (s.step_s - s.compute_s) * (pace.communication_ratio - 1.0);
  slow.evaluation_s = s.evaluation_s + (s.evaluation_s - s.evaluation_dip_s) * longer_ratio;
  slow.checkpoint_s = s.checkpoint_s + pace.save_wait_s;
  return slow;
}

TrainingSchedule of_others(const TrainingSchedule& s, const TrainingPace& pace) noexcept {
  TrainingSchedule others = of_slowest(s, pace);
  const double evaluation_s = s.evaluation_s + (s.evaluation_s - s.evaluation_dip_s) * (1.0 / pace.size_fraction - 1.0);
  others.compute_s = s.compute_s / pace.size_fraction;
  others.evaluation_dip_s = s.evaluation_dip_s + (others.evaluation_s - evaluation_s);
  return others;
}

double at_other_pace(const TrainingSchedule& s, double position_s, const TrainingPace& pace,
                     const TrainingPace& other) noexcept {
  if (pace == other || position_s <= s.ramp_s) return position_s;
  const TrainingSchedule now = of_slowest(s, pace);
  const double step = step_at(now, position_s, step_near(now, position_s));
  const double ramp_computed_s = 0.5 * s.ramp_s;
  const PhaseSeconds spent_s = phase_seconds(now, position_s, step);
  const double now_fraction = pace.clock_fraction * pace.size_fraction;
  const double other_fraction = other.clock_fraction * other.size_fraction;
  double moved_s = (spent_s[compute] - ramp_computed_s + spent_s[evaluation]) * (now_fraction / other_fraction - 1.0);
  if (pace.communication_ratio != other.communication_ratio)
    moved_s += communicated_s(now, position_s, step) * (other.communication_ratio / pace.communication_ratio - 1.0);
  if (pace.save_wait_s != other.save_wait_s) {
    const double saves = std::floor(step / s.steps_per_checkpoint);
    const double saving_s = spent_s[checkpoint] - saves * now.checkpoint_s;
    moved_s += saves * (other.save_wait_s - pace.save_wait_s);
    moved_s -= std::max(0.0, saving_s - (s.checkpoint_s + other.save_wait_s));
  }
  return position_s + moved_s;
}

double steps_per_cycle(const TrainingSchedule& s) noexcept {
  constexpr double most = 1e5;
  const double evaluations = s.evaluation_s > 0.0 ? s.steps_per_evaluation : 1.0;
  const double checkpoints = s.checkpoint_s > 0.0 ? s.steps_per_checkpoint : 1.0;
  const double fewer = std::min(evaluations, checkpoints), more = std::max(evaluations, checkpoints);
  if (fewer * more > most * most) return fewer;
  const auto both = static_cast<double>(std::lcm(static_cast<std::uint64_t>(fewer), static_cast<std::uint64_t>(more)));
  return both <= most ? both : fewer;
}

double step_start_s(const TrainingSchedule& s, double step) noexcept {
  return s.ramp_s + step * s.step_s + std::floor(step / s.steps_per_evaluation) * s.evaluation_s +
         std::floor(step / s.steps_per_checkpoint) * s.checkpoint_s;
}

double step_near(const TrainingSchedule& s, double t_s) noexcept {
  return std::max(0.0, std::floor((t_s - s.ramp_s) / mean_step_s(s)));
}

double step_at(const TrainingSchedule& s, double t_s, double near) noexcept {
  double step = near;
  while (step > 0.0 && step_start_s(s, step) > t_s) --step;
  while (step_start_s(s, step + 1.0) <= t_s) ++step;
  return step;
}

PhaseSeconds phase_seconds(const TrainingSchedule& s, double t_s, double step) noexcept {
  const double ramp_s = std::min(t_s, s.ramp_s);
  const double ramp_computed_s = s.ramp_s > 0.0 ? 0.5 * ramp_s * ramp_s / s.ramp_s : 0.0;
  PhaseSeconds seconds{};
  seconds[idle] = ramp_s - ramp_computed_s;
  seconds[compute] = ramp_computed_s;
  if (t_s <= s.ramp_s) return seconds;

  const double evaluations = std::floor(step / s.steps_per_evaluation);
  const double checkpoints = std::floor(step / s.steps_per_checkpoint);
  const double into_s = t_s - step_start_s(s, step);
  const double interrupted_s = std::max(0.0, into_s - s.step_s);
  const bool is_evaluated = std::floor((step + 1.0) / s.steps_per_evaluation) > evaluations;
  const double evaluating_s = is_evaluated ? std::min(interrupted_s, s.evaluation_s) : 0.0;

  seconds[compute] += step * s.compute_s + std::min(into_s, s.compute_s);
  seconds[communication] = communicated_s(s, t_s, step);
  const double dipped_s = evaluations * s.evaluation_dip_s + std::min(evaluating_s, s.evaluation_dip_s);
  seconds[communication] += dipped_s;
  seconds[evaluation] = evaluations * s.evaluation_s + evaluating_s - dipped_s;
  seconds[checkpoint] = checkpoints * s.checkpoint_s + interrupted_s - evaluating_s;
  return seconds;
}

}  // namespace wattloop::workload
