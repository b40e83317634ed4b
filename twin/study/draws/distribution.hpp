// What is not known of a value: how likely it is to be what. Samples of the unit interval become samples of it by its inverse.
//
//   normal       mean + deviation z(u)
//   lognormal    median factor^z(u): 68 % of all between median / factor and median * factor
//   triangular   from, likeliest, to
//   uniform      from, to
//   u between F(from) and F(to) where a normal or lognormal one has ends
//
// Source: [johnson1994] ch. 13, 14, 26. Verified in tests/unit/study/distribution.cpp.
#pragma once

#include <optional>
#include <string>

namespace wattloop::twin {

struct Distribution {
  enum class Kind { normal, lognormal, triangular, uniform };
  Kind kind = Kind::uniform;
  double middle = 0.0;  ///< mean, median or likeliest
  double spread = 0.0;  ///< deviation, or the factor of a lognormal one
  std::optional<double> from{}, to{};
  std::string unit{};  ///< of all but factors, as it was written

  /// What a share of all is below; `share` from 0 to 1, of what has no ends kept off them.
  double quantile(double share) const;
};

}  // namespace wattloop::twin
