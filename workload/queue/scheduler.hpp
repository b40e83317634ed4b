// A batch scheduler: at a decision, which waiting jobs start on which free nodes. It knows neither heat nor power: ranks of nodes and
// free power are inputs of a decision. Documented in docs/models/scheduler.md. Verified in tests/verification/work/scheduler.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "workload/queue/job_list.hpp"
#include "workload/queue/node_supply.hpp"
#include "workload/queue/placement.hpp"
#include "workload/queue/queue_state.hpp"
#include "workload/queue/reservation_table.hpp"

namespace wattloop::workload {

enum class QueuePolicy : std::uint8_t { first_come, backfill };  ///< backfill: EASY, by time limits

struct SchedulerParams {
  QueuePolicy policy = QueuePolicy::backfill;
  PlacementPolicy placement = PlacementPolicy::packed;
  double interval_s = 30.0;  ///< decisions at whole multiples of it
  std::vector<Reservation> reservations = {};
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

 private:
  void submit(QueueState& queue, double now_s) const;

  const JobList& jobs_;
  const ClusterNodes& nodes_;
  SchedulerParams params_;
  ReservationTable reservations_;
};

}  // namespace wattloop::workload
