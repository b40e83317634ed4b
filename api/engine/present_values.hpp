// Values of series at the instant that a run has reached, before anything acts there. The plant is evaluated once an instant.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "twin/run/hall_run.hpp"
#include "twin/run/recording/live_series.hpp"

namespace wattloop::engine {

class PresentValues {
 public:
  /// The run is at another instant from now on.
  void move_on() { ++instant_; }

  /// Those of a series of the run, SI, valid until the run moves on. The handle must be of `series`.
  std::span<const double> of(const twin::HallRun& run, const twin::LiveSeries& series, const twin::LiveHandle& handle);

 private:
  struct Shown {
    twin::LiveHandle handle;
    std::size_t instant = 0;  ///< of which the values are
    std::vector<double> values;
  };

  void look(const twin::HallRun& run);

  std::size_t instant_ = 1;       ///< number of this instant
  std::size_t seen_instant_ = 0;  ///< of which `seen_` is
  std::optional<twin::Evaluation> seen_;
  std::vector<std::unique_ptr<Shown>> shown_;
};

}  // namespace wattloop::engine
