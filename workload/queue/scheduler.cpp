#include "workload/queue/scheduler.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>
#include <utility>

#include "workload/queue/backfill.hpp"
#include "workload/queue/decision_times.hpp"
#include "workload/queue/job_moves.hpp"
#include "workload/queue/preemption.hpp"

namespace wattloop::workload {

namespace {

constexpr double never = std::numeric_limits<double>::infinity();

/// A look through the queue.
class Decision {
 public:
  using Change = Scheduler::Change;

  Decision(const JobList& jobs, const ClusterNodes& nodes, const SchedulerParams& params, NodeSupply supply,
           const ClusterNow& now, QueueState& queue)
      : jobs_(jobs), nodes_(nodes), params_(params), supply_(std::move(supply)), now_(now), queue_(queue) {}

  std::vector<Change> changes() {
    for (const std::uint32_t request : queue_.waiting) {
      if (blocked_ && (params_.policy == QueuePolicy::first_come || supply_.free_nodes() == 0)) break;
      if (blocked_) {
        backfill(request);
      } else if (!starts(request) && !preempts_for(request) && can_start_later(request)) {
        blocked_ = request;
      }
    }
    note_waits();
    if (!started_.empty()) {
      std::erase_if(queue_.waiting,
                    [&](std::uint32_t request) { return queue_.records[request].is != JobIs::waiting; });
    }
    for (const Change& change : preempted_) enqueue(queue_, jobs_, change.request);
    // Those that gave way look for nodes again; and where nodes differ, fewer free ones may be others for a job.
    queue_.is_due = !preempted_.empty() || (!started_.empty() && !supply_.is_plain());
    preempted_.insert(preempted_.end(), started_.begin(), started_.end());
    return preempted_;
  }

 private:
  std::vector<std::uint32_t> nodes_for(std::uint32_t request) const {
    const JobRequest& job = jobs_[request];
    if (job.nodes > supply_.most_of(job)) return {};
    const PlacementAsk ask{.policy = params_.placement,
                           .nodes = job.nodes,
                           .node_rank = now_.node_rank,
                           .budget = {supply_.free_power_w(), job.node_power_w}};
    return place(nodes_, ask, supply_.candidates(request));
  }

  void start(std::uint32_t request, const std::vector<std::uint32_t>& nodes) {
    supply_.take(request, nodes);
    started_.push_back({request, give_nodes(queue_, jobs_, request, nodes, supply_.now_s()), false});
  }

  bool starts(std::uint32_t request) {
    const std::vector<std::uint32_t> nodes = nodes_for(request);
    if (!nodes.empty()) start(request, nodes);
    return !nodes.empty();
  }

  bool preempts_for(std::uint32_t request) {
    const std::vector<std::uint32_t> slots = slots_to_preempt(jobs_, queue_, supply_, request);
    for (const std::uint32_t slot : slots) {
      std::vector<std::uint32_t> nodes;
      for (std::uint32_t node = 0; node < queue_.where.slot_of_node.size(); ++node) {
        if (queue_.where.slot_of_node[node] == slot + 1) nodes.push_back(node);
      }
      const std::uint32_t other = take_nodes(queue_, slot, supply_.now_s());
      supply_.give_back(other, nodes);
      preempted_.push_back({other, slot, true});
    }
    return !slots.empty() && starts(request);
  }

  /// If all jobs that can end had ended. One that could not even then is passed by all others.
  bool can_start_later(std::uint32_t request) const {
    return supply_.at(request, never).of_job(jobs_[request]) >= jobs_[request].nodes;
  }

  /// What a job that was not started has too little of.
  WaitsFor reason_of(std::uint32_t request) const {
    const JobRequest& job = jobs_[request];
    if (job.nodes > supply_.free_nodes()) return WaitsFor::nodes;
    if (supply_.has_reservations() && job.nodes > supply_.candidates(request).size()) return WaitsFor::reservation;
    if (job.nodes > supply_.most_of(job)) return WaitsFor::budget;
    if (!blocked_ || request == *blocked_) return supply_.has_reservations() ? WaitsFor::reservation : WaitsFor::budget;
    return jobs_[*blocked_].priority > job.priority ? WaitsFor::priority : WaitsFor::order;
  }

