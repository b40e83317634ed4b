#include "tests/support/by_hand/queue_by_hand.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace wattloop::tests {

namespace {

constexpr double never = std::numeric_limits<double>::infinity();

}  // namespace

QueueByHand::QueueByHand(const ByHandCluster& cluster)
    : jobs(cluster.jobs.size()), c_(cluster), back_s_(cluster.nodes.rack_of_node.size(), never) {}

std::size_t QueueByHand::domain(std::size_t node) const {
  return c_.nodes.domain_of_node.empty() ? 0 : c_.nodes.domain_of_node[node];
}

double QueueByHand::limit_at_s(std::size_t job) const { return jobs[job].start_s + c_.jobs[job].time_limit_s; }

double QueueByHand::ends_at_s(std::size_t job) const {
  return jobs[job].start_s + std::min(c_.jobs[job].run_time_s - jobs[job].saved_s, c_.jobs[job].time_limit_s);
}

bool QueueByHand::is_over() const {
  return std::ranges::all_of(jobs, [](const Job& job) { return job.is == Job::over; });
}

void QueueByHand::stop(std::size_t job, double at_s) {
  Job& it = jobs[job];
  const double work_s = it.saved_s + (at_s - it.start_s), every_s = c_.checkpoint_interval_s;
  if (every_s == 0.0) {
    it.saved_s = work_s;
  } else if (every_s < never) {
    while (it.saved_s + every_s <= work_s) it.saved_s += every_s;
  }
  it.is = Job::waiting;
  it.nodes.clear();
}

void QueueByHand::step() {
  now_s = static_cast<double>(++tick_) * c_.scheduler.interval_s;
  events_until_now();
  for (std::size_t job = 0; job < jobs.size(); ++job) {
    if (jobs[job].is == Job::to_come && c_.jobs[job].submit_s <= now_s) jobs[job].is = Job::waiting;
  }
  decide();
}

void QueueByHand::events_until_now() {
  for (;;) {
    std::optional<std::size_t> ending;
    for (std::size_t job = 0; job < jobs.size(); ++job) {
      const bool is_first = jobs[job].is == Job::running && (!ending || ends_at_s(job) < ends_at_s(*ending));
      if (is_first && ends_at_s(job) <= now_s) ending = job;
    }
    const bool has_failure = next_failure_ < c_.failures.size() && c_.failures[next_failure_].at_s <= now_s;
    if (ending && (!has_failure || ends_at_s(*ending) <= c_.failures[next_failure_].at_s)) {
      jobs[*ending].end_s = ends_at_s(*ending);
      jobs[*ending].is = Job::over;
      jobs[*ending].nodes.clear();
    } else if (has_failure) {
      const ByHandFailure& failure = c_.failures[next_failure_++];
      double& back_s = back_s_[failure.node];
      if (back_s <= failure.at_s) back_s = never;
      if (failure.takes_node && back_s == never) back_s = failure.at_s + c_.repair_s;
      for (std::size_t job = 0; job < jobs.size(); ++job) {
        if (jobs[job].nodes.contains(failure.node)) stop(job, failure.at_s);
      }
    } else {
      break;
    }
  }
  for (double& back_s : back_s_) {
    if (back_s <= now_s) back_s = never;
  }
}

bool QueueByHand::may_have(std::size_t job, std::size_t node, double at_s) const {
  if (back_s_[node] != never || (!c_.is_in_service.empty() && c_.is_in_service[node] == 0)) return false;
  for (const workload::Reservation& each : c_.scheduler.reservations) {
    const bool is_kept = std::ranges::count(each.nodes, node) > 0 && each.name != c_.jobs[job].reservation;
    if (is_kept && at_s < each.to_s && at_s + c_.jobs[job].time_limit_s > each.from_s) return false;
  }
  return true;
}

std::vector<double> QueueByHand::power_now_w(const Set& without) const {
  std::vector<double> left_w = c_.budget_w;
  if (left_w.empty()) return left_w;
  for (std::size_t job = 0; job < jobs.size(); ++job) {
    if (without.contains(job)) continue;
    for (const std::size_t node : jobs[job].nodes) left_w[domain(node)] -= c_.jobs[job].node_power_w;
  }
  return left_w;
}

/// Takes node after node, each with its watts.
bool QueueByHand::fits(std::size_t job, const Set& free, std::vector<double> power_w, double at_s) const {
  std::size_t found = 0;
  for (const std::size_t node : free) {
    if (!may_have(job, node, at_s)) continue;
    if (!power_w.empty()) {
      if (power_w[domain(node)] < c_.jobs[job].node_power_w) continue;
      power_w[domain(node)] -= c_.jobs[job].node_power_w;
    }
    ++found;
  }
  return found >= c_.jobs[job].nodes;
}

