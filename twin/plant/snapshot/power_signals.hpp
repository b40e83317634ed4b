// Electric values as signals: which buses and loads are live, as switching decides, and the power that buses carry.
#pragma once

#include <cstddef>
#include <span>

#include "core/parts/port.hpp"
#include "twin/plant/equipment/plant.hpp"

namespace wattloop::twin {

// Where parts are connected: numbers of signals. Buses and loads are those of the power tree.
Bus bus_at(const SignalMap& map, std::size_t bus);
Live live_of_bus(const SignalMap& map, std::size_t bus);
Live live_of_load(const SignalMap& map, std::size_t load);

/// Live buses with their voltages, and served loads: before parts are evaluated. Allocates nothing.
void report_switches(const Plant& plant, const electrical::SwitchState& switches, std::span<double> signals) noexcept;

/// What buses carry: once the tree is evaluated. Allocates nothing.
void report_power(const Plant& plant, const electrical::PowerFlow& power, std::span<double> signals) noexcept;

}  // namespace wattloop::twin
