#include "workload/queue/queue_run.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "workload/queue/decision_times.hpp"

namespace wattloop::workload {

namespace {

constexpr double never = std::numeric_limits<double>::infinity();

double first_of(const std::vector<double>& times_s) {
  return times_s.empty() ? never : *std::ranges::min_element(times_s);
}

void note_busy(QueueRunState& state) {
  std::size_t nodes = 0;
  for (const RunningJob& job : state.queue.slots) nodes += job.nodes;
  if (state.busy.back().nodes == nodes) return;
  if (state.busy.back().from_s == state.now_s) {
    state.busy.back().nodes = nodes;
  } else {
    state.busy.push_back({state.now_s, nodes});
  }
}

}  // namespace

QueueRun::QueueRun(const JobList& jobs, const ClusterNodes& nodes, const SchedulerParams& scheduler,
                   QueueRunParams params)
    : jobs_(jobs),
      nodes_(nodes),
      interval_s_(scheduler.interval_s),
      scheduler_(jobs, nodes, scheduler),
      params_(std::move(params)) {}

QueueRunState QueueRun::at_begin() const {
  QueueRunState state{.now_s = std::nextafter(0.0, -1.0), .queue = scheduler_.at_begin()};
  state.redone_node_time_s.resize(jobs_.size());
  if (params_.failures != nullptr) {
    state.back_s.assign(nodes_.rack_of_node.size(), never);
    state.failures = params_.failures->at_begin();
  }
  state.busy.push_back({0.0, 0});
  return state;
}

double QueueRun::next_s(const QueueRunState& state) const {
  const double end_s = first_of(state.end_s), back_s = first_of(state.back_s);
  const double next_s =
      std::min({end_s, back_s, first_of(state.grows_s), scheduler_.next_decision_s(state.queue, state.now_s)});
  const bool is_idle =
      std::ranges::all_of(state.queue.slots, [](const RunningJob& job) { return job.request == RunningJob::no_job; });
  if (params_.failures == nullptr || (is_idle && std::isinf(next_s))) return next_s;
  return std::min(next_s, params_.failures->next_s(state.failures));
}

void QueueRun::advance(QueueRunState& state, double until_s) const {
  for (double at_s = next_s(state); at_s <= until_s && !std::isinf(at_s); at_s = next_s(state)) {
    state.now_s = at_s;
    end_jobs(state);
    if (params_.failures != nullptr) {
      fail_nodes(state);
      repair_nodes(state);
      grow_jobs(state);
    }
    if (decision_until_s(interval_s_, at_s) == at_s) decide(state);
    note_busy(state);
  }
  if (!std::isinf(until_s)) state.now_s = std::max(state.now_s, until_s);
}

void QueueRun::end_jobs(QueueRunState& state) const {
  for (std::uint32_t slot = 0; slot < state.end_s.size(); ++slot) {
    if (state.end_s[slot] > state.now_s) continue;
    const std::uint32_t request = state.queue.slots[slot].request;
    const double left_s = (jobs_[request].run_time_s - state.begun_s[slot]) / state.share_fraction[slot];
    const bool is_done = state.started_s[slot] + left_s <= state.queue.slots[slot].limit_s;
    scheduler_.end(state.queue, slot, state.now_s, is_done ? JobIs::done : JobIs::over_limit);
    state.end_s[slot] = state.grows_s[slot] = never;
  }
}

/// Work of the job of a slot that it goes on from, and what it has to do again.
void QueueRun::save(QueueRunState& state, std::uint32_t request, std::uint32_t slot) const {
  JobRecord& record = state.queue.records[request];
  const double work_s = this->work_s(state, slot);
  const double step_s = params_.checkpoint_interval_s;
  const double saved_s = step_s == 0.0 ? work_s : std::isinf(step_s) ? 0.0 : std::floor(work_s / step_s) * step_s;
  record.saved_s = std::max(record.saved_s, saved_s);
  state.redone_node_time_s[request] += static_cast<double>(jobs_[request].nodes) * (work_s - record.saved_s);
  state.end_s[slot] = state.grows_s[slot] = never;
}

double QueueRun::work_s(const QueueRunState& state, std::uint32_t slot) const {
  return state.begun_s[slot] + (state.now_s - state.started_s[slot]) * state.share_fraction[slot];
}

/// From what it has saved, with a share of its nodes.
void QueueRun::begin(QueueRunState& state, std::uint32_t slot, double share_fraction) const {
  const std::uint32_t request = state.queue.slots[slot].request;
  state.begun_s[slot] = state.queue.records[request].saved_s;
  state.started_s[slot] = state.now_s;
  state.share_fraction[slot] = share_fraction;
  const double done_s = state.now_s + (jobs_[request].run_time_s - state.begun_s[slot]) / share_fraction;
  state.end_s[slot] = std::min(done_s, state.queue.slots[slot].limit_s);
}

/// Nodes of its job that have not failed.
std::size_t QueueRun::working_nodes(const QueueRunState& state, std::uint32_t slot) const {
  std::size_t nodes = 0;
  for (std::size_t node = 0; node < state.back_s.size(); ++node)
    nodes += state.queue.where.slot_of_node[node] == slot + 1 && state.back_s[node] == never ? 1 : 0;
  return nodes;
}

/// An elastic job with enough nodes left goes on from what it has saved.
bool QueueRun::goes_on_with_fewer(QueueRunState& state, std::uint32_t slot) const {
  const std::uint32_t request = state.queue.slots[slot].request;
  const std::size_t least = jobs_[request].least_nodes, left = working_nodes(state, slot);
  if (least == 0 || left < std::max<std::size_t>(least, 1)) return false;
  save(state, request, slot);
  begin(state, slot, static_cast<double>(left) / static_cast<double>(jobs_[request].nodes));
  return true;
}

/// Jobs that have just saved go on with the nodes that are back.
void QueueRun::grow_jobs(QueueRunState& state) const {
  const double step_s = params_.checkpoint_interval_s;
  for (std::uint32_t slot = 0; slot < state.grows_s.size(); ++slot) {
    if (state.grows_s[slot] > state.now_s) continue;
    JobRecord& record = state.queue.records[state.queue.slots[slot].request];
    const double done_s = work_s(state, slot);
    record.saved_s = step_s == 0.0 ? done_s : std::max(record.saved_s, std::round(done_s / step_s) * step_s);
    state.grows_s[slot] = never;
    begin(state, slot, static_cast<double>(working_nodes(state, slot)) / state.queue.slots[slot].nodes);
  }
}

void QueueRun::fail_nodes(QueueRunState& state) const {
  while (params_.failures->next_s(state.failures) <= state.now_s) {
    const FailureProcess::Failure failure = params_.failures->take_next(state.failures);
    const std::size_t node = failure.gpu / params_.gpus_per_node;
    const bool is_out = state.back_s[node] != never;
    if (params_.failures->params().kinds[failure.kind].takes_node && !is_out) {
      state.back_s[node] = state.now_s + params_.failures->params().repair_s;
      state.queue.is_due = true;  // the head may be passed now
    }
    const std::uint32_t of_node = state.queue.where.slot_of_node[node];
    if (of_node == Placement::free_node || is_out) continue;
    if (goes_on_with_fewer(state, of_node - 1)) continue;
    const std::uint32_t request = state.queue.slots[of_node - 1].request;
    save(state, request, of_node - 1);
    scheduler_.requeue(state.queue, of_node - 1, state.now_s, state.queue.records[request].saved_s);
  }
}

void QueueRun::repair_nodes(QueueRunState& state) const {
  for (std::size_t node = 0; node < state.back_s.size(); ++node) {
    if (state.back_s[node] > state.now_s) continue;
    state.back_s[node] = never;
    state.queue.is_due = true;
    const std::uint32_t of_node = state.queue.where.slot_of_node[node];
    if (of_node == Placement::free_node) continue;
    const std::uint32_t slot = of_node - 1;
    const double step_s = params_.checkpoint_interval_s, done_s = work_s(state, slot);
    const double saved_s = step_s == 0.0 || std::isinf(step_s) ? done_s : (std::floor(done_s / step_s) + 1.0) * step_s;
    const double wait_s = (saved_s - done_s) / state.share_fraction[slot];
    state.grows_s[slot] = std::isinf(step_s) ? never : std::min(state.grows_s[slot], state.now_s + wait_s);
  }
}

std::vector<std::uint8_t> QueueRun::available(const QueueRunState& state) const {
  std::vector<std::uint8_t> is_available = params_.is_in_service;
  if (state.back_s.empty()) return is_available;
  is_available.resize(state.back_s.size(), 1);
  for (std::size_t node = 0; node < state.back_s.size(); ++node) {
    if (state.back_s[node] != never) is_available[node] = 0;
  }
  return is_available;
}

std::vector<double> QueueRun::free_power_w(const QueueState& queue) const {
  std::vector<double> free_w = params_.budget_w;
  if (free_w.empty()) return free_w;
  for (std::size_t node = 0; node < queue.where.slot_of_node.size(); ++node) {
    const std::uint32_t slot = queue.where.slot_of_node[node];
    if (slot == Placement::free_node) continue;
    const std::size_t domain = nodes_.domain_of_node.empty() ? 0 : nodes_.domain_of_node[node];
    free_w[domain] -= jobs_[queue.slots[slot - 1].request].node_power_w;
  }
  return free_w;
}

void QueueRun::decide(QueueRunState& state) const {
  const std::vector<std::uint8_t> is_available = available(state);
  const std::vector<double> free_w = free_power_w(state.queue);
  const ClusterNow now{.is_available = is_available, .node_rank = params_.node_rank, .free_power_w = free_w};
  for (const Scheduler::Change& change : scheduler_.decide(state.queue, state.now_s, now)) {
    if (change.is_preempted) {
      save(state, change.request, change.slot);
      continue;
    }
    state.started_s.resize(state.queue.slots.size());
    state.begun_s.resize(state.queue.slots.size());
    state.share_fraction.resize(state.queue.slots.size(), 1.0);
    state.end_s.resize(state.queue.slots.size(), never);
    state.grows_s.resize(state.queue.slots.size(), never);
    begin(state, change.slot, 1.0);
  }
}

}  // namespace wattloop::workload
