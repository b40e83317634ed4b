#include "workload/training/training_clock.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/numbers/series.hpp"
#include "workload/training/step_work.hpp"

namespace wattloop::workload {

namespace {

constexpr double rounding_s = 1e-6;  ///< of the position of a save, computed at another clock

TrainingPace pace_at(const JobClock& job) {
  return {job.clock_fraction, job.communication_ratio, job.size_fraction, job.save_wait_s};
}

TrainingPace without_wait(TrainingPace pace) {
  pace.save_wait_s = 0.0;
  return pace;
}

double step_now(const TrainingSchedule& schedule, double position_s) {
  return step_at(schedule, position_s, step_near(schedule, position_s));
}

}  // namespace

TrainingClock::TrainingClock(const TrainingParams& params, std::size_t gpus, std::uint64_t seed,
                             std::size_t gpus_per_node, std::shared_ptr<const StepWork> steps)
    : params_(params),
      schedule_(make_schedule(params)),
      cycle_s_(step_start_s(schedule_, steps_per_cycle(schedule_)) - schedule_.ramp_s),
      steps_(std::move(steps)) {
  if (!params.failures.kinds.empty()) failures_.emplace(params.failures, gpus, seed, gpus_per_node);
}

bool TrainingClock::has_yet_to_begin(double t_s) const { return params_.ramp_s > 0.0 && t_s < -boundary_slack_s; }

double TrainingClock::sample_index(double t_s) const {
  return std::floor((t_s + boundary_slack_s) / params_.sample_interval_s);
}

double TrainingClock::job_time_s(double t_s) const {
  if (t_s >= -boundary_slack_s || params_.ramp_s > 0.0) return t_s;
  const double whole_s = std::ceil(cycle_s_ / params_.sample_interval_s) * params_.sample_interval_s;
  return t_s + std::ceil(-t_s / whole_s) * whole_s;
}

TrainingSchedule TrainingClock::schedule_of(const JobClock& job) const { return of_slowest(schedule_, pace_at(job)); }

double TrainingClock::position_s(const JobClock& job, double t_s) const {
  if (job.is != JobClock::Is::running) return job.position_s;
  return job_time_s(job.position_s + (t_s - job.since_s));
}

TrainingClock::Pace TrainingClock::pace_of(const JobClock& job, double t_s) const {
  const double time_s = job_time_s(t_s);
  return {schedule_of(job),
          of_others(schedule_, pace_at(job)),
          time_s,
          position_s(job, t_s) - time_s,
          time_s - (t_s - job.since_s),
          job.begins_sample};
}

TrainingClock::Span TrainingClock::sample_of(const Pace& pace) const {
  const double start_s = std::max(0.0, sample_index(pace.t_s)) * params_.sample_interval_s;
  const double end_s = start_s + params_.sample_interval_s;
  const bool is_part = pace.begins_sample && pace.since_s > start_s + boundary_slack_s && pace.since_s <= pace.t_s;
  return {is_part ? pace.since_s : start_s, end_s, is_part};
}

/// Seconds of a pipeline stage in each phase, in the schedule of the slowest GPU or of others.
PhaseSeconds TrainingClock::spent(const TrainingSchedule& schedule, const Pace& pace, const Span& span,
                                  int stage) const {
  const double lead_s = (params_.pipeline_stages - 1 - stage) * params_.stage_lag_s + pace.shift_s;
  const auto until = [&](double t_s) { return phase_seconds(schedule, t_s, step_now(schedule, t_s)); };
  const PhaseSeconds before = until(span.start_s + lead_s), after = until(span.end_s + lead_s);
  PhaseSeconds seconds{};
  for (std::size_t phase = 0; phase < phase_count; ++phase) seconds[phase] = after[phase] - before[phase];
  return seconds;
}

SampleShares TrainingClock::shares(const PhaseSeconds& levels_w, const JobClock& job, double t_s, int stage) const {
  if (job.is != JobClock::Is::running || has_yet_to_begin(t_s)) return {};
  const Pace pace = pace_of(job, t_s);
  const Span sample = sample_of(pace);
  const PhaseSeconds others_s = spent(pace.others, pace, sample, stage);
  const PhaseSeconds slowest_s = spent(pace.slowest, pace, sample, stage);
  const double per_s = 1.0 / (sample.end_s - sample.start_s);
  double level_w = 0.0;
  for (std::size_t phase = 0; phase < phase_count; ++phase) level_w += others_s[phase] * per_s * levels_w[phase];
  const double slowest_busy_s = slowest_s[compute] + slowest_s[evaluation];
  const double busy_w =
      slowest_busy_s > 0.0
          ? (slowest_s[compute] * levels_w[compute] + slowest_s[evaluation] * levels_w[evaluation]) / slowest_busy_s
          : levels_w[compute];
  const double busy_fraction = (others_s[compute] + others_s[evaluation]) * per_s;
  return {.busy_fraction = busy_fraction,
          .busy_above_w = busy_w - level_w,
          .waiting_fraction = std::max(0.0, slowest_busy_s * per_s - busy_fraction),
          .waiting_w = levels_w[communication],
          .slowest_fraction = job.clock_fraction};
}

JobClock TrainingClock::at_clock(const JobClock& job, double t_s, double clock_fraction) const {
  return at_pace(job, t_s, {clock_fraction, job.communication_ratio, job.size_fraction, job.save_wait_s});
}

JobClock TrainingClock::at_network(const JobClock& job, double t_s, double communication_ratio) const {
  return at_pace(job, t_s, {job.clock_fraction, communication_ratio, job.size_fraction, job.save_wait_s});
}

JobClock TrainingClock::at_size(const JobClock& job, double t_s, double size_fraction) const {
  return at_pace(job, t_s, {job.clock_fraction, job.communication_ratio, size_fraction, job.save_wait_s});
}

JobClock TrainingClock::at_save_wait(const JobClock& job, double t_s, double save_wait_s) const {
  return at_pace(job, t_s, {job.clock_fraction, job.communication_ratio, job.size_fraction, save_wait_s});
}

double TrainingClock::longer_s(double from_s, double to_s, double size_fraction) const {
  const TrainingPace fewer{.size_fraction = size_fraction};
  return at_other_pace(schedule_, to_s, {}, fewer) - to_s - (at_other_pace(schedule_, from_s, {}, fewer) - from_s);
}

double TrainingClock::next_save_s(const JobClock& job, double t_s) const {
  const TrainingSchedule schedule = schedule_of(job);
  const bool saves = schedule.checkpoint_s > 0.0 || schedule.background_write_s > 0.0;
  if (!saves || job.is != JobClock::Is::running) return std::numeric_limits<double>::infinity();
  const double now_s = position_s(job, t_s), age_s = save_age_s(job, t_s);
  if (age_s < schedule.background_write_s)
    return t_s + (schedule.background_write_s - age_s) / job.write_fraction + rounding_s;
  const double saved = std::floor(step_now(schedule, now_s) / schedule.steps_per_checkpoint);
  const double whole_s = step_start_s(schedule, (saved + 1.0) * schedule.steps_per_checkpoint);
  const double written_s = schedule.background_write_s > 0.0 ? schedule.background_write_s + rounding_s : 0.0;
  return t_s + (whole_s - now_s) + written_s;
}

JobClock TrainingClock::at_pace(const JobClock& job, double t_s, const TrainingPace& pace) const {
  const double position = at_other_pace(schedule_, position_s(job, t_s), pace_at(job), pace);
  return {job.is,
          t_s,
          position,
          pace.clock_fraction,
          save_age_s(job, t_s),
          pace.communication_ratio,
          pace.size_fraction,
          pace.save_wait_s,
          job.write_fraction};
}

NetworkUse TrainingClock::network_use() const {
  return {.exchanges = steps_ ? steps_->exchanges() : std::vector<StepExchange>{},
          .step_s = schedule_.step_s,
          .busy_fraction = 1.0 - schedule_.compute_s / schedule_.step_s};
}

double TrainingClock::communication_s(const CommunicationTimes& times) const {
  return steps_ ? steps_->communication_s(times) : 0.0;
}

/// Time since GPUs went on after the last save: what is written in the background is whole only later. A job that goes on from a save has it.
double TrainingClock::save_age_s(const JobClock& job, double t_s) const {
  if (job.is != JobClock::Is::running) return job.save_age_s;
  if (storage_use() != nullptr) return written_s(job, t_s);
  const TrainingSchedule schedule = schedule_of(job);
  const double now_s = position_s(job, t_s);
  const double saved = std::floor(step_now(schedule, now_s) / schedule.steps_per_checkpoint);
  const double saved_s = step_start_s(schedule, saved * schedule.steps_per_checkpoint);
  return saved > 0.0 && saved_s > job.position_s ? now_s - saved_s : job.save_age_s + (t_s - job.since_s);
}

JobClock TrainingClock::from_checkpoint(const JobClock& job, double t_s) const {
  const TrainingSchedule schedule = schedule_of(job);
  const double step = step_now(schedule, position_s(job, t_s) + rounding_s);
  const bool saves = schedule.checkpoint_s > 0.0 || schedule.background_write_s > 0.0;
  double saved = saves ? std::floor(step / schedule.steps_per_checkpoint) : 0.0;
  if (saved > 0.0 && save_age_s(job, t_s) < schedule.background_write_s) --saved;  // the one before it is whole
  const TrainingSchedule alone = of_slowest(schedule_, without_wait(pace_at(job)));
  const double from_s = saved > 0.0 ? step_start_s(alone, saved * schedule.steps_per_checkpoint) : 0.0;
  return {.is = JobClock::Is::running,
          .since_s = t_s,
          .position_s = from_s,
          .clock_fraction = job.clock_fraction,
          .communication_ratio = job.communication_ratio,
          .size_fraction = job.size_fraction};
}

JobProgress TrainingClock::progress(const JobClock& job, double t_s) const {
  const TrainingSchedule schedule = schedule_of(job);
  const double now_s = position_s(job, t_s);
  const double gained_s = at_other_pace(schedule_, now_s, pace_at(job), {});
  return {.steps = now_s < schedule.ramp_s ? 0.0 : step_now(schedule, now_s),
          .gained_s = gained_s,
          .saving_s = phase_seconds(schedule_, gained_s, step_now(schedule_, gained_s))[checkpoint],
          .storage_wait_s = now_s - at_other_pace(schedule_, now_s, pace_at(job), without_wait(pace_at(job)))};
}

}  // namespace wattloop::workload
