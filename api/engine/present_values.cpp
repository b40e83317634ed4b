#include "api/engine/present_values.hpp"

#include <algorithm>
#include <iterator>

#include "twin/plant/snapshot/evaluation.hpp"

namespace wattloop::engine {

std::span<const double> PresentValues::of(const twin::HallRun& run, const twin::LiveSeries& series,
                                          const twin::LiveHandle& handle) {
  auto shown = std::ranges::find(shown_, handle, [](const auto& one) { return one->handle; });
  if (shown == shown_.end()) {
    shown_.push_back(std::make_unique<Shown>(Shown{handle, 0, std::vector<double>(series.size(handle))}));
    shown = std::prev(shown_.end());
  }
  if ((*shown)->instant != instant_) {
    look(run);
    series.fill(handle, {run.plant(), run.state(), *seen_}, (*shown)->values);
    (*shown)->instant = instant_;
  }
  return (*shown)->values;
}

/// Single units, too: an evaluation of stations alone differs in the last digit in halls whose fans follow dies.
void PresentValues::look(const twin::HallRun& run) {
  if (seen_instant_ == instant_) return;
  if (!seen_) seen_.emplace(run.evaluation());
  run.simulation().look(*seen_);
  seen_instant_ = instant_;
}

}  // namespace wattloop::engine
