// All parts of one kind, whatever kind it is: pure functions from a few signals to a few sinks, written once and run for all
// parts of the kind. The same wiring gives rates and entries of the Jacobian.
#pragma once

#include <any>
#include <cstdint>
#include <span>
#include <vector>

#include "twin/units/jacobian_sink.hpp"

namespace wattloop::twin {

class PartSet {
 public:
  virtual ~PartSet() = default;

  /// A part of which `seen` [number of Now] holds numbers of signals, or values of what is given, and `done` [number of Effect]
  /// numbers of sinks. `params` must hold the Params of the kind.
  virtual void add(const std::any& params, std::span<const double> seen, std::span<const double> done) = 0;

  /// What a set remembers from one evaluation to the next, as numbers. It saves time and changes no result.
  virtual std::vector<double> make_memory() const = 0;
  virtual void evaluate(std::span<const double> signals, std::span<double> sinks, std::span<double> memory) const = 0;
  virtual void differentiate(std::span<const double> signals, JacobianSink& jacobian) const = 0;

  /// Whether any part adds to a sink that is marked in `is_wanted` [sink].
  virtual bool feeds_any(std::span<const std::uint8_t> is_wanted) const = 0;
};

}  // namespace wattloop::twin
