// The static bypass of a UPS: thyristors and a maintenance switch around all of its modules, from the bus before it to the bus behind it. It
// carries while the UPS does not: after an overload, in air that is too hot, when all modules have failed, and while people open the UPS.
//
//   loss = share of the power that goes through it
//
// Up to its limit, 125 % of the rating of the UPS, it carries continuously, an hour just beyond it and a minute at 1.2 times the limit; the time
// falls exponentially through these points (estimates: makers state from 110 to 135 % continuously, and far more for a fraction of a second). What it does when: twin/actions/power/bypass.hpp.
// Verified in tests/unit/plant/ups_bypass.cpp.
#pragma once

#include <array>
#include <string_view>

#include "electrical/electrical_kind.hpp"

namespace wattloop::electrical {

struct UpsBypass {
  static constexpr std::string_view kind = "ups_bypass", noun = "UPS bypass", plural = "UPS bypasses";
  static constexpr std::string_view doc = "The static bypass of a UPS.";
  struct Params {
    double rated_w = required;
    double loss_fraction = required;
    double overload_limit_ratio = required;
    double overload_120_s = 60.0;
    double overload_recovery_s = 600.0;

    static constexpr auto fields() {
      using P = Params;
      return std::array{
          Field<P>{&P::rated_w, "rated_power", "W", Range::positive, "Rated output power of all modules of its UPS."},
          Field<P>{&P::loss_fraction, "loss", "1", Range::fraction, "Loss divided by the power that goes through it."},
          Field<P>{&P::overload_limit_ratio, "overload_limit", "1", Range::positive,
                   "Power carried continuously, divided by rated power."},
          Field<P>{&P::overload_120_s, "overload_120_time", "s", Range::positive,
                   "Permitted time at 1.2 times this power; just above this power it is an hour."},
          Field<P>{&P::overload_recovery_s, "overload_recovery", "s", Range::positive,
                   "Time after an overload until the full permitted overload time is available again."},
      };
    }
  };

  static constexpr auto events = switch_events;
  static constexpr PartTable table = feeder_table;
  static constexpr Box box = not_drawn;
  static constexpr std::string_view metered_under = "ups";
  static constexpr auto columns() { return passage_columns; }
  static constexpr auto ratings() {
    return std::array{Rating<UpsBypass>{"power", [](const Params& p) { return p.rated_w; }, "what its UPS does not"}};
  }

  static constexpr double endured_at_limit_s = 3600.0;
  static Endurance endurance(const Params& p) noexcept {
    return endures_points(p.overload_limit_ratio, {p.overload_limit_ratio, endured_at_limit_s},
                          {1.2 * p.overload_limit_ratio, p.overload_120_s}, {breaker_opens_s, p.overload_recovery_s});
  }
  static constexpr auto limits() { return std::array{Limit<UpsBypass>{"loading", "1", &endurance, Beyond::trip}}; }

  static constexpr LossCurve loss_curve(const Params& p) noexcept { return {.linear_ratio = p.loss_fraction}; }
};

static_assert(PassageKind<UpsBypass>);

}  // namespace wattloop::electrical
