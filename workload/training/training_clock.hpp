// How a training job goes through its schedule: at full clock, slowed by one GPU, stopped and restarted.
//
//   step at a clock c of the slowest GPU, over a network of ratio r = compute / c + r communication
//   evaluations: as computing, checkpoints as they are, and as much longer as the storage is used by others (training_storage.cpp)
//
// GPUs at full clock wait in communication for the slowest. A position in the schedule keeps its share of a step where the clock changes.
// Verified in tests/verification/work/job_coupling.cpp. Documented in docs/models/job_coupling.md.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "workload/failures/failure_process.hpp"
#include "workload/training/training_schedule.hpp"
#include "workload/work/job_clock.hpp"
#include "workload/work/parameters.hpp"

namespace wattloop::workload {

class StepWork;

class TrainingClock final : public SynchronousJob {
 public:
  /// Of a job on so many GPUs. `steps`: null: what it exchanges is not known.
  TrainingClock(const TrainingParams& params, std::size_t gpus, std::uint64_t seed, std::size_t gpus_per_node = 1,
                std::shared_ptr<const StepWork> steps = nullptr);

  /// How the job goes through the sample that holds at an instant.
  struct Pace {
    TrainingSchedule slowest, others;
    double t_s = 0.0;      ///< of the run; before it, in a cycle like the first
    double shift_s = 0.0;  ///< position in the schedule less that time
    double since_s = 0.0;  ///< of that time: from then on it goes on so
    bool begins_sample = true;
  };
  Pace pace_of(const JobClock& job, double t_s) const;

  struct Span {
    double start_s, end_s;
    bool is_part;  ///< of a sample, since the job changed its clock in it
  };
  Span sample_of(const Pace& pace) const;

  /// What GPUs of a pipeline stage do in that sample; `levels_w` [phase].
  SampleShares shares(const PhaseSeconds& levels_w, const JobClock& job, double t_s, int stage) const;

  /// Before the run a job that rises from idle in the run has not begun; any other is in a cycle like its first.
  bool has_yet_to_begin(double t_s) const;
  double sample_index(double t_s) const;
  const TrainingSchedule& schedule() const { return schedule_; }
  double cycle_s() const { return cycle_s_; }  ///< after which evaluations and checkpoints come again as at the begin

  JobClock at_clock(const JobClock& job, double t_s, double clock_fraction) const override;
  JobClock at_network(const JobClock& job, double t_s, double communication_ratio) const override;
  JobClock at_size(const JobClock& job, double t_s, double size_fraction) const override;
  JobClock at_save_wait(const JobClock& job, double t_s, double save_wait_s) const override;
  double longer_s(double from_s, double to_s, double size_fraction) const override;
  double next_save_s(const JobClock& job, double t_s) const override;
  const StorageUse* storage_use() const override { return params_.storage_use ? &*params_.storage_use : nullptr; }
  StorageWrite write_at(const JobClock& job, double t_s) const override;
  double next_storage_change_s(const JobClock& job, double t_s) const override;
  JobClock at_storage(const JobClock& job, double t_s, double write_fraction) const override;
  double least_share_fraction() const override { return params_.is_elastic ? params_.least_share_fraction : 1.0; }
  NetworkUse network_use() const override;
  double communication_s(const CommunicationTimes& times) const override;
  JobClock from_checkpoint(const JobClock& job, double t_s) const override;
  JobProgress progress(const JobClock& job, double t_s) const override;
  double detection_s() const override { return params_.detection_s; }
  std::size_t spare_nodes() const override { return static_cast<std::size_t>(params_.spare_nodes); }
  const FailureProcess* failures() const override { return failures_ ? &*failures_ : nullptr; }
  double restart_s() const override { return params_.restart_s; }
  double tokens_per_step() const override { return params_.tokens_per_step; }
  double step_s() const override { return schedule_.step_s; }
  double step_at_peak_s() const override { return params_.step_at_peak_s; }

 private:
  PhaseSeconds spent(const TrainingSchedule& schedule, const Pace& pace, const Span& span, int stage) const;
  double job_time_s(double t_s) const;
  double position_s(const JobClock& job, double t_s) const;
  TrainingSchedule schedule_of(const JobClock& job) const;
  JobClock at_pace(const JobClock& job, double t_s, const TrainingPace& pace) const;
  double save_age_s(const JobClock& job, double t_s) const;
  double written_s(const JobClock& job, double t_s) const;
  struct Save;
  Save save_of(const JobClock& job, double number) const;
  Save save_at(const JobClock& job, double t_s) const;
  struct Written;
  Written written(const JobClock& job, double t_s) const;
  double longer_save_s(const JobClock& job, double t_s, double write_fraction) const;

  TrainingParams params_;
  TrainingSchedule schedule_;
  double cycle_s_;
  std::optional<FailureProcess> failures_;
  std::shared_ptr<const StepWork> steps_;
};

}  // namespace wattloop::workload
