// How many nodes a job can have at a decision, and later where all jobs run until their time limits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "workload/queue/job_list.hpp"
#include "workload/queue/placement.hpp"
#include "workload/queue/queue_state.hpp"
#include "workload/queue/reservation_table.hpp"

namespace wattloop::workload {

/// What is known at a decision.
struct ClusterNow {
  std::span<const std::uint8_t> is_available = {};  ///< [node] works and is not drained; empty: all
  std::span<const double> node_rank = {};           ///< [node] for `coolest`: lower is better
  std::span<const double> free_power_w = {};        ///< [domain] left of its budget with what runs; empty: no budgets
};

/// Nodes of domains that have power for a job.
std::size_t powered_nodes(std::span<const std::size_t> nodes, std::span<const double> power_w, const JobRequest& job);

/// What a job could take at an instant. A node counts in its domain.
struct Supply {
  std::vector<std::size_t> nodes = {};  ///< [domain]
  std::vector<double> power_w = {};     ///< [domain]; empty: no budgets

  /// Nodes that have power, too.
  std::size_t of_job(const JobRequest& job) const { return powered_nodes(nodes, power_w, job); }
};

/// All of it outlives a decision; the queue changes in it.
class NodeSupply {
 public:
  NodeSupply(const JobList& jobs, const ClusterNodes& nodes, const ReservationTable& reservations,
             const QueueState& queue, const ClusterNow& now, double now_s);

  double now_s() const { return now_s_; }
  /// Free and available, kept for some job or not.
  std::size_t free_nodes() const { return free_nodes_; }
  /// Those of them that have power for a job: it cannot have more.
  std::size_t most_of(const JobRequest& job) const { return powered_nodes(free_of_domain_, free_power_w_, job); }
  /// Whether only the number of nodes counts: no budgets, nothing is kept.
  bool is_plain() const { return free_power_w_.empty() && !has_reservations(); }

  bool has_reservations() const { return !reservations_.is_empty(); }

  /// Whether a job may be on a node from an instant to its time limit, were it free.
  bool may_have(std::uint32_t request, std::size_t node, double at_s) const;
  /// Nodes that it can have now, ascending, without a look at budgets.
  std::vector<std::uint32_t> candidates(std::uint32_t request) const;
  /// What is left of budgets.
  std::span<const double> free_power_w() const { return free_power_w_; }
  std::uint32_t domain_of(std::size_t node) const;

  /// What it could take at an instant if all that run end at their time limits; infinity: if all have ended but those that never end.
  Supply at(std::uint32_t request, double at_s) const { return at(request, at_s, queue_); }
  /// The same where other jobs run.
  Supply at(std::uint32_t request, double at_s, const QueueState& queue) const;
  /// Instants later than now at which it may be more; ascending.
  std::vector<double> changes_s() const;

  /// A job gets nodes, or gave back those that it had: of numbers and budgets.
  void take(std::uint32_t request, std::span<const std::uint32_t> nodes);
  void give_back(std::uint32_t request, std::span<const std::uint32_t> nodes);

 private:
  void count(std::size_t node, int change);
  bool is_available(std::size_t node) const { return now_.is_available.empty() || now_.is_available[node] != 0; }

  const JobList& jobs_;
  const ClusterNodes& nodes_;
  const ReservationTable& reservations_;
  const QueueState& queue_;
  const ClusterNow& now_;
  double now_s_;
  std::vector<double> free_power_w_;
  std::vector<std::size_t> free_of_domain_;
  std::size_t free_nodes_ = 0;
};

}  // namespace wattloop::workload
