#include "workload/queue/node_supply.hpp"

#include <algorithm>

namespace wattloop::workload {

std::size_t powered_nodes(std::span<const std::size_t> nodes, std::span<const double> power_w, const JobRequest& job) {
  const PowerBudget budget{power_w, job.node_power_w};
  std::size_t sum = 0;
  for (std::size_t domain = 0; domain < nodes.size(); ++domain) sum += std::min(nodes[domain], budget.nodes(domain));
  return sum;
}

NodeSupply::NodeSupply(const JobList& jobs, const ClusterNodes& nodes, const ReservationTable& reservations,
                       const QueueState& queue, const ClusterNow& now, double now_s)
    : jobs_(jobs),
      nodes_(nodes),
      reservations_(reservations),
      queue_(queue),
      now_(now),
      now_s_(now_s),
      free_power_w_(now.free_power_w.begin(), now.free_power_w.end()),
      free_of_domain_(std::max<std::size_t>(1, now.free_power_w.size())) {
  const std::vector<std::uint32_t>& slot_of_node = queue.where.slot_of_node;
  for (std::size_t node = 0; node < slot_of_node.size(); ++node) {
    if (slot_of_node[node] == Placement::free_node) count(node, 1);
  }
}

void NodeSupply::count(std::size_t node, int change) {
  if (!is_available(node)) return;
  free_nodes_ += change;
  free_of_domain_[domain_of(node)] += change;
}

bool NodeSupply::may_have(std::uint32_t request, std::size_t node, double at_s) const {
  return is_available(node) && !reservations_.is_kept_from(request, node, at_s, at_s + jobs_[request].time_limit_s);
}

std::vector<std::uint32_t> NodeSupply::candidates(std::uint32_t request) const {
  const std::vector<std::uint32_t>& slot_of_node = queue_.where.slot_of_node;
  std::vector<std::uint32_t> found;
  found.reserve(free_nodes_);
  for (std::uint32_t node = 0; node < slot_of_node.size(); ++node) {
    if (slot_of_node[node] == Placement::free_node && may_have(request, node, now_s_)) found.push_back(node);
  }
  return found;
}

std::uint32_t NodeSupply::domain_of(std::size_t node) const {
  return free_power_w_.empty() || nodes_.domain_of_node.empty() ? 0 : nodes_.domain_of_node[node];
}

Supply NodeSupply::at(std::uint32_t request, double at_s, const QueueState& queue) const {
  Supply supply{.nodes = std::vector<std::size_t>(std::max<std::size_t>(1, free_power_w_.size())),
                .power_w = free_power_w_};
  const std::vector<std::uint32_t>& slot_of_node = queue.where.slot_of_node;
  for (std::size_t node = 0; node < slot_of_node.size(); ++node) {
    const std::uint32_t slot = slot_of_node[node];
    const std::uint32_t domain = domain_of(node);
    if (slot != Placement::free_node) {
      const RunningJob& job = queue.slots[slot - 1];
      if (job.limit_s > at_s || is_endless(jobs_[job.request])) continue;
      if (!supply.power_w.empty()) supply.power_w[domain] += jobs_[job.request].node_power_w;
    }
    if (may_have(request, node, at_s)) ++supply.nodes[domain];
  }
  return supply;
}

std::vector<double> NodeSupply::changes_s() const {
  std::vector<double> changes_s;
  for (const RunningJob& job : queue_.slots) {
    if (job.request != RunningJob::no_job) changes_s.push_back(job.limit_s);
  }
  for (const double end_s : reservations_.ends_s()) changes_s.push_back(end_s);
  std::erase_if(changes_s, [this](double at_s) { return at_s <= now_s_; });
  std::ranges::sort(changes_s);
  const auto repeated = std::ranges::unique(changes_s);
  changes_s.erase(repeated.begin(), repeated.end());
  return changes_s;
}

void NodeSupply::take(std::uint32_t request, std::span<const std::uint32_t> nodes) {
  for (const std::uint32_t node : nodes) {
    count(node, -1);
    if (!free_power_w_.empty()) free_power_w_[domain_of(node)] -= jobs_[request].node_power_w;
  }
}

void NodeSupply::give_back(std::uint32_t request, std::span<const std::uint32_t> nodes) {
  for (const std::uint32_t node : nodes) {
    count(node, 1);
    if (!free_power_w_.empty()) free_power_w_[domain_of(node)] += jobs_[request].node_power_w;
  }
}

}  // namespace wattloop::workload
