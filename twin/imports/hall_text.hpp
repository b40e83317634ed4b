// An imported hall as a scenario in YAML, with what was assumed and how listed things are called there as comments.
#pragma once

#include <string>

#include "twin/imports/hall_groups.hpp"

namespace wattloop::twin {

/// The first line of an imported scenario, by which it is known.
inline constexpr const char* imported_head = "# Written by wattloop import hall";

/// `title`: of the scenario. What the lists do not say stands there as in the reference hall, by rack, marked as assumed.
std::string hall_text(const ImportedHall& hall, const std::string& title);

}  // namespace wattloop::twin
