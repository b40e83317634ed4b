// Of two figures, both to be small: what is beaten by nothing. A point is beaten by one that is no worse in either and better in one.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace wattloop::twin {

struct TwoFigures {
  double first = 0.0, second = 0.0;
};

/// Numbers of the points of the front, by the first figure; equal ones stand beside each other. Points that are no numbers are of no front.
std::vector<std::size_t> pareto_front(std::span<const TwoFigures> points);

}  // namespace wattloop::twin
