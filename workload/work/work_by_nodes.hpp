// Work that is prepared for some of its nodes at less cost than for all.
#pragma once

#include "workload/work/workload.hpp"

namespace wattloop::workload {

class WorkByNodes : public Workload {
 public:
  /// As `prepare`, to ask for `nodes` alone, at least one.
  virtual void prepare_nodes(double t_s, const JobsNow& jobs, NodeRange nodes, SampleBasis& basis) const = 0;
};

}  // namespace wattloop::workload
