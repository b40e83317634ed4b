// A fuse of utilisation category gG: it protects conductors over the full range. It loses nothing. A fuse-link that has melted is replaced: `restore`.
//
//   melting time   t = 860 s (I_n / 400 A)^0.65 / (M^3.7 - 1),   M = I / (1.25 I_n)
//
// 1.25 I_n is the conventional non-fusing current; the three constants are fitted so that each rated current from 16 to 1,250 A melts within
// the gates of [iec_60269_1] table 3, by a factor of 1.6 in time or more. Verified in tests/verification/power/overcurrent_curves.cpp against those gates.
#pragma once

#include <array>
#include <cmath>
#include <numbers>
#include <string_view>

#include "electrical/electrical_kind.hpp"

namespace wattloop::electrical {

struct Fuse {
  static constexpr std::string_view kind = "fuse", noun = "fuse", plural = "fuses";
  static constexpr std::string_view doc = "A fuse of utilisation category gG, in all three phases.";
  struct Params {
    double rated_a = required;
    double voltage_v = required;
    double breaking_capacity_a = 120e3;

    static constexpr auto fields() {
      using P = Params;
      return std::array{
          Field<P>{&P::rated_a, "rated_current", "A", Range::positive,
                   "Rated current: current that the fuse carries continuously."},
          Field<P>{&P::voltage_v, "voltage", "V", Range::positive,
                   "Highest nominal line-to-line voltage for which the fuse is built."},
          Field<P>{&P::breaking_capacity_a, "breaking_capacity", "A", Range::positive,
                   "Short-circuit current that it interrupts."},
      };
    }
  };

  static constexpr double rated_w(const Params& p) noexcept { return std::numbers::sqrt3 * p.voltage_v * p.rated_a; }

  static constexpr auto events = switch_events;
  static constexpr PartTable table = feeder_table;
  static constexpr Box box = not_drawn;
  static constexpr auto columns() { return passage_columns; }
  static constexpr auto ratings() {
    return std::array{Rating<Fuse>{"power", [](const Params& p) { return rated_w(p); }}};
  }

  static InverseCurve melting(const Params& p) noexcept { return {860.0 * std::pow(p.rated_a / 400.0, 0.65), 3.7}; }
  static constexpr double non_fusing_ratio = 1.25;
  static constexpr double fastest_s = 0.004;  ///< shortest melting time that the law is used for
  static constexpr double cooling_s = 600.0;  ///< from nearly melted to cold [engineering_estimate]

  static Endurance endurance(const Params& p) noexcept {
    return endures_inversely(non_fusing_ratio, melting(p), 1.0, {fastest_s, cooling_s});
  }
  static constexpr auto limits() { return std::array{Limit<Fuse>{"loading", "1", &endurance, Beyond::trip}}; }

  /// Fuse-links of gG are selective from a ratio of 1.6 of their rated currents [iec_60269_1].
  static constexpr FixedStages fixed_stages(const Params&) noexcept { return {.selective_ratio = 1.6}; }
  static constexpr double highest_voltage_v(const Params& p) noexcept { return p.voltage_v; }
  static constexpr Params at_voltage(Params p, double nominal_v) noexcept {
    p.voltage_v = nominal_v;
    return p;
  }
  static constexpr double breaking_capacity_a(const Params& p) noexcept { return p.breaking_capacity_a; }
  static constexpr LossCurve loss_curve(const Params&) noexcept { return {}; }
};

static_assert(PassageKind<Fuse>);

}  // namespace wattloop::electrical
