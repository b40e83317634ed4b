// A batch scheduler: at a decision, which waiting jobs start on which free nodes. It knows neither heat nor power: what nodes are worth and what
// power is left is told to it. Documented in docs/models/scheduler.md. Verified in tests/verification/work/scheduler.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "workload/queue/job_list.hpp"
#include "workload/queue/queue_state.hpp"

namespace wattloop::workload {

enum class QueuePolicy : std::uint8_t { first_come, backfill };  ///< backfill: EASY, by time limits
enum class PlacementPolicy : std::uint8_t { packed, spread, coolest, power };

/// Nodes that are kept for some jobs for some time.
struct Reservation {
  std::string name = {};
  std::vector<std::size_t> nodes = {};
  double from_s = 0.0, to_s = 0.0;
};

struct SchedulerParams {
  QueuePolicy policy = QueuePolicy::backfill;
  PlacementPolicy placement = PlacementPolicy::packed;
  double interval_s = 30.0;  ///< decisions at whole multiples of it
  std::vector<Reservation> reservations = {};
};

/// Nodes as they stand and do not change.
struct ClusterNodes {
  std::vector<std::uint32_t> rack_of_node = {};
  std::vector<std::uint32_t> domain_of_node = {};  ///< of power; empty: one for all
};

/// What is known at a decision.
struct ClusterNow {
  std::span<const std::uint8_t> is_available = {};  ///< [node] works and is not drained
  std::span<const double> node_rank = {};           ///< [node] for `coolest`: lower is better
  std::span<const double> free_power_w = {};        ///< [domain] left of its budget with what runs; empty: no budgets
};

class Scheduler {
 public:
  /// All must outlive it.
  Scheduler(const JobList& jobs, const ClusterNodes& nodes, SchedulerParams params);

  /// No job submitted; all nodes free.
  QueueState at_begin() const;

  /// First instant after `now_s` at which a decision may differ from none: a multiple of the interval at or after the next submission or, where
  /// nodes were freed or jobs wait for the clock (a reservation, a time limit), the next one; infinity: none.
  double next_decision_s(const QueueState& queue, double now_s) const;

  struct Change {
    std::uint32_t request = 0;
    std::uint32_t slot = 0;
    bool is_preempted = false;  ///< else it starts
  };
  /// Takes in what has been submitted up to `now_s` and starts jobs. A preempted job goes back to the queue; who runs it writes down
  /// what it has saved before its slot is used again: preempted jobs come first in what is returned.
  std::vector<Change> decide(QueueState& queue, double now_s, const ClusterNow& now) const;

  /// The job of a slot ends, its nodes are free.
  void end(QueueState& queue, std::uint32_t slot, double now_s, JobIs why) const;

  /// It goes back to the queue, where its submission places it.
  void requeue(QueueState& queue, std::uint32_t slot, double now_s, double saved_s) const;
};

}  // namespace wattloop::workload
