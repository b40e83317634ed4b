// What `wattloop compare` prints of results files, for people and for programs.
#pragma once

#include <cstddef>
#include <string>

#include "core/units/units.hpp"
#include "twin/comparison/comparison.hpp"

namespace wattloop::twin {

struct CompareStyle {
  UnitStyle units = UnitStyle::metric;
  std::size_t lines = 15;  ///< of each table; 0: all
  bool shows_equal = false;
};

/// Tables of at most 80 columns where two files are compared.
std::string compare_text(const Comparison& comparison, const CompareStyle& style);

}  // namespace wattloop::twin
