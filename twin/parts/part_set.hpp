// All parts of one kind, whatever kind it is: pure functions from a few signals to a few sinks, written once and run for all
// parts of the kind. The same wiring gives rates and entries of the Jacobian.
#pragma once

#include <any>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "twin/units/jacobian_sink.hpp"

namespace wattloop::twin {

/// How a part is connected.
struct PartWiring {
  std::string name = {};               ///< never empty where the kind has columns
  std::any params;                     ///< holds the Params of the kind
  std::span<const double> seen;        ///< [number of Now] numbers of signals, or values of what is given
  std::span<const double> done;        ///< [number of Effect] numbers of sinks
  std::span<const double> shown = {};  ///< [number of Shown] numbers of signals
};

/// Where columns of parts read.
struct ReadPlant {
  std::span<const double> signals;
  std::span<const double> sinks;  ///< of them loads alone
};

class PartSet {
 public:
  virtual ~PartSet() = default;

  virtual void add(const PartWiring& wiring) = 0;
  /// Names of the parts that have columns.
  virtual std::span<const std::string> names() const = 0;

  /// What a set remembers from one evaluation to the next, as numbers. It saves time and changes no result.
  virtual std::vector<double> make_memory() const = 0;
  virtual void evaluate(std::span<const double> signals, std::span<double> sinks, std::span<double> memory) const = 0;
  /// Whether its parts see what the power tree makes of the loads, so that they are evaluated behind it.
  virtual bool follows_power() const = 0;
  virtual void differentiate(std::span<const double> signals, JacobianSink& jacobian) const = 0;

  /// Whether any part adds to a sink that is marked in `is_requested` [sink].
  virtual bool feeds_any(std::span<const std::uint8_t> is_requested) const = 0;

  /// A column of the kind, for all parts or for one. Allocates nothing.
  virtual void fill_column(std::size_t column, const ReadPlant& from, std::span<double> parts) const = 0;
  virtual double column_of(std::size_t part, std::size_t column, const ReadPlant& from) const = 0;
  virtual double rated_w(std::size_t part, std::size_t rating) const = 0;
  /// What now leaves of that rating.
  virtual double left_w(std::size_t part, std::size_t rating, const ReadPlant& from) const = 0;
  /// What it carries now, where the rating has that beside its column.
  virtual double load_w(std::size_t part, std::size_t rating, const ReadPlant& from) const = 0;
  /// Of a declared limit, in the unit of its column; infinite where the part has none.
  virtual double limit(std::size_t part, std::size_t limit) const = 0;
  /// A quantity of the kind that is watched over a run, for all parts. Allocates nothing.
  virtual void fill_watched(std::size_t watched, const ReadPlant& from, std::span<double> parts) const = 0;
};

}  // namespace wattloop::twin
