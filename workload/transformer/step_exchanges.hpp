// What GPUs exchange in a training step: all that its communication time follows from, with how often it happens.
//
// Counts are those of a mean GPU, as layer_time.cpp and step_time.cpp ask for them: times of all exchanges, without overlaps, add up to the
// communication of a step. Verified in tests/verification/work/step_exchanges.cpp. Documented in docs/models/transformer.md.
#pragma once

#include <vector>

#include "workload/transformer/communication_times.hpp"

namespace wattloop::workload {

struct TrainingSetup;

struct StepExchange {
  Exchange exchange;
  RankGroup group;
  double bytes_b;  ///< as CommunicationTimes counts them
  double count;    ///< in a step
};

/// Of a plan without mistakes; `times` of the setup is not asked. Exchanges of one rank are left out.
std::vector<StepExchange> step_exchanges(const TrainingSetup& setup);

}  // namespace wattloop::workload
