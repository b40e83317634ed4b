// `kind: transformer`: the training job that follows from a model.
//
// Its schedule, checkpoints, failures and coupling are those of the synthetic job (workload/training); steps and watts are those of workload/transformer.
// Documented in docs/models/transformer.md.
#pragma once

#include "workload/transformer_job/planned_job.hpp"
#include "workload/work/workload_kind.hpp"

namespace wattloop::workload {

/// The parameters of the synthetic job that has this step: its time, tokens, communication and levels.
TrainingParams training_with_step(const TransformerParams& params, const PlannedJob& job, const StepTime& step);

/// On the network of the request, without which communication takes no time.
MadeWork make_work(const TransformerParams& params, const WorkRequest& request, Problems& problems);
static_assert(WorkloadKind<TransformerParams>);

}  // namespace wattloop::workload
