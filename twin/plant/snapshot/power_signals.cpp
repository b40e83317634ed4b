#include "twin/plant/snapshot/power_signals.hpp"

#include <algorithm>

namespace wattloop::twin {

Bus bus_at(const SignalMap& map, std::size_t bus) {
  return {static_cast<double>(map.bus_live(bus)), static_cast<double>(map.bus_voltage(bus)),
          static_cast<double>(map.bus_power(bus))};
}

Live live_of_bus(const SignalMap& map, std::size_t bus) { return {static_cast<double>(map.bus_live(bus))}; }

Live live_of_load(const SignalMap& map, std::size_t load) { return {static_cast<double>(map.load_served(load))}; }

void report_switches(const Plant& plant, const electrical::SwitchState& switches, std::span<double> signals) noexcept {
  const SignalMap& map = plant.map;
  const std::span<double> live = signals.subspan(map.bus_live(0), map.bus_count);
  const std::span<double> voltage_v = signals.subspan(map.bus_voltage(0), map.bus_count);
  for (std::size_t bus = 0; bus < map.bus_count; ++bus) {
    live[bus] = switches.bus_live[bus] != 0 ? 1.0 : 0.0;
    voltage_v[bus] = live[bus] * plant.power_tree.bus_voltage_v[bus];
  }
  const std::span<double> served = signals.subspan(map.load_served(0), map.load_count);
  for (std::size_t load = 0; load < map.load_count; ++load) {
    served[load] = electrical::is_served(switches, load) ? 1.0 : 0.0;
  }
}

void report_power(const Plant& plant, const electrical::PowerFlow& power, std::span<double> signals) noexcept {
  std::ranges::copy(power.bus_w, signals.subspan(plant.map.bus_power(0), plant.map.bus_count).begin());
}

}  // namespace wattloop::twin
