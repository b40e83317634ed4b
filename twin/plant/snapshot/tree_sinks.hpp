// Where what the power tree does goes: feed, outdoors, losses by kind, rooms, batteries. One list for all who add it up.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "twin/plant/equipment/plant.hpp"

namespace wattloop::twin {

/// Numbers of sinks in the order in which `tree_powers_w` gives what goes there.
std::vector<std::size_t> tree_sinks(const Plant& plant);

/// What goes to each of `tree_sinks`, W. Allocates nothing.
void tree_powers_w(const Plant& plant, const electrical::PowerFlow& power, std::span<double> to_sinks_w) noexcept;

}  // namespace wattloop::twin
