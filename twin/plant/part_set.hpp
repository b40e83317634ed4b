// All parts of one kind, whatever kind it is.
#pragma once

#include <any>
#include <span>

#include "twin/plant/component_set.hpp"

namespace wattloop::twin {

class PartSet : public ComponentSet {
 public:
  /// A part of which `seen` [number of Now] holds numbers of signals, or values of what is given, and `done` [number of Effect]
  /// numbers of sinks. `params` must hold the Params of the kind.
  virtual void add(const std::any& params, std::span<const double> seen, std::span<const double> done) = 0;
};

}  // namespace wattloop::twin
