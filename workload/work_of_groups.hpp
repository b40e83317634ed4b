// Work of several sets of nodes that differ, counted one after the other, each with work of its own.
#pragma once

#include <memory>
#include <vector>

#include "workload/work/workload.hpp"

namespace wattloop::workload {

/// The nodes of one set and what they do.
struct GroupWork {
  std::unique_ptr<Workload> work;
  std::size_t nodes = 0;
  std::size_t job = 0;  ///< groups of one number wait for one another
};

/// Of one set it is that set's work; of several a range of nodes must lie in one of them. Throws std::invalid_argument for none.
std::unique_ptr<Workload> make_work_of_groups(std::vector<GroupWork> groups);

}  // namespace wattloop::workload
