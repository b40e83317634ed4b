// What became of each job of a queue.
#include <array>
#include <limits>
#include <map>

#include <fmt/format.h>

#include "core/units/units.hpp"
#include "twin/actions/work/job_figures.hpp"
#include "twin/run/figures/summary.hpp"
#include "workload/queue/node_supply.hpp"

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
          .saving_s = tally.stint.saving_s,
          .slowed_s = tally.stint.lost.slowed_s,
          .stopped_s = tally.stint.lost.stopped_s,
          .redone_s = tally.stint.lost.redone_s,
          .shrunk_s = tally.stint.lost.shrunk_s,
          .storage_wait_s = tally.stint.lost.storage_wait_s,
          .node_time_s = tally.held_s * static_cast<double>(job.nodes)};
}

/// What a job that waits at the end has too little of.
std::string why_it_waits(const workload::JobQueue& queue, std::size_t job, const NodesForJobs& nodes) {
  const workload::JobRequest& request = queue.jobs[job];
  const auto watts = [](double power_w) { return format_quantity(power_w, "W"); };
  const double needed_w = static_cast<double>(request.nodes) * request.node_power_w;
  if (is_stuck(queue, job, nodes)) {
    if (request.nodes > nodes.in_all)
      return fmt::format("never fits: needs {} nodes, but only {} work and are not drained", request.nodes,
                         nodes.in_all);
    if (queue.domains.size() == 1)
      return fmt::format("never fits: needs {}, but the budget is {}", watts(needed_w),
                         watts(queue.domains.front().budget_w));
    return fmt::format("never fits: needs {}, more than the budgets allow on working nodes", watts(needed_w));
  }
  if (request.nodes > nodes.free) return fmt::format("needs {} nodes, but only {} are free", request.nodes, nodes.free);
  if (workload::powered_nodes(nodes.free_in_domain, nodes.free_w, request) < request.nodes) {
    if (nodes.free_w.size() == 1)
      return fmt::format("needs {}, but only {} of the budget are free", watts(needed_w), watts(nodes.free_w.front()));
    return fmt::format("needs {}, more than the budgets have left on the free nodes", watts(needed_w));
  }
  return "waits for a decision, or for jobs before it";
}

/// What was reported last of jobs that stopped or ended early, by name.
std::map<std::string, std::string, std::less<>> last_reasons(const std::vector<EventRecord>& events) {
  std::map<std::string, std::string, std::less<>> reasons;
  for (const EventRecord& event : events) {
    if (event.kind == "job_requeued" || event.kind == "job_stopped" || event.kind == "job_over_limit" ||
        event.kind == "job_shrunk" || event.kind == "job_grown")
      reasons[event.target] = event.detail;
  }
  return reasons;
}

}  // namespace

std::vector<JobOutcome> job_outcomes(const FinishedRun& run) {
  const workload::JobQueue* queue = run.simulation.jobs().queue();
  if (queue == nullptr) return {};
  std::vector<JobOutcome> rows;
  const std::vector<JobTally> tallies = tallies_of(*queue, run.simulation.state());
  const PlantState& state = run.simulation.state();
  const auto reasons = last_reasons(run.simulation.events());
  const NodesForJobs nodes = tallies.empty() ? NodesForJobs{} : nodes_for_jobs(*queue, state);
  for (std::size_t job = 0; job < tallies.size(); ++job) {
    const workload::JobIs is = state_of(*queue, job, state);
    JobOutcome row = row_of(queue->jobs[job], state.work.queue.records[job], is, tallies[job]);
    row.waited_for = waits_text(waits_of(*queue, job, state));
    const auto reason = reasons.find(row.name);
    if (is == workload::JobIs::waiting)
      row.why = why_it_waits(*queue, job, nodes);
    else if (reason != reasons.end())
      row.why = reason->second;
    if (run.statistics.jobs) row.energy_j = run.statistics.jobs->energy_j()[job];
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace wattloop::twin
