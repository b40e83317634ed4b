#include "twin/integration/core/seam_layout.hpp"

#include <algorithm>
#include <cstdint>
#include <unordered_map>

namespace wattloop::twin {

namespace {

/// Numbers things in the order in which they are first met.
class Numbering {
 public:
  explicit Numbering(std::vector<std::size_t>& met) : met_(met) {}

  std::size_t operator()(std::size_t thing) {
    const auto [entry, is_new] = numbers_.emplace(thing, met_.size());
    if (is_new) met_.push_back(thing);
    return entry->second;
  }

 private:
  std::vector<std::size_t>& met_;
  std::unordered_map<std::size_t, std::size_t> numbers_;
};

}  // namespace

SeamLayout::SeamLayout(const Plant& plant) {
  std::vector<std::uint8_t> is_unit_state(plant.map.state_count, 0), is_unit_load(plant.map.input_count, 0);
  Numbering signal_number(signals), sink_number(sinks), load_number(loads);
  for (std::size_t g = 0; g < plant.groups.size(); ++g) {
    const UnitGroup& group = *plant.groups[g];
    const std::size_t state_count = group.states().size() * group.count();
    for (std::size_t k = 0; k < state_count; ++k) is_unit_state[group.first_state + k] = 1;
    for (std::size_t k = 0; k < group.count(); ++k) is_unit_load[group.first_load - plant.map.input(0) + k] = 1;
    for (std::size_t s = 0; s < group.stations.size(); ++s) {
      SeamStation station{.group = static_cast<std::uint32_t>(g),
                          .station = static_cast<std::uint32_t>(s),
                          .temperatures = {},
                          .flows = {},
                          .heat_sinks = {},
                          .power_sink = static_cast<std::uint32_t>(sink_number(group.stations[s].power_sink)),
                          .load = static_cast<std::uint32_t>(load_number(group.stations[s].power_sink))};
      for (const PortWiring& port : group.stations[s].ports) {
        station.temperatures.push_back(signal_number(port.temperature_signal));
        station.flows.push_back(signal_number(port.flow_signal));
        station.heat_sinks.push_back(sink_number(port.heat_sink));
      }
      stations.push_back(std::move(station));
    }
  }
  for (const std::size_t load : loads) load_sinks.push_back(sink_number(load));
  for (std::size_t slot = 0; slot < plant.map.state_count; ++slot) {
    if (is_unit_state[slot] == 1) continue;
    const bool follows = !ranges_.empty() && ranges_.back().slot + ranges_.back().count == slot;
    if (!follows) ranges_.push_back({slot, core_slots.size(), 0});
    ++ranges_.back().count;
    core_slots.push_back(slot);
  }
  for (std::size_t input = 0; input < plant.map.input_count; ++input) {
    if (is_unit_load[input] == 0) inputs.push_back(input);
  }
}

void SeamLayout::take_core(std::span<const double> of_plant, std::span<double> core) const {
  for (const StateRange& s : ranges_)
    std::ranges::copy(of_plant.subspan(s.slot, s.count), core.subspan(s.core).begin());
}

void SeamLayout::put_core(std::span<const double> core, std::span<double> of_plant) const {
  for (const StateRange& s : ranges_)
    std::ranges::copy(core.subspan(s.core, s.count), of_plant.subspan(s.slot).begin());
}

}  // namespace wattloop::twin
