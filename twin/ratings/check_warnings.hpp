// The warnings of `wattloop check` for a scenario.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "twin/scenario/specs/scenario.hpp"

namespace wattloop::twin {

/// The figure of a study's run that says how many there are, and the first.
inline constexpr const char* check_warnings_figure = "check_warnings";

/// Nothing that happens in a run changes them: events are left out. Throws InputError.
std::vector<std::string> check_warnings(const Scenario& scenario);

/// "2 warnings at nameplate load", or that ratings are consistent.
std::string nameplate_verdict(std::size_t warnings);

}  // namespace wattloop::twin
