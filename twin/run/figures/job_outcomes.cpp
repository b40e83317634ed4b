// What became of each job of a queue.
#include <array>
#include <limits>

#include "twin/actions/work/job_figures.hpp"
#include "twin/run/figures/summary.hpp"

namespace wattloop::twin {

namespace {

constexpr std::array job_states{"to_come", "waiting", "running", "done", "over_limit"};

JobOutcome row_of(const workload::JobRequest& job, const workload::JobRecord& record, workload::JobIs is,
                  const JobTally& tally) {
  constexpr double not_in_run = std::numeric_limits<double>::quiet_NaN();
  return {.name = job.name,
          .state = job_states.at(static_cast<std::size_t>(is)),
          .nodes = static_cast<std::int64_t>(job.nodes),
          .starts = record.starts,
          .stops = static_cast<std::int64_t>(tally.stint.lost.stops),
          .submitted_s = job.submit_s < 0.0 ? not_in_run : job.submit_s,
          .started_s = record.first_start_s,
          .ended_s = record.end_s,
          .steps = tally.stint.steps,
          .done_s = tally.stint.gained_s,
          .slowed_s = tally.stint.lost.slowed_s,
          .stopped_s = tally.stint.lost.stopped_s,
          .redone_s = tally.stint.lost.redone_s,
          .node_time_s = tally.held_s * static_cast<double>(job.nodes)};
}

}  // namespace

std::vector<JobOutcome> job_outcomes(const FinishedRun& run) {
  const workload::JobQueue* queue = run.simulation.jobs().queue();
  if (queue == nullptr) return {};
  std::vector<JobOutcome> rows;
  const std::vector<JobTally> tallies = tallies_of(*queue, run.simulation.state());
  for (std::size_t job = 0; job < tallies.size(); ++job)
    rows.push_back(row_of(queue->jobs[job], run.simulation.state().work.queue.records[job],
                          state_of(*queue, job, run.simulation.state()), tallies[job]));
  return rows;
}

}  // namespace wattloop::twin
