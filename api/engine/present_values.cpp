#include "api/engine/present_values.hpp"

#include <algorithm>
#include <iterator>

#include "twin/actions/work/coupling.hpp"
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
    look(run, series.follows_from_units(handle));
    series.fill(handle, {run.plant(), run.state(), *seen_}, (*shown)->values);
    (*shown)->instant = instant_;
  }
  return (*shown)->values;
}

/// Of an earlier evaluation nothing stays but what makes the next one fast.
void PresentValues::look(const twin::HallRun& run, bool at_units) {
  if ((at_units ? units_instant_ : stations_instant_) == instant_) return;
  if (!seen_) seen_.emplace(run.evaluation());
  stations_instant_ = instant_;
  if (at_units) {
    run.simulation().look(*seen_, rates_);
    units_instant_ = instant_;
    return;
  }
  rates_.resize(run.plant().map.state_count);
  evaluate_stations(run.plant(), run.state(), *seen_, rates_);
  digest_racks(run.plant(), run.state(), seen_->racks);
  note_gpu_power(run.plant(), *seen_);
}

}  // namespace wattloop::engine
