#include "twin/actions/jobs/queue_watch.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "core/numbers/series.hpp"
#include "core/text/count_text.hpp"
#include "core/units/units.hpp"
#include "twin/actions/weather/timeline.hpp"
#include "twin/actions/work/job_figures.hpp"
#include "twin/actions/work/node_states.hpp"

namespace wattloop::twin {

namespace {

using workload::JobClock;
using workload::JobRecord;
using workload::RunningJob;

constexpr double never_s = std::numeric_limits<double>::infinity();

workload::ClusterNodes cluster_nodes(const Plant& plant, const workload::JobQueue& queue) {
  workload::ClusterNodes nodes{.domain_of_node = queue.domain_of_node};
  for (std::size_t rack = 0; rack < plant.it.racks.size(); ++rack)
    nodes.rack_of_node.resize(nodes.rack_of_node.size() + plant.it.nodes_in(rack), static_cast<std::uint32_t>(rack));
  return nodes;
}

/// Marks that nodes have changed hands: equal marks, equal placements.
void stamp(PlantState& state) {
  constexpr std::uint64_t odd = 0x9E3779B97F4A7C15u;  // 2^64 over the golden ratio, of a multiplicative hash
  std::uint64_t& mark = state.work.queue.stamp;
  mark = (std::rotl(mark, 23) ^ std::bit_cast<std::uint64_t>(state.time_s)) * odd + 1;
}

/// Jobs that have nodes start at time zero.
void begin(workload::QueueState& queue) {
  for (RunningJob& running : queue.slots) {
    running.limit_s -= running.started_s;
    running.started_s = 0.0;
    queue.records[running.request].first_start_s = 0.0;
  }
}

}  // namespace

QueueWatch::QueueWatch(const Plant& plant, const NodeCouplings& couplings, const workload::JobQueue& queue)
    : plant_(plant),
      couplings_(couplings),
      queue_(queue),
      nodes_(cluster_nodes(plant, queue)),
      scheduler_(queue.jobs, nodes_, queue.scheduler) {}

const workload::SynchronousJob& QueueWatch::program_of(std::size_t slot, const PlantState& state) const {
  return *queue_.programs[state.work.queue.where.program_of_slot[slot]];
}

const std::string& QueueWatch::name_of(std::size_t slot, const PlantState& state) const {
  return queue_.jobs[state.work.queue.slots[slot].request].name;
}

void QueueWatch::prepare(PlantState& state) const {
  if (state.work.queue.records.size() == queue_.jobs.size() && !state.work.queue.where.is_fixed()) return;
  state.work.queue = scheduler_.at_begin();
  if (queue_.spare_nodes > 0) {
    std::vector<std::uint8_t>& is_spare = state.work.queue.is_spare;
    is_spare.assign(plant_.it.node_count(), 0);
    std::fill_n(is_spare.rbegin(), std::min(queue_.spare_nodes, is_spare.size()), std::uint8_t{1});
  }
  state.work.job_clocks.clear();
  state.work.jobs.clear();
  if (queue_.failures) state.work.queue.failures = queue_.failures->at_begin();
  std::vector<EventRecord> nobody_hears;
  start_jobs(-queue_.scheduler.interval_s, state, nobody_hears);
  begin(state.work.queue);
  for (JobClock& clock : state.work.job_clocks) clock.since_s = 0.0;  // before zero, too
}

bool QueueWatch::act(PlantState& state, std::vector<EventRecord>& events) const {
  if (state.time_s < 0.0) return false;
  bool has_changed = end_jobs(state, events);
  const auto at_work = static_cast<std::uint32_t>(std::ranges::count(state.work.node_is, NodeIs::at_work));
  if (at_work != state.work.queue.nodes_at_work) state.work.queue.is_due = true;
  state.work.queue.nodes_at_work = at_work;
  if (is_multiple(state.time_s, queue_.scheduler.interval_s) &&
      scheduler_.next_decision_s(state.work.queue, state.time_s - queue_.scheduler.interval_s) <= state.time_s)
    has_changed = start_jobs(state.time_s, state, events) || has_changed;
  if (has_changed) end_jobs(state, events);  // that have nothing to do
  return has_changed;
}

QueueWatch::Ending QueueWatch::ending_of(std::size_t slot, const PlantState& state) const {
  const RunningJob& running = state.work.queue.slots[slot];
  if (running.request == RunningJob::no_job) return {never_s, false};
  const double done_s =
      workload::end_s(program_of(slot, state), state.work.job_clocks[slot], queue_.jobs[running.request].run_time_s);
  return {std::min(done_s, running.limit_s), done_s <= running.limit_s};
}

bool QueueWatch::end_jobs(PlantState& state, std::vector<EventRecord>& events) const {
  workload::QueueState& queue = state.work.queue;
  bool has_ended = false;
  for (std::size_t slot = 0; slot < queue.slots.size(); ++slot) {
    const Ending ending = ending_of(slot, state);
    if (ending.at_s > state.time_s + boundary_slack_s) continue;
    has_ended = true;
    leave(queue.slots[slot], slot, ending.is_done, state);
    if (ending.is_done) {
      events.push_back({state.time_s, "job_ended", name_of(slot, state), "its work is done"});
    } else {
      events.push_back({state.time_s, "job_over_limit", name_of(slot, state),
                        fmt::format("ended by its time limit, {} of {} done",
                                    format_quantity(queue.records[queue.slots[slot].request].saved_s, "s"),
                                    format_quantity(queue_.jobs[queue.slots[slot].request].run_time_s, "s"))});
    }
    const auto why = ending.is_done ? workload::JobIs::done : workload::JobIs::over_limit;
    scheduler_.end(queue, static_cast<std::uint32_t>(slot), state.time_s, why);
  }
  if (has_ended) {
    stamp(state);
    wake_nodes(state);
  }
  return has_ended;
}

/// Nodes that were idle because an elastic job went on without them are at work again for whoever has them now.
void QueueWatch::wake_nodes(PlantState& state) const {
  const std::vector<std::uint32_t>& slots = state.work.queue.where.slot_of_node;
  for (std::size_t node = 0; node < slots.size(); ++node) {
    if (state.work.node_is[node] != NodeIs::idle) continue;
    const bool is_free = slots[node] == workload::Placement::free_node;
    const bool waits = !is_free && !state.work.jobs[slots[node] - 1].is_member.empty() &&
                       state.work.jobs[slots[node] - 1].is_member[node] == 0;
    if (!waits) put_node(plant_, couplings_, node, NodeIs::at_work, state);
  }
}

/// Writes down what a job has done that leaves its nodes; unless it is done, what it has not saved is lost.
void QueueWatch::leave(const RunningJob& running, std::size_t slot, bool is_done, PlantState& state) const {
  JobRecord& record = state.work.queue.records[running.request];
  const workload::SynchronousJob& program = *queue_.programs[queue_.jobs[running.request].program];
  const JobStint stint = stint_of(program, {slot, running.started_s, record.saved_s, is_done}, state);
  record.lost += stint.lost;
  record.saved_s = stint.gained_s;
  record.steps = stint.steps;
  record.saving_s = stint.saving_s;
}

void QueueWatch::requeue(std::size_t slot, const std::string& why, PlantState& state,
                         std::vector<EventRecord>& events) const {
  const std::string name = name_of(slot, state);
  leave(state.work.queue.slots[slot], slot, false, state);
  const double saved_s = state.work.queue.records[state.work.queue.slots[slot].request].saved_s;
  scheduler_.requeue(state.work.queue, static_cast<std::uint32_t>(slot), state.time_s, saved_s);
  events.push_back({state.time_s, "job_requeued", name, why});
  stamp(state);
  wake_nodes(state);
}

/// Hottest die of each node, where the coolest are to be found.
std::vector<double> QueueWatch::node_ranks(const PlantState& state) const {
  std::vector<double> ranks;
  if (queue_.scheduler.placement != workload::PlacementPolicy::coolest) return ranks;
  for (std::size_t rack = 0; rack < plant_.it.racks.size(); ++rack) {
    const std::size_t gpus = plant_.it.group_of(rack).gpus_per_node, first = plant_.it.racks[rack].first_gpu;
    for (std::size_t node = 0; node < plant_.it.nodes_in(rack); ++node) {
      double hottest_k = 0.0;
      for (std::size_t gpu = first + node * gpus; gpu < first + (node + 1) * gpus; ++gpu)
        hottest_k = std::max(hottest_k, state.states[die_slot(plant_, gpu)]);
      ranks.push_back(hottest_k);
    }
  }
  return ranks;
}

/// [node] Whether a job could start on it, were it free.
std::vector<std::uint8_t> QueueWatch::available_nodes(const PlantState& state) const {
  const std::vector<std::uint8_t>& is_spare = state.work.queue.is_spare;
  std::vector<std::uint8_t> is_available(plant_.it.node_count());
  for (std::size_t node = 0; node < is_available.size(); ++node) {
    const bool works = state.work.node_is[node] == NodeIs::at_work || state.work.node_is[node] == NodeIs::idle;
    const bool is_kept = !is_spare.empty() && is_spare[node] != 0;
    is_available[node] = works && !is_kept && is_on_fabric(state, node) ? 1 : 0;
  }
  for (const FlagOverride& order : state.equipment.orders) {
    if (order.flag == FlagOverride::Flag::node_drained && order.value() != 0) is_available[order.part] = 0;
  }
  return is_available;
}

std::string QueueWatch::replace(std::size_t slot, const std::vector<std::size_t>& lost, bool is_elastic,
                                PlantState& state) const {
  workload::QueueState& queue = state.work.queue;
  const bool may_take_any = is_elastic && queue.waiting.empty() && queue_.scheduler.reservations.empty();
  std::vector<std::uint8_t>& is_spare = queue.is_spare;
  const auto is_kept = [&](std::size_t node) { return !is_spare.empty() && is_spare[node] != 0; };
  const std::vector<std::uint8_t> is_available = may_take_any ? available_nodes(state) : std::vector<std::uint8_t>{};
  std::vector<std::size_t> found;
  for (const bool is_of_spares : {true, false}) {
    for (std::size_t node = 0; node < queue.where.slot_of_node.size() && found.size() < lost.size(); ++node) {
      const bool works = state.work.node_is[node] == NodeIs::at_work && is_on_fabric(state, node);
      if (queue.where.slot_of_node[node] != workload::Placement::free_node || !works) continue;
      if (is_of_spares ? is_kept(node) : may_take_any && is_available[node] != 0) found.push_back(node);
    }
  }
  if (!is_elastic && found.size() < lost.size()) return {};
  std::vector<std::uint8_t>& is_member = state.work.jobs[slot].is_member;
  for (std::size_t k = 0; k < found.size(); ++k) {
    queue.where.slot_of_node[lost[k]] = workload::Placement::free_node;
    queue.where.slot_of_node[found[k]] = static_cast<std::uint32_t>(slot) + 1;
    if (!is_spare.empty()) is_spare[lost[k]] = std::exchange(is_spare[found[k]], 0);
    if (!is_member.empty()) is_member[found[k]] = std::exchange(is_member[lost[k]], 0);
  }
  if (found.empty()) return {};
  stamp(state);
  queue.is_due = true;
  std::size_t left = 0;
  for (std::size_t node = 0; node < is_spare.size(); ++node)
    left += is_kept(node) && state.work.node_is[node] == NodeIs::at_work ? 1 : 0;
  return fmt::format("{} take{} over, {} left", found.size(), found.size() == 1 ? "s" : "", left);
}

bool QueueWatch::start_jobs(double now_s, PlantState& state, std::vector<EventRecord>& events) const {
  workload::QueueState& queue = state.work.queue;
  const std::vector<std::uint8_t> is_available = available_nodes(state);
  const std::vector<double> ranks = node_ranks(state), free_w = workload::free_power_w(queue_, queue);
  const std::vector<RunningJob> before = queue.slots;
  const auto changes =
      scheduler_.decide(queue, now_s, {.is_available = is_available, .node_rank = ranks, .free_power_w = free_w});
  if (changes.empty()) return false;
  state.work.job_clocks.resize(queue.slots.size());
  state.work.jobs.resize(queue.slots.size());
  for (const workload::Scheduler::Change& change : changes) {
    if (!change.is_preempted) {
      start(change.slot, now_s, state);
      events.push_back({now_s, "job_started", queue_.jobs[change.request].name, started_text(change.request, state)});
      continue;
    }
    leave(before[change.slot], change.slot, false, state);
    events.push_back({state.time_s, "job_requeued", queue_.jobs[change.request].name, "for a job of higher priority"});
  }
  stamp(state);
  wake_nodes(state);
  return true;
}

/// "on 16 nodes, waited 3 min".
std::string QueueWatch::started_text(std::uint32_t request, const PlantState& state) const {
  const workload::JobRequest& job = queue_.jobs[request];
  const std::string nodes = "on " + count_text(job.nodes, "node");
  if (state.work.queue.records[request].starts > 1) return nodes + ", again";
  const double wait_s = state.time_s - std::max(job.submit_s, 0.0);
  if (!(wait_s > 0.0)) return nodes;
  return fmt::format("{}, waited {}", nodes, waits_text(waits_of(queue_, request, state)));
}

void QueueWatch::start(std::size_t slot, double now_s, PlantState& state) const {
  const workload::SynchronousJob& program = program_of(slot, state);
  const JobRecord& record = state.work.queue.records[state.work.queue.slots[slot].request];
  JobClock& clock = state.work.job_clocks[slot];
  workload::JobMemory& memory = state.work.jobs[slot];
  memory = {};
  clock = {JobClock::Is::running, now_s, 0.0, 1.0};
  if (record.starts < 2) return;
  clock = {JobClock::Is::idle, now_s, record.saved_s, 1.0};
  memory.stopped_s = now_s;
  memory.due_s = now_s + program.restart_s();
  memory.is_restarting = true;
  workload::advance(program, clock, memory, now_s, false);
}

double QueueWatch::next_s(const PlantState& state) const {
  if (state.time_s < 0.0) return never_s;
  double next_s = scheduler_.next_decision_s(state.work.queue, state.time_s);
  for (std::size_t slot = 0; slot < state.work.queue.slots.size(); ++slot) {
    const double end_s = ending_of(slot, state).at_s;
    if (end_s > state.time_s) next_s = std::min(next_s, end_s);
  }
  return next_s;
}

}  // namespace wattloop::twin
