// Units over one sample: what the multirate integrator asks of a group of units, without knowing its model.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "core/unit_model.hpp"

namespace wattloop::twin {

inline constexpr std::size_t most_ports = 2;

/// States of units that share their inlets: state s of unit u is first[s * stride + u].
struct UnitColumns {
  double* first;
  std::size_t stride;
  std::size_t count;
};

/// One sample: loads are held, inlets go linearly from `begin` to `end`.
struct UnitSample {
  double duration_s;
  std::span<const PortNow> begin, end;  ///< [port], flow is one unit's share
  std::span<const double> load_w;       ///< [unit]
};

/// What all units of a sample did together.
struct UnitYield {
  std::array<double, most_ports> heat_j{};  ///< [port] given to what flows past
  double energy_j = 0.0;                    ///< drawn
  std::array<double, most_ports> begin_heat_w{};  ///< at the begin of the sample
  double begin_power_w = 0.0;
};

/// Advances units of one group. Remembers what it computed for speed alone: results do not depend on its past.
class UnitPropagation {
 public:
  virtual ~UnitPropagation() = default;

  /// Moves `units` to the end of the sample. Energy drawn = heat given + change of stored energy, to rounding, for units
  /// of constant heat capacities. Power drawn at the begin goes to `begin_power_w` [unit], if it is not empty.
  virtual UnitYield advance(const UnitSample& sample, const UnitColumns& units, std::span<double> begin_power_w) = 0;

  /// By how many kelvin of inlet temperature the heat of a unit in the mean state of `units` differs between two inlets;
  /// the largest over ports.
  virtual double mismatch_k(std::span<const PortNow> used, std::span<const PortNow> actual, double load_w,
                            const UnitColumns& units) = 0;
};

}  // namespace wattloop::twin