bool QueueByHand::fits_when_over(std::size_t job, double at_s) const {
  Set over;
  for (std::size_t other = 0; other < jobs.size(); ++other) {
    const bool is_endless = c_.jobs[other].run_time_s == never && c_.jobs[other].time_limit_s == never;
    if (jobs[other].is == Job::running && limit_at_s(other) <= at_s && !is_endless) over.insert(other);
  }
  Set free = free_now();
  for (const std::size_t other : over) free.insert(jobs[other].nodes.begin(), jobs[other].nodes.end());
  return fits(job, free, power_now_w(over), at_s);
}

bool QueueByHand::fits_without(std::size_t job, const Set& victims) const {
  Set free = free_now();
  for (const std::size_t other : victims) free.insert(jobs[other].nodes.begin(), jobs[other].nodes.end());
  return fits(job, free, power_now_w(victims), now_s);
}

QueueByHand::Set QueueByHand::free_now() const {
  Set free;
  for (std::size_t node = 0; node < back_s_.size(); ++node) free.insert(node);
  for (const Job& job : jobs) {
    for (const std::size_t node : job.nodes) free.erase(node);
  }
  return free;
}

QueueByHand::Set QueueByHand::pick_packed(Set free, std::size_t count) const {
  Set taken;
  while (taken.size() < count) {
    const std::size_t missing = count - taken.size();
    std::map<std::size_t, Set> racks;
    for (const std::size_t node : free) racks[c_.nodes.rack_of_node[node]].insert(node);
    std::optional<std::size_t> rack;
    for (std::size_t size = missing; !rack && size <= free.size(); ++size) {
      for (const auto& [number, nodes] : racks) {
        if (!rack && nodes.size() == size) rack = number;
      }
    }
    for (std::size_t size = missing; !rack && size > 0; --size) {
      for (const auto& [number, nodes] : racks) {
        if (!rack && nodes.size() == size) rack = number;
      }
    }
    Set from = racks[*rack];
    for (std::size_t length = missing; length <= from.size() && from.size() > missing; ++length) {
      Set run;
      for (const std::size_t node : racks[*rack]) {
        bool is_run = true;
        for (std::size_t k = 0; k < length; ++k) is_run = is_run && from.contains(node + k);
        if (is_run && !from.contains(node + length) && (node == 0 || !from.contains(node - 1)) && run.empty()) {
          for (std::size_t k = 0; k < length; ++k) run.insert(node + k);
        }
      }
      if (run.empty()) continue;
      from = run;
      break;
    }
    for (const std::size_t node : from) {
      if (taken.size() < count) taken.insert(node);
    }
    for (const std::size_t node : racks[*rack]) free.erase(node);
  }
  return taken;
}

/// Nodes that a job can have now, as many of a domain as it has power for, in the order in which they are looked at.
std::vector<std::size_t> QueueByHand::can_have(std::size_t job) const {
  std::vector<std::size_t> order, can;
  for (const std::size_t node : free_now()) {
    if (may_have(job, node, now_s)) order.push_back(node);
  }
  if (c_.scheduler.placement == workload::PlacementPolicy::coolest) {
    std::ranges::stable_sort(order, {}, [&](std::size_t node) { return c_.node_rank[node]; });
  }
  const double node_w = c_.jobs[job].node_power_w;
  for (std::vector<double> left_w = power_now_w({}); const std::size_t node : order) {
    if (!left_w.empty() && left_w[domain(node)] < node_w) continue;
    if (!left_w.empty()) left_w[domain(node)] -= node_w;
    can.push_back(node);
  }
  return can;
}

QueueByHand::Set QueueByHand::pick(std::size_t job) const {
  using workload::PlacementPolicy;
  const PlacementPolicy policy = c_.scheduler.placement;
  const std::size_t count = c_.jobs[job].nodes;
  const std::vector<std::size_t> can = can_have(job);
  if (can.size() < count) return {};
  if (policy == PlacementPolicy::coolest) return {can.begin(), can.begin() + static_cast<std::ptrdiff_t>(count)};
  if (policy == PlacementPolicy::spread) return pick_spread(can, count);
  if (policy == PlacementPolicy::power && !c_.budget_w.empty()) return pick_by_power(can, job);
  return pick_packed({can.begin(), can.end()}, count);
}

/// Always from the rack that has given fewest, of such racks the one that had most.
QueueByHand::Set QueueByHand::pick_spread(const std::vector<std::size_t>& can, std::size_t count) const {
  std::map<std::size_t, std::size_t> of_rack, from_rack;
  for (const std::size_t node : can) ++of_rack[c_.nodes.rack_of_node[node]];
  Set taken;
  while (taken.size() < count) {
    std::optional<std::size_t> best;
    for (const std::size_t node : can) {
      if (taken.contains(node)) continue;
      const std::size_t rack = c_.nodes.rack_of_node[node];
      const std::size_t of_best = best ? c_.nodes.rack_of_node[*best] : rack;
      const bool is_better = from_rack[rack] < from_rack[of_best] ||
                             (from_rack[rack] == from_rack[of_best] && of_rack[rack] > of_rack[of_best]);
      if (!best || is_better) best = node;
    }
    taken.insert(*best);
    ++from_rack[c_.nodes.rack_of_node[*best]];
  }
  return taken;
}

