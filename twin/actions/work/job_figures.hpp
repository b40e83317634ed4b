// What became of jobs up to an instant: what they have done, and what delayed them.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "twin/actions/work/jobs_on_racks.hpp"
#include "twin/plant/state/plant_state.hpp"
#include "workload/queue/queue_state.hpp"

namespace wattloop::twin {

/// A job since it has its nodes.
struct JobStart {
  std::size_t number = 0;  ///< of its clock
  double started_s = 0.0;
  double saved_s = 0.0;   ///< work that it went on from
  bool keeps_all = true;  ///< else what it has not saved is lost, as where it stops
};
struct JobStint {
  double steps = 0.0;     ///< whole ones, of all its stints
  double gained_s = 0.0;  ///< the same of its work, as time at full clock without stops
  double saving_s = 0.0;  ///< of it, for checkpoints
  workload::JobLoss lost = {};
};
/// What it has done and lost up to the time of a state.
JobStint stint_of(const workload::SynchronousJob& program, const JobStart& job, const PlantState& state);

/// Of all jobs; times are means over all GPUs of jobs with fixed nodes, over all nodes of the hall where jobs come and go.
struct JobFigures {
  bool is_any = false;
  double steps = 0.0;   ///< whole steps, of all jobs
  double tokens = 0.0;  ///< of these steps; not a number where a job that had nodes does not say how many a step has
  double at_peak_s =
      0.0;  ///< time that these steps would take at the peak of their GPUs; not a number where a job does not say it
  double gpus = 0.0;      ///< of jobs with fixed nodes
  double held_s = 0.0;    ///< with a job
  double gained_s = 0.0;  ///< time that the work done would have taken at full clock without stops
  double saving_s = 0.0;  ///< of it, for checkpoints
  workload::JobLoss lost = {};
};
JobFigures job_figures(const JobRacks& racks, const PlantState& state);

/// What jobs say of their steps, before they begin, too.
struct StepFacts {
  double shortest_s = 0.0;  ///< at full clock; 0: none has steps
  bool has_tokens = false;  ///< all say how many a step has
  bool has_peak = false;    ///< all say how long it takes at the peak of their GPUs
};
StepFacts step_facts(const JobRacks& racks);

/// Of a job of a queue, in all its stints.
struct JobTally {
  JobStint stint = {};
  double held_s = 0.0;  ///< time for which it had nodes
};
/// [job of the list]
std::vector<JobTally> tallies_of(const workload::JobQueue& queue, const PlantState& state);

/// Of a job of the list; one that was submitted since the last decision waits.
workload::JobIs state_of(const workload::JobQueue& queue, std::size_t job, const PlantState& state);

/// What jobs could have at an instant.
struct NodesForJobs {
  std::size_t in_all = 0;                                        ///< that work and are not drained
  std::size_t free = 0;                                          ///< of these, without a job
  std::vector<std::size_t> in_domain = {}, free_in_domain = {};  ///< [domain] the same
  std::vector<double> free_w = {};                               ///< [domain] of its budget
};
NodesForJobs nodes_for_jobs(const workload::JobQueue& queue, const PlantState& state);

/// Whether it needs more than all jobs together could have.
bool is_stuck(const workload::JobQueue& queue, std::size_t job, const NodesForJobs& nodes);

/// How long a job waited for something up to its first start, or now.
struct JobWait {
  workload::WaitsFor reason = workload::WaitsFor::decision;
  double time_s = 0.0;
};
/// The longest first.
std::vector<JobWait> waits_of(const workload::JobQueue& queue, std::size_t job, const PlantState& state);
/// "12 min for nodes, 3 min for jobs before it"; empty where it did not wait.
std::string waits_text(std::span<const JobWait> waits);

/// Of jobs that come and go.
struct QueueFigures {
  std::size_t submitted = 0, waiting = 0, running = 0, done = 0, over_limit = 0;
  std::size_t busy_nodes = 0;
  std::size_t never_started = 0;  ///< of those that wait
  std::size_t stuck = 0;          ///< of these, that need more nodes or power than they could have at the end
  bool has_waits = false;         ///< any job was submitted
  double mean_wait_s = 0.0;       ///< from submission to the first start, or to now where there was none
  double p95_wait_s = 0.0;        ///< 95 % of them waited no longer
  double longest_wait_s = 0.0;
};
QueueFigures queue_figures(const workload::JobQueue& queue, const PlantState& state);

}  // namespace wattloop::twin
