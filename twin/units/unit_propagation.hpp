// Units over one sample: what the multirate integrator asks of a group of units, without knowing its model.
#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <span>

#include "core/numbers/lanes.hpp"
#include "core/parts/unit_model.hpp"
#include "twin/units/rack_digest.hpp"

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
  double begin_power_w = 0.0;               ///< the same at the begin of the sample
};

/// A sample of one station.
struct UnitStep {
  UnitSample sample;
  UnitColumns units;
  double* begin_power_w = nullptr;     ///< [unit] out: power drawn at the begin; null where no one asks
  UnitYield* yield = nullptr;          ///< out
  bool has_flows_of_previous = false;  ///< surely the duration and the flows of the step before it in a list
  DieDigest* digest = nullptr;         ///< out: of the first state at the end of the sample; null where no one asks
  std::size_t first_unit = 0;          ///< of the group, where units differ from each other
};

/// Whether no unit of these is without load.
inline bool have_all_load(std::span<const UnitStep> steps) noexcept {
  Lanes least_w = same_lanes(std::numeric_limits<double>::infinity());
  for (const UnitStep& station : steps) {
    visit_by_lanes(
        station.units.count, [&](std::size_t first, auto count) __attribute__((always_inline)) {
          least_w = smaller(read_lanes(station.sample.load_w.data() + first, count), least_w);
        });
  }
  return smallest_of(least_w) > 0.0;
}

/// Advances units of one group. Remembers what it computed for speed alone: results do not depend on its past.
class UnitPropagation {
 public:
  virtual ~UnitPropagation() = default;

  /// Moves the units of each station to the end of its sample. Energy drawn = heat given + change of stored energy, to
  /// rounding, for units of constant heat capacities. Fastest for stations with the same flows one after the other.
  virtual void advance(std::span<const UnitStep> steps) = 0;

  /// The same for one station.
  UnitYield advance(const UnitSample& sample, const UnitColumns& units, std::span<double> begin_power_w) {
    UnitYield yield;
    const UnitStep step{sample, units, begin_power_w.empty() ? nullptr : begin_power_w.data(), &yield};
    advance({&step, 1});
    return yield;
  }

  /// By how many kelvin of inlet temperature the heat of a unit in the mean state of `units` differs between two inlets;
  /// the largest over ports.
  virtual double mismatch_k(std::span<const PortNow> used, std::span<const PortNow> actual, double load_w,
                            const UnitColumns& units) = 0;
};

}  // namespace wattloop::twin
