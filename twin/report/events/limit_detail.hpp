// What an event says of a limit, with the number of the limit before the reason, so that a text that is cut keeps it.
#pragma once

#include <cstddef>
#include <string>

namespace wattloop::twin {

/// "temperature 40 degC, limit 35 degC (hotter than ... allows); and 3 more" of "temperature 40 degC, hotter than ... allows: 35 degC; and 3 more"; what has
/// another form is returned as it is.
std::string limit_before_reason(const std::string& detail);

/// 1, and N of "; and N more of 160 racks".
std::size_t parts_reported(const std::string& detail);

/// The same without "; and N more of 160 racks".
std::string without_more_parts(const std::string& detail);

}  // namespace wattloop::twin
