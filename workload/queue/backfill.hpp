// EASY backfill: jobs pass the first job that cannot start where they do not delay it.
//
//   shadow time: first decision at which the head has its nodes, if all that run end at their time limits
//   extra nodes: those that it leaves at that time
//
// Source: [lifka1995], [mualem2001]. Verified in tests/verification/work/scheduler.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "workload/queue/job_list.hpp"
#include "workload/queue/node_supply.hpp"

namespace wattloop::workload {

/// The first job of the queue that cannot start.
class QueueHead {
 public:
  /// `supply` outlives it. The job could start if all that can end had ended.
  QueueHead(const JobList& jobs, const NodeSupply& supply, std::uint32_t request, double interval_s);

  /// Whether its time is known. If not, a job without time limit has its nodes, and no other may pass.
  bool has_time() const;
  /// Whether it is over at the shadow time.
  bool is_short(const JobRequest& job) const;
  /// False where it could not start at the shadow time if a job had nodes then, whichever: a quick look before they are chosen.
  bool may_spare(const JobRequest& job) const;
  /// Whether it could still start at the shadow time if a job has these nodes then.
  bool spares(std::uint32_t other, std::span<const std::uint32_t> nodes) const;
  /// A job has them then.
  void lose(std::uint32_t other, std::span<const std::uint32_t> nodes);

 private:
  Supply without(std::uint32_t other, std::span<const std::uint32_t> nodes) const;

  const JobList& jobs_;
  const NodeSupply& supply_;
  std::uint32_t request_;
  double shadow_s_;
  Supply left_;  ///< at the shadow time, its own nodes included
};

}  // namespace wattloop::workload
