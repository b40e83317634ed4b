// A time given on the command line.
#pragma once

#include <optional>
#include <string>

namespace wattloop::viz {

/// Seconds of "30 min", or of "16:00" and "2026-07-15 16:00" of a run that starts then; nothing where nothing was given. Throws the `InputError` that names `option`.
std::optional<double> read_time_option_s(const std::string& option, const std::string& given,
                                         const std::string& start_iso);

}  // namespace wattloop::viz
