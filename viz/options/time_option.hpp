// A time given on the command line.
#pragma once

#include <optional>
#include <string>

namespace wattloop::viz {

/// Seconds of "30 min"; nothing where nothing was given. Throws the `InputError` that names `option`.
std::optional<double> read_time_option_s(const std::string& option, const std::string& given);

}  // namespace wattloop::viz
