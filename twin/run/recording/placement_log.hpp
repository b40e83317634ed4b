// Where jobs of a queue have their nodes: a row for each job, rack and span of time. Nodes are looked through only when they have changed hands.
// Verified in tests/verification/work/job_places.cpp.
#pragma once

#include <cstdint>
#include <vector>

#include "twin/plant/equipment/it_equipment.hpp"
#include "twin/results/schema/job_place.hpp"
#include "workload/queue/queue_state.hpp"

namespace wattloop::twin {

class PlacementLog {
 public:
  /// `it` must outlive it.
  explicit PlacementLog(const ItEquipment& it) : it_(&it) {}

  /// Jobs that have fixed nodes are in no row.
  void observe(const workload::QueueState& queue, double now_s);

  /// All rows, by begin and rack.
  std::vector<JobPlace> places() const;

  /// All that it remembers, to a checkpoint and back.
  template <class Archive>
  void keep(Archive& archive) {
    archive(stamp_, ended_, open_);
  }

 private:
  const ItEquipment* it_;
  std::uint64_t stamp_ = 0;      ///< of the queue when it was last looked at; 0: no job had a node before
  std::vector<JobPlace> ended_;  ///< in the order in which they ended
  std::vector<JobPlace> open_;   ///< by rack, then by job
};

}  // namespace wattloop::twin
