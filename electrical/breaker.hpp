// A circuit breaker, switch or transfer switch leg. It loses nothing. Overload trips it by one of the inverse-time curves of IEC and IEEE
// (electrical/protection/overcurrent_curve.hpp), times a multiplier. Its stages for short circuits and earth faults count in `check`: runs have none.
// Verified in tests/verification/power/overload.cpp.
#pragma once

#include <array>
#include <numbers>
#include <string_view>
#include <utility>

#include "electrical/electrical_kind.hpp"
#include "electrical/protection/overcurrent_curve.hpp"

namespace wattloop::electrical {

struct Breaker {
  static constexpr std::string_view kind = "breaker", noun = "breaker", plural = "breakers";
  static constexpr std::string_view doc = "A circuit breaker, switch or transfer switch leg.";
  struct Params {
    double rated_a = required;
    double voltage_v = 690.0;
    double overload_limit_ratio = 1.1;
    std::string_view curve = "iec_standard_inverse";
    double time_multiplier_ratio = 0.1;
    double overload_recovery_s = 600.0;
    double short_time_ratio = 0.0;
    double short_time_s = 0.3;
    double instantaneous_ratio = 0.0;
    double earth_ratio = 0.0;
    double earth_s = 0.3;
    double breaking_capacity_a = 0.0;

    static constexpr auto fields() {
      using P = Params;
      return std::array{
          Field<P>{&P::rated_a, "rated_current", "A", Range::positive,
                   "Rated current: current that it carries continuously."},
          Field<P>{&P::voltage_v, "voltage", "V", Range::positive,
                   "Highest nominal line-to-line voltage that it is built for."},
          Field<P>{&P::overload_limit_ratio, "overload_limit", "1", Range::positive,
                   "Power carried continuously, divided by rated power: pickup of the protection."},
          Field<P>{&P::curve, "curve", overcurrent_curve_names, "Inverse-time curve of its protection."},
          Field<P>{&P::time_multiplier_ratio, "time_multiplier", "1", Range::positive,
                   "Time multiplier of this curve."},
          Field<P>{&P::overload_recovery_s, "overload_recovery", "s", Range::positive,
                   "Time after an overload until the full permitted overload time is available again."},
          Field<P>{&P::short_time_ratio, "short_time_pickup", "1", Range::non_negative,
                   "Pickup of the short-time stage, divided by rated current: above this short-circuit current the "
                   "breaker opens after `short_time_delay`. 0: no such stage."},
          Field<P>{&P::short_time_s, "short_time_delay", "s", Range::non_negative, "Delay of the short-time stage."},
          Field<P>{&P::instantaneous_ratio, "instantaneous_pickup", "1", Range::non_negative,
                   "Pickup of the instantaneous stage, divided by rated current: above this short-circuit current the "
                   "breaker opens without delay, in 0.1 s. 0: no such stage."},
          Field<P>{&P::earth_ratio, "earth_pickup", "1", Range::non_negative,
                   "Pickup of the earth-fault stage, divided by rated current: above this current to earth the breaker "
                   "opens after `earth_delay`. 0: no such stage."},
          Field<P>{&P::earth_s, "earth_delay", "s", Range::non_negative, "Delay of the earth-fault stage."},
          Field<P>{&P::breaking_capacity_a, "breaking_capacity", "A", Range::non_negative,
                   "Breaking capacity: short-circuit current that it interrupts; 0: not known and not checked."},
      };
    }
  };

  /// Keys of before, and what is written now.
  static constexpr std::array former{
      std::pair{"rated_power", "write rated_current: 4000 A; this is rated power over sqrt(3) times the voltage"}};

  static constexpr double rated_w(const Params& p) noexcept { return std::numbers::sqrt3 * p.voltage_v * p.rated_a; }

  static constexpr auto events = switch_events;
  static constexpr PartTable table = feeder_table;
  static constexpr Box box = not_drawn;
  static constexpr auto columns() { return passage_columns; }
  static constexpr auto ratings() {
    return std::array{Rating<Breaker>{"power", [](const Params& p) { return rated_w(p); }}};
  }

  static constexpr Endurance endurance(const Params& p) noexcept {
    return endures_inversely(p.overload_limit_ratio, find_overcurrent_curve(p.curve)->inverse, p.time_multiplier_ratio,
                             {breaker_opens_s, p.overload_recovery_s});
  }
  static constexpr auto limits() { return std::array{Limit<Breaker>{"loading", "1", &endurance, Beyond::trip}}; }

  static constexpr FixedStages fixed_stages(const Params& p) noexcept {
    return {p.short_time_ratio, p.short_time_s, p.instantaneous_ratio, p.earth_ratio, p.earth_s};
  }
  static constexpr double highest_voltage_v(const Params& p) noexcept { return p.voltage_v; }
  static constexpr Params at_voltage(Params p, double nominal_v) noexcept {
    p.voltage_v = nominal_v;
    return p;
  }
  static constexpr double breaking_capacity_a(const Params& p) noexcept { return p.breaking_capacity_a; }
  static constexpr LossCurve loss_curve(const Params&) noexcept { return {}; }
};

static_assert(PassageKind<Breaker>);

}  // namespace wattloop::electrical
