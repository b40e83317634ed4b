// The list of kinds of work: `kind:` of `workload:`, in the order of the reference. A new kind is its header and a line here.
#pragma once

#include <tuple>
#include <variant>

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

template <class Tuple>
struct VariantOf;
template <WorkloadKind... Kinds>
struct VariantOf<std::tuple<Kinds...>> {
  using Type = std::variant<Kinds...>;
};

/// Parameters of one kind, whichever it is.
using AnyWork = VariantOf<WorkloadKinds>::Type;

/// The schedule, checkpoints and failures of work that is a training job; null: it is none.
template <class Work>
auto training_of(Work& work) -> decltype(std::get_if<TrainingParams>(&work)) {
  if (auto* transformer = std::get_if<TransformerParams>(&work)) return &transformer->job;
  return std::get_if<TrainingParams>(&work);
}

/// Calls `act` with the default parameters of every kind.
template <class Act>
void for_each_workload_kind(const Act& act) {
  std::apply([&](const auto&... params) { (act(params), ...); }, WorkloadKinds{});
}

}  // namespace wattloop::workload
