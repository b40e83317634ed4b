// How far apart two recorded values may be and still count as the same.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/text/problem.hpp"

namespace wattloop::twin {

struct Tolerances {
  double ratio = 1e-3;                                 ///< of the largest value of the quantity in both files
  std::map<std::string, double> absolute{{"K", 0.1}};  ///< by SI unit; goes before the ratio

  /// Of a quantity in `unit`, whose largest value is `largest`.
  double of(const std::string& unit, double largest) const;
  /// "0.1 % of the largest value, 0.1 K".
  std::string text() const;
};

/// As people write them: "0.5 %" is the ratio, "0.5 K" or "1 kW" hold for quantities of that unit among `units`; "0" is any difference at
/// all. What is wrong goes to `problems`.
Tolerances read_tolerances(std::span<const std::string> texts, std::span<const std::string> units, Problems& problems);

}  // namespace wattloop::twin
