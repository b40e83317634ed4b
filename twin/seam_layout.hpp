// Where units and the rest of a plant meet: which states belong to the core (all but those of units), what units read of
// the core, and which sinks of the core they feed. Compact numbers for all three, so that the core is small.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "twin/plant.hpp"

namespace wattloop::twin {

/// A station's ports and load in compact numbers.
struct SeamStation {
  std::size_t group = 0;
  std::size_t station = 0;               ///< in its group
  std::vector<std::size_t> temperatures; ///< [port] in SeamLayout::signals
  std::vector<std::size_t> flows;        ///< [port] in SeamLayout::signals
  std::vector<std::size_t> heat_sinks;   ///< [port] in SeamLayout::sinks
  std::size_t power_sink = 0;            ///< in SeamLayout::sinks
};

struct SeamLayout {
  explicit SeamLayout(const Plant& plant);

  /// Core states out of, and into, numbers that stand as the states of the plant.
  void take_core(std::span<const double> of_plant, std::span<double> core) const;
  void put_core(std::span<const double> core, std::span<double> of_plant) const;

  std::vector<std::size_t> core_slots;  ///< [core state] slot in the states of the plant
  std::vector<std::size_t> signals;     ///< that units read, numbers in Evaluation::signals
  std::vector<std::size_t> sinks;       ///< that units feed, numbers in Evaluation::sinks
  std::vector<std::size_t> inputs;      ///< that are not loads of units
  std::vector<SeamStation> stations;    ///< group by group

 private:
  /// Core states that follow one another in the plant, too.
  struct Stretch {
    std::size_t slot = 0, core = 0, count = 0;
  };
  std::vector<Stretch> stretches_;
};

}  // namespace wattloop::twin
