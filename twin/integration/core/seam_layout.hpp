// Where units and the rest of a plant meet: which states belong to the core (all but those of units), what units read of
// the core, and which sinks of the core they feed. Compact numbers for all three, so that the core is small.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "twin/plant/equipment/plant.hpp"
#include "twin/units/unit_propagation.hpp"

namespace wattloop::twin {

/// A number for each port of a station, in place: loops over all stations read them at every instant.
class PortNumbers {
 public:
  void push_back(std::size_t number) { numbers_[size_++] = static_cast<std::uint32_t>(number); }
  std::size_t size() const { return size_; }
  std::size_t operator[](std::size_t port) const { return numbers_[port]; }
  const std::uint32_t* begin() const { return numbers_.data(); }
  const std::uint32_t* end() const { return numbers_.data() + size_; }

 private:
  std::array<std::uint32_t, most_ports> numbers_{};
  std::uint32_t size_ = 0;
};

/// A station's ports and load in compact numbers.
struct SeamStation {
  std::uint32_t group = 0;
  std::uint32_t station = 0;     ///< in its group
  PortNumbers temperatures;      ///< [port] in SeamLayout::signals
  PortNumbers flows;             ///< [port] in SeamLayout::signals
  PortNumbers heat_sinks;        ///< [port] in SeamLayout::sinks
  std::uint32_t power_sink = 0;  ///< in SeamLayout::sinks
  std::uint32_t load = 0;        ///< the same in SeamLayout::loads
};

struct SeamLayout {
  explicit SeamLayout(const Plant& plant);

  /// Core states out of, and into, numbers that stand as the states of the plant.
  void take_core(std::span<const double> of_plant, std::span<double> core) const;
  void put_core(std::span<const double> core, std::span<double> of_plant) const;

  std::vector<std::size_t> core_slots;  ///< [core state] slot in the states of the plant
  std::vector<std::size_t> signals;     ///< that units read, numbers in Evaluation::signals
  std::vector<std::size_t> sinks;       ///< that units feed, numbers in Evaluation::sinks
  std::vector<std::size_t> loads;       ///< those of them that draw power, numbers in Evaluation::sinks
  std::vector<std::size_t> load_sinks;  ///< [load] the same in `sinks`
  std::vector<std::size_t> inputs;      ///< that are not loads of units
  std::vector<SeamStation> stations;    ///< group by group

 private:
  /// Core states that follow one another in the plant, too.
  struct StateRange {
    std::size_t slot = 0, core = 0, count = 0;
  };
  std::vector<StateRange> ranges_;
};

}  // namespace wattloop::twin
