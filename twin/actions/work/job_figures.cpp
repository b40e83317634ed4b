#include "twin/actions/work/job_figures.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include "core/units/units.hpp"
#include "workload/queue/node_supply.hpp"

namespace wattloop::twin {

namespace {

/// Adds what `nodes` of a job did, or GPUs.
void add(const workload::SynchronousJob& program, const JobStint& stint, double held_s, double nodes, JobFigures& sum) {
  const auto known = [](double value) { return value > 0.0 ? value : std::numeric_limits<double>::quiet_NaN(); };
  sum.steps += stint.steps;
  if (held_s > 0.0) {
    sum.tokens += known(program.tokens_per_step()) * stint.steps;
    sum.at_peak_s += nodes * known(program.step_at_peak_s()) * stint.steps;
  }
  sum.held_s += nodes * held_s;
  sum.gained_s += nodes * stint.gained_s;
  sum.saving_s += nodes * stint.saving_s;
  sum.lost.slowed_s += nodes * stint.lost.slowed_s;
  sum.lost.shrunk_s += nodes * stint.lost.shrunk_s;
  sum.lost.stopped_s += nodes * stint.lost.stopped_s;
  sum.lost.redone_s += nodes * stint.lost.redone_s;
  sum.lost.storage_wait_s += nodes * stint.lost.storage_wait_s;
  sum.lost.stops += stint.lost.stops;
}

void divide(double by, JobFigures& sum) {
  for (double* value : {&sum.held_s, &sum.at_peak_s, &sum.gained_s, &sum.saving_s, &sum.lost.slowed_s,
                        &sum.lost.shrunk_s, &sum.lost.stopped_s, &sum.lost.redone_s, &sum.lost.storage_wait_s})
    *value /= by;
}

JobFigures figures_of_queue(const workload::JobQueue& queue, const PlantState& state) {
  JobFigures sum{.is_any = true};
  const std::vector<JobTally> tallies = tallies_of(queue, state);
  for (std::size_t job = 0; job < tallies.size(); ++job)
    add(*queue.programs[queue.jobs[job].program], tallies[job].stint, tallies[job].held_s,
        static_cast<double>(queue.jobs[job].nodes), sum);
  divide(static_cast<double>(state.work.queue.where.slot_of_node.size()), sum);
  return sum;
}

}  // namespace

JobStint stint_of(const workload::SynchronousJob& program, const JobStart& job, const PlantState& state) {
  const workload::JobClock& clock = state.work.job_clocks[job.number];
  const workload::JobMemory& memory = state.work.jobs[job.number];
  const bool is_stopped = std::isfinite(memory.stopped_s);
  const workload::JobProgress reached = program.progress(clock, state.time_s);
  const workload::JobProgress kept = is_stopped || !job.keeps_all
                                         ? program.progress(program.from_checkpoint(clock, state.time_s), state.time_s)
                                         : reached;
  JobStint stint{.steps = kept.steps, .gained_s = kept.gained_s, .saving_s = kept.saving_s};
  stint.lost.redone_s = memory.redone_s + (reached.gained_s - kept.gained_s);
  stint.lost.stopped_s = workload::stopped_s(memory, state.time_s);
  stint.lost.storage_wait_s = workload::storage_wait_s(program, clock, memory, state.time_s);
  stint.lost.shrunk_s = workload::shrunk_s(program, clock, memory, state.time_s);
  stint.lost.stops = memory.stops;
  const double elapsed_s = state.time_s - job.started_s, gained_s = kept.gained_s - job.saved_s;
  stint.lost.slowed_s = std::max(0.0, elapsed_s - stint.lost.stopped_s - stint.lost.redone_s - stint.lost.shrunk_s -
                                          stint.lost.storage_wait_s - gained_s);
  return stint;
}

std::vector<JobTally> tallies_of(const workload::JobQueue& queue, const PlantState& state) {
  const workload::QueueState& now = state.work.queue;
  std::vector<JobTally> tallies;
  for (std::size_t job = 0; job < now.records.size(); ++job) {
    const workload::JobRecord& record = now.records[job];
    tallies.push_back({{record.steps, record.saved_s, record.saving_s, record.lost},
                       record.node_time_s / static_cast<double>(queue.jobs[job].nodes)});
  }
  for (std::size_t slot = 0; slot < now.slots.size(); ++slot) {
    const workload::RunningJob& running = now.slots[slot];
    if (running.request == workload::RunningJob::no_job) continue;
    JobTally& tally = tallies[running.request];
    const workload::SynchronousJob& program = *queue.programs[queue.jobs[running.request].program];
    const JobStint since = stint_of(program, {slot, running.started_s, tally.stint.gained_s}, state);
    tally.held_s += state.time_s - running.started_s;
    tally.stint.lost += since.lost;
    tally.stint.steps = since.steps;
    tally.stint.gained_s = since.gained_s;
    tally.stint.saving_s = since.saving_s;
  }
  return tallies;
}

StepFacts step_facts(const JobRacks& racks) {
  const std::vector<const workload::SynchronousJob*> programs = racks.programs();
  StepFacts facts{.has_tokens = !programs.empty(), .has_peak = !programs.empty()};
  for (const workload::SynchronousJob* program : programs) {
    const double step_s = program->step_s();
    if (step_s > 0.0) facts.shortest_s = facts.shortest_s > 0.0 ? std::min(facts.shortest_s, step_s) : step_s;
    facts.has_tokens = facts.has_tokens && program->tokens_per_step() > 0.0;
    facts.has_peak = facts.has_peak && program->step_at_peak_s() > 0.0;
  }
  return facts;
}

JobFigures job_figures(const JobRacks& racks, const PlantState& state) {
  if (racks.queue() != nullptr && !state.work.queue.where.is_fixed()) return figures_of_queue(*racks.queue(), state);
  JobFigures sum{.is_any = racks.has_any()};
  if (state.work.job_clocks.empty()) return sum;  // of a run that has not begun
  for (const JobRacks::Job& job : racks.jobs_in(state)) {
    const auto of_gpus = static_cast<double>(job.gpus);
    add(*job.program, stint_of(*job.program, {job.number}, state), state.time_s, of_gpus, sum);
    sum.gpus += of_gpus;
  }
  if (sum.is_any) divide(sum.gpus, sum);
  return sum;
}

workload::JobIs state_of(const workload::JobQueue& queue, std::size_t job, const PlantState& state) {
  const workload::JobIs is = state.work.queue.records[job].is;
  const bool is_submitted = queue.jobs[job].submit_s <= state.time_s;
  return is == workload::JobIs::to_come && is_submitted ? workload::JobIs::waiting : is;
}

NodesForJobs nodes_for_jobs(const workload::JobQueue& queue, const PlantState& state) {
  const workload::QueueState& now = state.work.queue;
  std::vector<std::uint8_t> is_available;
  for (const NodeIs is : state.work.node_is)
    is_available.push_back(is == NodeIs::at_work || is == NodeIs::idle ? 1 : 0);
  for (std::size_t node = 0; node < now.is_spare.size(); ++node) {
    if (now.is_spare[node] != 0) is_available[node] = 0;
  }
  for (const FlagOverride& order : state.equipment.orders) {
    if (order.flag == FlagOverride::Flag::node_drained && order.value() != 0) is_available[order.part] = 0;
  }
  const std::size_t domains = std::max<std::size_t>(1, queue.domains.size());
  NodesForJobs nodes{.in_domain = std::vector<std::size_t>(domains),
                     .free_in_domain = std::vector<std::size_t>(domains),
                     .free_w = workload::free_power_w(queue, now)};
  for (std::size_t node = 0; node < is_available.size(); ++node) {
    if (is_available[node] == 0) continue;
    const std::size_t domain = queue.domain_of_node.empty() ? 0 : queue.domain_of_node[node];
    const bool is_free = now.where.slot_of_node[node] == workload::Placement::free_node;
    ++nodes.in_all;
    ++nodes.in_domain[domain];
    nodes.free += is_free ? 1 : 0;
    nodes.free_in_domain[domain] += is_free ? 1 : 0;
  }
  return nodes;
}

bool is_stuck(const workload::JobQueue& queue, std::size_t job, const NodesForJobs& nodes) {
  std::vector<double> budget_w;
  for (const workload::PowerDomain& domain : queue.domains) budget_w.push_back(domain.budget_w);
  return workload::powered_nodes(nodes.in_domain, budget_w, queue.jobs[job]) < queue.jobs[job].nodes;
}

std::vector<JobWait> waits_of(const workload::JobQueue& queue, std::size_t job, const PlantState& state) {
  const workload::JobRecord& record = state.work.queue.records[job];
  std::array<double, workload::wait_reasons> waited_s = record.waited_s;
  if (std::isnan(record.first_start_s) && state_of(queue, job, state) == workload::JobIs::waiting) {
    const double since_s = record.is == workload::JobIs::to_come ? queue.jobs[job].submit_s : record.waits_since_s;
    waited_s.at(static_cast<std::size_t>(record.waits_for)) += std::max(0.0, state.time_s - std::max(0.0, since_s));
  }
  std::vector<JobWait> waits;
  for (std::size_t reason = 0; reason < waited_s.size(); ++reason) {
    if (waited_s.at(reason) > 0.0) waits.push_back({static_cast<workload::WaitsFor>(reason), waited_s.at(reason)});
  }
  std::ranges::stable_sort(waits, std::greater{}, &JobWait::time_s);
  return waits;
}

std::string waits_text(std::span<const JobWait> waits) {
  static constexpr std::array<const char*, workload::wait_reasons> words{
      "the next decision",       "nodes",         "nodes that are reserved", "power of the budget",
      "jobs of higher priority", "jobs before it"};
  std::string text;
  for (const JobWait& wait : waits) {
    text += fmt::format("{}{} for {}", text.empty() ? "" : ", ", format_quantity(wait.time_s, "s"),
                        words.at(static_cast<std::size_t>(wait.reason)));
  }
  return text;
}

QueueFigures queue_figures(const workload::JobQueue& queue, const PlantState& state) {
  QueueFigures sum;
  const workload::QueueState& now = state.work.queue;
  std::vector<double> waits_s;
  const NodesForJobs nodes = now.where.is_fixed() ? NodesForJobs{} : nodes_for_jobs(queue, state);
  for (std::size_t job = 0; job < now.records.size(); ++job) {
    const workload::JobRecord& record = now.records[job];
    const bool waits = state_of(queue, job, state) == workload::JobIs::waiting;
    sum.submitted += state_of(queue, job, state) == workload::JobIs::to_come ? 0 : 1;
    sum.waiting += waits ? 1 : 0;
    sum.running += record.is == workload::JobIs::running ? 1 : 0;
    sum.done += record.is == workload::JobIs::done ? 1 : 0;
    sum.over_limit += record.is == workload::JobIs::over_limit ? 1 : 0;
    const double submit_s = std::max(queue.jobs[job].submit_s, 0.0);
    const bool has_started = !std::isnan(record.first_start_s);
    const double until_s = has_started ? record.first_start_s : state.time_s;
    if (has_started || waits) waits_s.push_back(std::max(0.0, until_s - submit_s));
    sum.never_started += !has_started && waits ? 1 : 0;
    sum.stuck += !has_started && waits && is_stuck(queue, job, nodes) ? 1 : 0;
  }
  sum.busy_nodes = now.where.slot_of_node.size() -
                   static_cast<std::size_t>(std::ranges::count(now.where.slot_of_node, workload::Placement::free_node));
  sum.has_waits = !waits_s.empty();
  if (!sum.has_waits) return sum;
  constexpr double most_share = 0.95;
  std::ranges::sort(waits_s);
  const auto count = static_cast<double>(waits_s.size());
  for (const double wait_s : waits_s) sum.mean_wait_s += wait_s / count;
  sum.p95_wait_s = waits_s[static_cast<std::size_t>(std::ceil(most_share * count)) - 1];
  sum.longest_wait_s = waits_s.back();
  return sum;
}

}  // namespace wattloop::twin
