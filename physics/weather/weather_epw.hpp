// Weather of an EPW file.
#pragma once

#include <string>

#include "core/text/problem.hpp"
#include "physics/weather/weather.hpp"

namespace wattloop::physics {

/// A year of hours (8,760 or 8,784) from an EPW file. What is wrong with it is added to `problems`, with line
/// and column; `named_at` is where the file was named in another one, and the place of a problem of the file
/// as a whole. Without new problems the year is complete and every value finite.
Weather read_epw(const std::string& path, Problems& problems, const Place& named_at = {});

}  // namespace wattloop::physics
