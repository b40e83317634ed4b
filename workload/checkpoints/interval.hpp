// How often a job saves, from what a save costs and how often the job fails.
//
//   Young   tau = sqrt(2 d M)                                                        [young1974]
//   Daly    tau = sqrt(2 d M) (1 + sqrt(d / 2M) / 3 + (d / 2M) / 9) - d, d < 2M; else M   [daly2006]
//
// tau: time of work from the end of a save to the begin of the next; d: time for which a save stops the job; M: mean time between failures of the
// job. Verified in tests/verification/work/checkpoints.cpp. Documented in docs/models/checkpoints.md.
#pragma once

#include "workload/failures/failure_process.hpp"

namespace wattloop::workload {

double young_interval_s(double save_s, double mean_time_s);
double daly_interval_s(double save_s, double mean_time_s);

/// Mean time between failures that stop a job, of all kinds together: kinds that take a node stop it where it works, others anywhere. Infinity:
/// nothing fails.
double job_mean_time_s(const FailureParams& failures, double gpus, double working_gpus);

}  // namespace wattloop::workload
