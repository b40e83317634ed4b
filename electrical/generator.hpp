// Standby generator: rating and times. Its dynamics are not modelled yet: it is live a start time after loss of its feed.
//
// Overload: none at a standby rating [cummins_standby_rating]: 110 % for 10 s and 150 % for a second, until its protection opens; the time
// falls exponentially through these points (estimates). A set of a prime rating, 110 % for an hour in twelve, says so by its parameters. Verified in tests/verification/power/overload.cpp.
#pragma once

#include <array>
#include <string_view>

#include "electrical/electrical_kind.hpp"

namespace wattloop::electrical {

struct Generator {
  static constexpr std::string_view kind = "generator", noun = "generator", plural = "generators";
  static constexpr std::string_view doc = "A diesel generator set.";
  struct Params {
    double rated_w = required;
    double start_time_s = 10.0;
    double retransfer_delay_s = 60.0;
    double overload_limit_ratio = 1.0;
    double overload_110_s = 10.0;
    double overload_150_s = 1.0;
    double overload_recovery_s = 39600.0;
    double subtransient_reactance_fraction = 0.12;
    double rated_power_factor = 0.8;
    double sustained_short_circuit_ratio = 3.0;

    static constexpr auto fields() {
      using P = Params;
      return std::array{
          Field<P>{&P::rated_w, "rated_power", "W", Range::positive, "Standby power rating of one generator set."},
          Field<P>{&P::start_time_s, "start_time", "s", Range::non_negative,
                   "Time from the loss of the feed until the generators take the load."},
          Field<P>{&P::retransfer_delay_s, "retransfer_delay", "s", Range::non_negative,
                   "Time for which the feed must have voltage again before the load returns to it."},
          Field<P>{&P::overload_limit_ratio, "overload_limit", "1", Range::positive,
                   "Power carried continuously, divided by rated power."},
          Field<P>{&P::overload_110_s, "overload_110_time", "s", Range::positive,
                   "Permitted overload time at 110 % of rated power."},
          Field<P>{&P::overload_150_s, "overload_150_time", "s", Range::positive,
                   "Permitted overload time at 150 % of rated power; at other loads the time follows an exponential "
                   "function of the load."},
          Field<P>{&P::overload_recovery_s, "overload_recovery", "s", Range::positive,
                   "Time after an overload until the full permitted overload time is available again."},
          Field<P>{&P::subtransient_reactance_fraction, "subtransient_reactance", "1", Range::positive_fraction,
                   "Subtransient reactance of one generator set divided by its rated impedance; it gives the "
                   "short-circuit current (estimate)."},
          Field<P>{
              &P::rated_power_factor, "rated_power_factor", "1", Range::positive_fraction,
              "Rated power factor: rated power divided by rated apparent power; the rated impedance follows from it."},
          Field<P>{&P::sustained_short_circuit_ratio, "sustained_short_circuit", "1", Range::positive,
                   "Sustained short-circuit current at its terminals divided by rated current (estimate): 3 with "
                   "separately supplied excitation, less without it."},
      };
    }
  };

  static constexpr bool is_standby = true;
  static constexpr auto events = switch_events;
  static constexpr PartTable table = {"generators", "generator"};
  static constexpr Box box{2.40, 7.00, 3.00, BoxPlace::yard};
  static constexpr auto columns() { return source_columns; }
  static constexpr auto ratings() {
    return std::array{Rating<Generator>{"power", [](const Params& p) { return p.rated_w; }, "its share of all"}};
  }

  static constexpr double stalls_s = 1.0;
  static Endurance endurance(const Params& p) noexcept {
    return endures_points(p.overload_limit_ratio, {1.1, p.overload_110_s}, {1.5, p.overload_150_s},
                          {stalls_s, p.overload_recovery_s});
  }
  static constexpr auto relations(const Params& p) noexcept {
    return std::array{
        Relation{"overload_150_time",
                 p.overload_150_s,
                 "overload_110_time",
                 p.overload_110_s,
                 "s",
                 true,
                 {"overload_150_time", "overload_110_time"},
                 "a higher load has a shorter permitted time: lower the first of the two times, or raise the second"}};
  }
  static constexpr auto limits() { return std::array{Limit<Generator>{"loading", "1", &endurance, Beyond::trip}}; }
};

static_assert(SourceKind<Generator>);

}  // namespace wattloop::electrical
