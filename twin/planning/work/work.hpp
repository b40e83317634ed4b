// The work of a scenario: replay of a trace, a synthetic job or a constant load, ready for the step loop.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "twin/scenario/specs/scenario.hpp"
#include "workload/work/workload.hpp"

namespace wattloop::twin {

struct Work {
  std::unique_ptr<workload::Workload> workload;
  std::vector<std::string>
      notes;  ///< what the user should know: holes in the trace, watts that do not fit, what happens after its end
  std::vector<std::string> warnings;           ///< watts that can hardly be meant
  std::optional<double> clamped_sample_share;  ///< of replayed traces: samples that ask more of GPUs than their limit
};

/// Reads the trace if there is one. Throws InputError with all that is wrong with it or with the work asked
/// for.
Work make_work(const Scenario& scenario);

}  // namespace wattloop::twin
