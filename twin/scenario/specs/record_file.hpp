// Measured files that settings follow: CSV with a line of names, a column of times and columns of numbers.
//
//   t_s,pump,supply          times increase; an empty cell or NaN is a missing one; '#' starts a comment line
//   0,61.2,24.1              what it is in, and how it is read: twin/scenario/specs/follow_spec.hpp
//
// Files may be packed by gzip. Times are numbers of a unit, counted from the first row, or dates: the run begins where the file has its day and
// time of the year, whatever year it is of.
#pragma once

#include <span>
#include <string>

#include "core/text/problem.hpp"
#include "twin/scenario/specs/follow_spec.hpp"

namespace wattloop::twin {

/// The run that they are read for.
struct FollowingRun {
  double duration_s;
  std::string start;  ///< local standard time
};

/// Reads the series of all that follow files, each file once. What is wrong goes to `problems`, with the line of the file where it is
/// that file's.
void read_followed_files(std::span<FollowSpec* const> followed, const FollowingRun& run, Problems& problems);

}  // namespace wattloop::twin
