// A training job that writes to a storage that other jobs use, too.
//
//   written(t) = written + write_fraction (t - since)      time that it takes alone, of the save under way or the last one
//   save       = time waited so far + what is left / write_fraction                       blocking
//              = rest of the write before, if that is not whole yet, + stall              asynchronous
//
// The write of a blocking save is the save; that of an asynchronous one begins where GPUs go on. Verified in
// tests/verification/jobs/shared_storage.cpp. Documented in docs/models/checkpoints.md.
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/numbers/series.hpp"
#include "workload/training/training_clock.hpp"

namespace wattloop::workload {

namespace {

constexpr double never_s = std::numeric_limits<double>::infinity();
constexpr double rounding_s = 1e-6;  ///< of the instant of a save, computed at another clock

bool is_asynchronous(const TrainingSchedule& schedule) { return schedule.background_write_s > 0.0; }

}  // namespace

/// Instants of a save, if the job goes on as its clock says.
struct TrainingClock::Save {
  double number = 0.0;  ///< finished ones before it
  double begin_s = 0.0, end_s = 0.0;

  bool has_begun(double t_s) const { return t_s >= begin_s - rounding_s; }
  bool begins(double t_s) const { return std::abs(t_s - begin_s) <= rounding_s; }
};

/// `at_s` is the time that was written up to `from_s`, at the rate alone.
struct TrainingClock::Written {
  double from_s = 0.0, at_s = never_s;

  double until_s(double t_s, double fraction) const { return at_s + std::max(0.0, t_s - from_s) * fraction; }
  double whole_s(double write_s, double fraction) const { return from_s + (write_s - at_s) / fraction; }
};

TrainingClock::Save TrainingClock::save_of(const JobClock& job, double number) const {
  const TrainingSchedule schedule = schedule_of(job);
  const double end_s = step_start_s(schedule, (number + 1.0) * schedule.steps_per_checkpoint);
  const double zero_s = job.since_s - job.position_s;
  return {number, zero_s + (end_s - schedule.checkpoint_s), zero_s + end_s};
}

/// The one under way, or the next.
TrainingClock::Save TrainingClock::save_at(const JobClock& job, double t_s) const {
  const TrainingSchedule schedule = schedule_of(job);
  const double now_s = position_s(job, t_s) + rounding_s;
  const double step = step_at(schedule, now_s, step_near(schedule, now_s));
  return save_of(job, std::floor(step / schedule.steps_per_checkpoint));
}

/// Of a blocking save that is under way; of an asynchronous one, of the last whose stall is over. Infinity: there is none.
TrainingClock::Written TrainingClock::written(const JobClock& job, double t_s) const {
  const Save save = save_at(job, t_s);
  const Written before{job.since_s, job.save_age_s};
  if (!is_asynchronous(schedule_)) {
    if (!save.has_begun(t_s)) return {};
    return save.begin_s >= job.since_s ? Written{save.begin_s, 0.0} : before;
  }
  const double began_s = save.number > 0.0 ? save_of(job, save.number - 1.0).end_s : -never_s;
  return began_s > job.since_s ? Written{began_s, 0.0} : before;
}

double TrainingClock::written_s(const JobClock& job, double t_s) const {
  return written(job, t_s).until_s(t_s, job.write_fraction);
}

StorageWrite TrainingClock::write_at(const JobClock& job, double t_s) const {
  if (storage_use() == nullptr || job.is != JobClock::Is::running) return {};
  const double write_s = storage_use()->write_s;
  const Written done = written(job, t_s);
  const double left_s = write_s - done.until_s(t_s, job.write_fraction);
  if (left_s > rounding_s) return {done.from_s, done.whole_s(write_s, job.write_fraction), left_s};
  Save save = save_at(job, t_s);
  if (!is_asynchronous(schedule_) && save.has_begun(t_s)) save = save_of(job, save.number + 1.0);  // it is written
  const double begin_s = is_asynchronous(schedule_) ? save.end_s : save.begin_s;
  return {begin_s, begin_s + write_s, write_s};
}

double TrainingClock::next_storage_change_s(const JobClock& job, double t_s) const {
  if (storage_use() == nullptr || job.is != JobClock::Is::running) return never_s;
  const Save now = save_at(job, t_s);
  const double begin_s = now.has_begun(t_s) ? save_of(job, now.number + 1.0).begin_s : now.begin_s;
  const bool has_shared = job.write_fraction != 1.0 || job.save_wait_s != 0.0;
  if (!is_asynchronous(schedule_)) return has_shared ? begin_s : never_s;
  const double left_s = storage_use()->write_s - written_s(job, t_s);
  const bool has_to_wait = left_s > rounding_s && t_s + left_s / job.write_fraction > begin_s + rounding_s;
  const double of_wait_s = has_shared || has_to_wait ? begin_s : never_s;
  return has_shared ? std::min(now.end_s, of_wait_s) : of_wait_s;
}

/// By which the save under way takes longer than alone, where it writes at this share of its rate from now on.
double TrainingClock::longer_save_s(const JobClock& job, double t_s, double write_fraction) const {
  const Save save = save_at(job, t_s);
  if (!save.has_begun(t_s)) return job.save_wait_s;
  const double write_s = storage_use()->write_s;
  const double left_s = std::max(0.0, write_s - written_s(job, t_s));
  if (!save.begins(t_s)) {
    if (write_fraction == job.write_fraction || left_s <= rounding_s) return job.save_wait_s;
    const double waited_s = t_s - save.begin_s;
    return std::max(0.0, waited_s + left_s / write_fraction - (is_asynchronous(schedule_) ? 0.0 : write_s));
  }
  if (is_asynchronous(schedule_)) return left_s > rounding_s ? left_s / write_fraction : 0.0;
  return write_s / write_fraction - write_s;
}

JobClock TrainingClock::at_storage(const JobClock& job, double t_s, double write_fraction) const {
  if (storage_use() == nullptr || job.is != JobClock::Is::running) return job;
  const StorageWrite write = write_at(job, t_s);
  const bool is_written = write.begin_s <= t_s + rounding_s && write.left_s > rounding_s;
  const double fraction = is_written ? write_fraction : job.write_fraction;
  const double wait_s = longer_save_s(job, t_s, fraction);
  if (fraction == job.write_fraction && wait_s == job.save_wait_s) return job;
  JobClock other = at_save_wait(job, t_s, wait_s);
  const Save save = save_at(job, t_s);
  other.write_fraction = fraction;
  other.begins_sample = save.has_begun(t_s) && save.begin_s < sample_index(t_s) * params_.sample_interval_s;
  return other;
}

}  // namespace wattloop::workload