  /// Of all jobs that are left and had no nodes yet.
  void note_waits() {
    for (const std::uint32_t request : queue_.waiting) {
      JobRecord& record = queue_.records[request];
      if (record.is == JobIs::waiting && record.starts == 0) note_wait(record, reason_of(request), supply_.now_s());
    }
  }

  void backfill(std::uint32_t request) {
    const JobRequest& job = jobs_[request];
    if (job.nodes > supply_.free_nodes() || job.nodes > supply_.most_of(job)) return;
    if (!head_) head_.emplace(jobs_, supply_, *blocked_, params_.interval_s);
    if (!head_->has_time()) return;
    const bool is_short = head_->is_short(job);
    if (!is_short && !head_->may_spare(job)) return;
    const std::vector<std::uint32_t> nodes = nodes_for(request);
    if (nodes.empty() || (!is_short && !head_->spares(request, nodes))) return;
    if (!is_short) head_->lose(request, nodes);
    start(request, nodes);
  }

  const JobList& jobs_;
  const ClusterNodes& nodes_;
  const SchedulerParams& params_;
  NodeSupply supply_;
  const ClusterNow& now_;
  QueueState& queue_;
  std::optional<std::uint32_t> blocked_;  ///< the first job that cannot start
  std::optional<QueueHead> head_;         ///< the same, where others are looked at
  std::vector<Change> preempted_, started_;
};

void check(const JobList& jobs, const SchedulerParams& params) {
  if (!(params.interval_s > 0.0)) throw std::invalid_argument("decisions need an interval above zero");
  for (std::size_t k = 0; k < jobs.size(); ++k) {
    if (jobs[k].nodes == 0) throw std::invalid_argument("job '" + jobs[k].name + "' has no nodes");
    if (k > 0 && jobs[k].submit_s < jobs[k - 1].submit_s)
      throw std::invalid_argument("jobs are not sorted by submission");
  }
}

}  // namespace

Scheduler::Scheduler(const JobList& jobs, const ClusterNodes& nodes, SchedulerParams params)
    : jobs_(jobs),
      nodes_(nodes),
      params_(std::move(params)),
      reservations_(params_.reservations, jobs, nodes.rack_of_node.size()) {
  check(jobs, params_);
}

QueueState Scheduler::at_begin() const {
  QueueState queue;
  queue.where.slot_of_node.assign(nodes_.rack_of_node.size(), Placement::free_node);
  queue.records.resize(jobs_.size());
  return queue;
}

double Scheduler::next_decision_s(const QueueState& queue, double now_s) const {
  double cause_s = queue.next_submission < jobs_.size() ? jobs_[queue.next_submission].submit_s : never;
  if (!queue.waiting.empty()) {
    if (queue.is_due) cause_s = std::min(cause_s, now_s);
    const double decided_s = decision_until_s(params_.interval_s, now_s);
    for (const double end_s : reservations_.ends_s()) {
      if (end_s > decided_s) cause_s = std::min(cause_s, end_s);
    }
  }
  return std::max(decision_from_s(params_.interval_s, cause_s), decision_after_s(params_.interval_s, now_s));
}

void Scheduler::submit(QueueState& queue, double now_s) const {
  for (; queue.next_submission < jobs_.size() && jobs_[queue.next_submission].submit_s <= now_s;
       ++queue.next_submission) {
    enqueue(queue, jobs_, static_cast<std::uint32_t>(queue.next_submission));
  }
}

std::vector<Scheduler::Change> Scheduler::decide(QueueState& queue, double now_s, const ClusterNow& now) const {
  submit(queue, now_s);
  if (queue.waiting.empty()) {
    queue.is_due = false;
    return {};
  }
  return Decision(jobs_, nodes_, params_, NodeSupply(jobs_, nodes_, reservations_, queue, now, now_s), now, queue)
      .changes();
}

void Scheduler::end(QueueState& queue, std::uint32_t slot, double now_s, JobIs why) const {
  JobRecord& record = queue.records[take_nodes(queue, slot, now_s)];
  record.is = why;
  record.end_s = now_s;
}

void Scheduler::requeue(QueueState& queue, std::uint32_t slot, double now_s, double saved_s) const {
  const std::uint32_t request = take_nodes(queue, slot, now_s);
  queue.records[request].saved_s = saved_s;
  enqueue(queue, jobs_, request);
}

}  // namespace wattloop::workload