/// Always from the domain that has most power left.
QueueByHand::Set QueueByHand::pick_by_power(const std::vector<std::size_t>& can, std::size_t job) const {
  std::vector<double> power_w = power_now_w({});
  Set taken;
  while (taken.size() < c_.jobs[job].nodes) {
    std::optional<std::size_t> best;
    for (const std::size_t node : can) {
      if (taken.contains(node)) continue;
      if (!best || power_w[domain(node)] > power_w[domain(*best)] ||
          (power_w[domain(node)] == power_w[domain(*best)] && domain(node) < domain(*best))) {
        best = node;
      }
    }
    taken.insert(*best);
    power_w[domain(*best)] -= c_.jobs[job].node_power_w;
  }
  return taken;
}

void QueueByHand::start(std::size_t job, const Set& on) {
  jobs[job].is = Job::running;
  jobs[job].nodes = on;
  jobs[job].start_s = now_s;
  jobs[job].starts_s.push_back(now_s);
}

/// All subsets of those that may be preempted, from the youngest on: few, in these clusters.
std::optional<QueueByHand::Set> QueueByHand::victims_of(std::size_t job) const {
  std::vector<std::size_t> young;
  for (std::size_t other = 0; other < jobs.size(); ++other) {
    const bool is_victim = jobs[other].is == Job::running && c_.jobs[other].is_preemptable &&
                           c_.jobs[other].priority < c_.jobs[job].priority;
    if (is_victim) young.push_back(other);
  }
  std::ranges::sort(young, std::greater{}, [&](std::size_t other) { return std::pair(jobs[other].start_s, other); });
  if (young.empty() || !fits_without(job, {young.begin(), young.end()})) return {};
  std::optional<Set> best;
  std::size_t fewest = back_s_.size() + 1;
  for (std::size_t mask = (std::size_t{1} << young.size()) - 1; mask > 0; --mask) {
    Set victims;
    std::size_t lost = 0;
    for (std::size_t k = 0; k < young.size(); ++k) {
      if ((mask >> (young.size() - 1 - k) & 1) == 0) continue;
      victims.insert(young[k]);
      lost += c_.jobs[young[k]].nodes;
    }
    if (lost >= fewest || !fits_without(job, victims)) continue;
    fewest = lost;
    best = victims;
  }
  return best;
}

double QueueByHand::shadow_s(std::size_t job) const {
  double last_s = now_s;
  for (std::size_t other = 0; other < jobs.size(); ++other) {
    if (jobs[other].is == Job::running && limit_at_s(other) < never) last_s = std::max(last_s, limit_at_s(other));
  }
  for (const workload::Reservation& each : c_.scheduler.reservations) last_s = std::max(last_s, each.to_s);
  for (long tick = tick_ + 1;; ++tick) {
    const double at_s = static_cast<double>(tick) * c_.scheduler.interval_s;
    if (fits_when_over(job, at_s)) return at_s;
    if (at_s > last_s) return never;
  }
}

void QueueByHand::decide() {
  std::vector<std::size_t> queue;
  for (std::size_t job = 0; job < jobs.size(); ++job) {
    if (jobs[job].is == Job::waiting) queue.push_back(job);
  }
  std::ranges::stable_sort(queue, std::greater{}, [&](std::size_t job) { return c_.jobs[job].priority; });
  std::optional<std::size_t> head;
  double shadow = never;
  for (const std::size_t job : queue) {
    if (const Set on = pick(job); !on.empty()) {
      if (!head) {
        start(job, on);
      } else if (shadow < never && now_s + c_.jobs[job].time_limit_s <= shadow) {
        start(job, on);
        ++backfilled;
      } else if (shadow < never) {
        start(job, on);
        if (fits_when_over(*head, shadow)) {
          ++backfilled;
        } else {
          jobs[job].is = Job::waiting;
          jobs[job].nodes.clear();
          jobs[job].starts_s.pop_back();
        }
      }
    } else if (!head) {
      if (const std::optional<Set> victims = victims_of(job)) {
        for (const std::size_t other : *victims) stop(other, now_s);
        preempted += victims->size();
        start(job, pick(job));
      } else if (fits_when_over(job, never)) {
        head = job;
        if (c_.scheduler.policy == workload::QueuePolicy::first_come) break;
        shadow = shadow_s(job);
        if (jobs[job].promised_s == never) jobs[job].promised_s = shadow;
      } else {
        ++passed_over;
      }
    }
  }
}

}  // namespace wattloop::tests
