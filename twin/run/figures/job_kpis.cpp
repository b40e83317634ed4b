#include "twin/run/figures/job_kpis.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "twin/actions/work/burn_in_watch.hpp"
#include "twin/actions/work/job_figures.hpp"
#include "twin/run/meters/energy_parts.hpp"

namespace wattloop::twin {

namespace {

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

void add_throughput(const FinishedRun& run, FigureList& values) {
  const StepFacts facts = step_facts(run.simulation.jobs());
  if (facts.shortest_s > 0.0)
    values.number("job_step_time", facts.shortest_s, "s", "shortest step of training jobs, at full clock");
  if (!facts.has_tokens) return;
  constexpr std::string_view no_step = "no step was completed";
  const std::optional<Throughput> throughput = throughput_of(run);
  values.number("job_tokens", throughput ? throughput->tokens : 0.0, "1",
                "tokens of the whole steps that training jobs completed");
  values.number("job_token_rate", throughput ? throughput->tokens_per_s : 0.0, "s-1",
                "these tokens divided by the time of the run");
  values.number("job_energy_per_token", throughput ? throughput->energy_per_token_j : no_number, "J",
                "energy of the IT equipment divided by these tokens");
  values.because(std::string(no_step));
  if (!facts.has_peak) return;
  values.number("job_mfu", throughput ? throughput->mfu_fraction : 0.0, "1",
                "model FLOP utilisation: FLOP of the model in these steps divided by the FLOP that the GPUs of the "
                "jobs could do");
}

/// What became of jobs that come and go.
void add_queue(const FinishedRun& run, FigureList& values) {
  const workload::JobQueue* queue = run.simulation.jobs().queue();
  if (queue == nullptr) return;
  const QueueFigures jobs = queue_figures(*queue, run.simulation.state());
  values.count("submitted_jobs", jobs.submitted, "jobs submitted up to the end");
  values.count("done_jobs", jobs.done, "jobs whose work is done");
  values.count("over_limit_jobs", jobs.over_limit, "jobs ended by their time limit");
  values.count("running_jobs", jobs.running, "at the end");
  values.count("waiting_jobs", jobs.waiting, "at the end");
  values.count("never_started_jobs", jobs.never_started, "jobs that wait at the end and had no nodes yet");
  values.count("stuck_jobs", jobs.stuck,
               "jobs that did not start and need more nodes or power than the hall could give them at the end");
  values.count("busy_nodes", jobs.busy_nodes, "nodes that have a job, at the end");
  values.number("job_node_time_ratio",
                job_figures(run.simulation.jobs(), run.simulation.state()).held_s / run.simulation.state().time_s, "1",
                "time for which nodes had a job, divided by the time of the run");
  values.number("mean_job_wait", jobs.has_waits ? jobs.mean_wait_s : no_number, "s",
                "time from submission to the first start, or to the end of the run if the job did not start");
  values.because("no job was submitted");
  values.number("p95_job_wait", jobs.has_waits ? jobs.p95_wait_s : no_number, "s",
                "95 % of the jobs waited no longer than this");
  values.because("no job was submitted");
  values.number("longest_job_wait", jobs.has_waits ? jobs.longest_wait_s : no_number, "s",
                "time from submission to the first start, or to the end of the run if the job did not start");
  values.because("no job was submitted");
  if (!run.statistics.jobs) return;
  values.number("job_energy", run.statistics.jobs->of_jobs_j(), "J",
                "energy of nodes at their AC inlets while they had a job");
  values.number("idle_node_energy", run.statistics.jobs->idle_j(), "J", "energy of nodes while they had no job");
}

/// The same losses in all: time of GPUs, over all jobs.
void add_gpu_times(const FinishedRun& run, const JobFigures& jobs, FigureList& values) {
  const double gpus = lost_gpus(run, jobs);
  values.number("job_slowed_gpu_time", gpus * jobs.lost.slowed_s, "s", "GPUs times job_slowed_time");
  values.number("job_shrunk_gpu_time", gpus * jobs.lost.shrunk_s, "s", "GPUs times job_shrunk_time");
  values.number("job_stopped_gpu_time", gpus * jobs.lost.stopped_s, "s", "GPUs times job_stopped_time");
  values.number("job_redone_gpu_time", gpus * jobs.lost.redone_s, "s", "GPUs times job_redone_time");
  if (run.simulation.jobs().has_shared_storage())
    values.number("job_storage_wait_gpu_time", gpus * jobs.lost.storage_wait_s, "s",
                  "GPUs times job_storage_wait_time");
}

}  // namespace

double lost_gpus(const FinishedRun& run, const JobFigures& jobs) {
  return run.simulation.jobs().queue() != nullptr ? static_cast<double>(run.plant.it.gpu_count()) : jobs.gpus;
}

std::optional<Throughput> throughput_of(const FinishedRun& run) {
  const JobFigures jobs = job_figures(run.simulation.jobs(), run.simulation.state());
  if (!jobs.is_any || !(jobs.tokens > 0.0)) return std::nullopt;
  return Throughput{.tokens = jobs.tokens,
                    .tokens_per_s = jobs.tokens / run.simulation.state().time_s,
                    .mfu_fraction = jobs.at_peak_s > 0.0 ? jobs.at_peak_s / jobs.held_s : 0.0,
                    .energy_per_token_j = it_energy_j(run.plant, run.metered_state()) / jobs.tokens};
}

void add_tests(const FinishedRun& run, FigureList& values) {
  const std::vector<workload::TestedNodes> tests = run.simulation.jobs().tests();
  if (tests.empty()) return;
  const TestFindings found = test_findings(run.plant, tests, run.simulation.state());
  values.text("burn_in", std::string(burn_in_word(found)), "passed, failed (there are outliers) or not finished");
  const auto add = [&](const std::string& what, bool is_over, const TestedItem& slowest, std::size_t outliers) {
    values.number("burn_in_slowest_" + what + "_time_ratio", is_over ? slowest.time_ratio : no_number, "1",
                  "longest time of an acceptance test of one " + what + ", divided by the median");
    values.because("its test has not ended");
    values.text("burn_in_slowest_" + what, is_over ? slowest.name : "", "the " + what + " that takes longest");
    values.count("burn_in_" + what + "_outliers", outliers, "beyond `outlier` of the test");
  };
  add("gpu", found.has_gpus, found.slowest_gpu, found.gpus.size());
  add("rack", found.has_gpus, found.slowest_rack, found.racks.size());
  add("node", found.has_nodes, found.slowest_node, found.nodes.size());
}

void add_jobs(const FinishedRun& run, FigureList& values) {
  const JobFigures jobs = job_figures(run.simulation.jobs(), run.simulation.state());
  if (!jobs.is_any) return;
  const double over_s = run.simulation.state().time_s;
  values.number("job_steps", jobs.steps, "1", "steps that training jobs completed");
  add_throughput(run, values);
  values.number(
      "job_effective_time_ratio", jobs.held_s > 0.0 ? jobs.gained_s / jobs.held_s : no_number, "1",
      "time that the completed work takes at full clock without stops, divided by the time for which jobs have nodes");
  values.number("job_goodput_ratio", jobs.gained_s > 0.0 ? jobs.gained_s / over_s : 0.0, "1",
                "time of the completed work divided by the time of the run; with a queue of jobs, of all nodes");
  values.number("job_checkpoint_time", jobs.saving_s, "s",
                "time for which GPUs waited for checkpoints of the completed work");
  values.number("job_slowed_time", jobs.lost.slowed_s, "s", "delay of training jobs by GPUs below full clock");
  values.number("job_shrunk_time", jobs.lost.shrunk_s, "s", "delay of elastic jobs by missing nodes");
  values.number("job_stopped_time", jobs.lost.stopped_s, "s",
                "time for which training jobs waited for lost nodes or restarted");
  values.number("job_redone_time", jobs.lost.redone_s, "s",
                "work of training jobs that was lost since their last checkpoint");
  if (run.simulation.jobs().has_shared_storage())
    values.number("job_storage_wait_time", jobs.lost.storage_wait_s, "s",
                  "time for which training jobs waited, in saves and restarts, for storage that other jobs used");
  add_gpu_times(run, jobs, values);
  values.count("failed_nodes",
               static_cast<std::size_t>(std::ranges::count(run.simulation.state().work.node_is, NodeIs::failed)),
               "nodes that failed and are still out of service at the end");
  values.count("job_stops", jobs.lost.stops, "number of times that training jobs stopped because a node was lost");
  add_queue(run, values);
}

}  // namespace wattloop::twin
