// The list of kinds of work: `kind:` of `workload:`, in the order of the reference. A new kind is its header and a line here.
#pragma once

#include <tuple>

#include "workload/burn_in/burn_in.hpp"
#include "workload/constant_load.hpp"
#include "workload/replay/replay.hpp"
#include "workload/training/training.hpp"
#include "workload/transformer_job/transformer_job.hpp"

namespace wattloop::workload {

using WorkloadKinds = std::tuple<  //
    TrainingParams,                //
    TransformerParams,             //
    ReplayParams,                  //
    ConstantParams,                //
    BurnInParams>;

/// Calls `act` with the default parameters of every kind.
template <class Act>
void for_each_workload_kind(const Act& act) {
  std::apply([&](const auto&... params) { (act(params), ...); }, WorkloadKinds{});
}

}  // namespace wattloop::workload
