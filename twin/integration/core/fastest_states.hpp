// Which states move most: the first question when an integration fails.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "twin/plant/state/plant_state.hpp"

namespace wattloop::twin {

/// "gpu.die_temperature of ... 401.2 K (+3.1e+01 K/s), ..." for the three states whose rates are largest over their tolerance.
std::string fastest_states(const Plant& plant, std::span<const double> states, std::span<const double> rates);

/// The same for those who have no solver in mind: "room_1.mass.temperature at 162.4 degC rises by 29.6 K an hour, ...".
std::string unsteady_states(const Plant& plant, std::span<const double> states, std::span<const double> rates);

/// Throws SolverError for a multirate run that cannot go on from that state, with the states that move most.
[[noreturn]] void give_up(const Plant& plant, const PlantState& state, double time_s, std::string_view why);

}  // namespace wattloop::twin
