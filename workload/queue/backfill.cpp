#include "workload/queue/backfill.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "workload/queue/decision_times.hpp"

namespace wattloop::workload {

namespace {

/// First decision at which a job could start. Without reservations supply only grows, and the instant is found by halves.
double first_start_s(const JobRequest& job, const NodeSupply& supply, std::uint32_t request, double interval_s) {
  std::vector<double> decisions_s = supply.changes_s();
  for (double& at_s : decisions_s) at_s = decision_from_s(interval_s, at_s);
  const auto is_too_early = [&](double at_s) { return supply.at(request, at_s).of_job(job) < job.nodes; };
  const auto first = supply.has_reservations() ? std::ranges::find_if_not(decisions_s, is_too_early)
                                               : std::ranges::partition_point(decisions_s, is_too_early);
  return first == decisions_s.end() ? std::numeric_limits<double>::infinity() : *first;
}

}  // namespace

QueueHead::QueueHead(const JobList& jobs, const NodeSupply& supply, std::uint32_t request, double interval_s)
    : jobs_(jobs),
      supply_(supply),
      request_(request),
      shadow_s_(first_start_s(jobs[request], supply, request, interval_s)),
      left_(supply.at(request, shadow_s_)) {}

bool QueueHead::has_time() const { return std::isfinite(shadow_s_); }

bool QueueHead::is_short(const JobRequest& job) const { return supply_.now_s() + job.time_limit_s <= shadow_s_; }

bool QueueHead::may_spare(const JobRequest& job) const {
  const JobRequest& head = jobs_[request_];
  double nodes = 0.0, power_w = 0.0;
  for (const std::size_t of_domain : left_.nodes) nodes += static_cast<double>(of_domain);
  for (const double of_domain_w : left_.power_w) power_w += std::max(of_domain_w, 0.0);
  const double of_head = static_cast<double>(head.nodes), of_job = static_cast<double>(job.nodes);
  const bool has_nodes = supply_.has_reservations() || nodes >= of_head + of_job;
  // Rounding of sums may let a job through: it is looked at in full then.
  const double needed_w = of_head * head.node_power_w + of_job * job.node_power_w;
  return has_nodes && (left_.power_w.empty() || power_w >= needed_w * (1.0 - 1e-9));
}

bool QueueHead::spares(std::uint32_t other, std::span<const std::uint32_t> nodes) const {
  return without(other, nodes).of_job(jobs_[request_]) >= jobs_[request_].nodes;
}

void QueueHead::lose(std::uint32_t other, std::span<const std::uint32_t> nodes) { left_ = without(other, nodes); }

Supply QueueHead::without(std::uint32_t other, std::span<const std::uint32_t> nodes) const {
  Supply left = left_;
  for (const std::uint32_t node : nodes) {
    const std::uint32_t domain = supply_.domain_of(node);
    if (supply_.may_have(request_, node, shadow_s_)) --left.nodes[domain];
    if (!left.power_w.empty()) left.power_w[domain] -= jobs_[other].node_power_w;
  }
  return left;
}

}  // namespace wattloop::workload
