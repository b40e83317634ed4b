// A replay whose time is that of a job: as a program of a queue it begins where its job does, and with `stretch: true` it goes as fast as the
// slowest GPU lets it.
//
//   place in the trace = position of the job at full clock          the watts of a sample are the mean between two such places
//   with a slowest clock c, a GPU at full clock: c P + (1 - c) min(P, P_waiting), as long as it takes
//
// Verified in tests/verification/work/replayed_job.cpp. Documented in docs/models/replay.md.
#pragma once

#include <memory>
#include <vector>

#include "workload/queue/job_queue.hpp"
#include "workload/replay/replay.hpp"

namespace wattloop::workload {

enum class AfterEnd { repeat, hold, idle };
AfterEnd after_end_of(const ReplayParams& params);

/// Of a trace, from its first one.
std::vector<double> stamps_from_zero_s(const PowerTrace& trace);

/// All nodes wait for the slowest GPU all the time; nothing is saved.
class StretchedJob final : public IndependentJob {
 public:
  JobClock at_clock(const JobClock& job, double t_s, double clock_fraction) const override;
  JobClock from_checkpoint(const JobClock& job, double t_s) const override;
  JobProgress progress(const JobClock& job, double t_s) const override;
  bool is_coupled() const override { return true; }
};

/// Watts are means over the interval of the trace, which a run counts from its begin.
std::unique_ptr<Workload> make_replayed_job(const PowerTrace& trace, const ReplayParams& params, const NodeSet& nodes,
                                            const ReplaySetting& setting);

}  // namespace wattloop::workload
