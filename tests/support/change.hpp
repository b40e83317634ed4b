// A `set` event as a scenario would say it.
#pragma once

#include <string>
#include <vector>

#include "twin/scenario/specs/scenario.hpp"

namespace wattloop::tests {

struct Change {
  double at_s = 0.0;
  std::vector<std::string> targets{};
  double to_si = 0.0;
  double by_si = 0.0;  ///< if not 0, instead of `to_si`
  double over_s = 0.0;
  double for_s = 0.0;  ///< 0: for good
};

inline twin::EventSpec set_event(const Change& change) {
  twin::EventSpec spec;
  spec.kind = twin::EventSpec::Kind::set;
  spec.at_s = change.at_s;
  spec.targets = change.targets;
  spec.over_s = change.over_s;
  if (change.by_si != 0.0) spec.by_si = change.by_si;
  if (change.by_si == 0.0) spec.to_si = change.to_si;
  if (change.for_s > 0.0) spec.for_s = change.for_s;
  return spec;
}

}  // namespace wattloop::tests
