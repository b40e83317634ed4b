// Measured files that settings follow: CSV with a line of names, a column of times and columns of numbers.
//
//   t_s,pump,supply          times increase; an empty cell or NaN is a missing one; '#' starts a comment line
//   0,61.2,24.1              what it is in, and how it is read: twin/scenario/follow_spec.hpp
#pragma once

#include <span>

#include "core/problem.hpp"
#include "twin/scenario/follow_spec.hpp"

namespace wattloop::twin {

/// Reads the series of all that follow files, each file once, for a run of that length. What is wrong goes to `problems`, with the line
/// of the file where it is that file's.
void read_followed_files(std::span<FollowSpec* const> followed, double duration_s, Problems& problems);

}  // namespace wattloop::twin
