// What is remembered of limits of parts (twin/plant/state/limited_quantities.hpp): since when a part is beyond one, and how far it has been.
#pragma once

#include <limits>
#include <vector>

namespace wattloop::twin {

/// Of one part and one limit; times are infinite where there is nothing to say.
struct PartBeyond {
  static constexpr double never_s = std::numeric_limits<double>::infinity();

  double since_s = never_s;        ///< when it went beyond
  double below_since_s = never_s;  ///< when it came back, until that is reported
  double begin_value = 0.0;        ///< with which it did
  double worst_since = 0.0;        ///< farthest that it has been since then
  double first_s = never_s;        ///< when it was beyond for the first time
  double worst = 0.0;              ///< farthest that it has been, ever
  double worst_s = 0.0;            ///< when
  double beyond_s = 0.0;           ///< for how long, in all
  bool is_reported = false;

  bool is_over() const { return since_s < never_s; }
  bool was_ever() const { return first_s < never_s; }
  bool operator==(const PartBeyond&) const = default;
};

struct LimitState {
  double begin_s = 0.0, end_s = 0.0;  ///< of the last interval that is counted
  std::vector<PartBeyond> parts;      ///< [part of limited quantity]

  bool operator==(const LimitState&) const = default;
};

}  // namespace wattloop::twin
