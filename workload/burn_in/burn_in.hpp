// An acceptance test as work of a hall or of some of its racks (workload/burn_in/acceptance_test.hpp). Documented in docs/models/burn_in.md.
#pragma once

#include <memory>

#include "workload/burn_in/acceptance_test.hpp"
#include "workload/work/workload_kind.hpp"

namespace wattloop::workload {

/// With powers that follow the GPU.
MadeWork make_work(const BurnInParams& params, const WorkRequest& request, Problems& problems);
static_assert(WorkloadKind<BurnInParams>);

}  // namespace wattloop::workload
