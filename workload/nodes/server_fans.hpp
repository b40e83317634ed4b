// Fans of a server, as its board management controller runs them: speed from inlet air and from the hottest die.
//
//   speed requested = the largest of   lowest_speed
//                                      inlet line    lowest_speed at inlet_rise ... 1 at inlet_full_speed
//                                      die line      lowest_speed at die_rise ... 1 at die_full_speed
//                                      rise          heat of the server without fans / (air_rise x c x design air)
//                                      slow trim     speed + (T_die - die_target) / (die_full_speed - die_target) interval / trim_time
//   next speed   = speed moved towards it by at most interval / ramp_time, at most 1
//
//   watts = rated watts x speed^3,  air = design air x speed
//
// The laws of a fan in a given system: [asme_ashrae_pumps]. Makers do not publish their control. An air-cooled node of eight H100 lets its
// dies pass 75 degC with fans as they were, and then brings the hottest back to 70 degC within minutes: a slow trim. Its target and time
// are fitted to that record [gpu_telemetry_h100_10hz]; the lines are estimates, from the 30 degC that the maker allows
// [nvidia_dgx_h100_user_guide] and the 87 degC at which dies throttle [nvidia_smi_h100].
// Verified in tests/verification/air/server_fans.cpp. Documented in docs/models/server_fans.md.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "core/parts/field.hpp"

namespace wattloop::workload {

/// How a server runs its fans.
struct ServerFanParams {
  bool is_controlled = true;
  double lowest_speed_fraction = 0.6;
  double inlet_rise_k = 298.15;
  double inlet_full_speed_k = 308.15;
  double die_rise_k = 351.15;
  double die_full_speed_k = 360.15;
  double die_target_k = 342.65;
  double trim_s = 150.0;
  double air_rise_k = 0.0;
  double ramp_s = 20.0;

  static constexpr auto fields() {
    using P = ServerFanParams;
    return std::array{
        Field<P>{&P::is_controlled, "controlled", "true: fans follow temperatures. false: fans run at full speed."},
        Field<P>{&P::lowest_speed_fraction, "lowest_speed", "1", Range::positive_fraction,
                 "Fan speed with cool air and cool dies, divided by full speed."},
        Field<P>{&P::inlet_rise_k, "inlet_rise", "K", Range::positive,
                 "Inlet air temperature from which the fan speed rises linearly."},
        Field<P>{&P::inlet_full_speed_k, "inlet_full_speed", "K", Range::positive,
                 "Inlet air temperature at which fans reach full speed."},
        Field<P>{&P::die_rise_k, "die_rise", "K", Range::positive,
                 "Temperature of the hottest die from which the fan speed rises linearly."},
        Field<P>{&P::die_full_speed_k, "die_full_speed", "K", Range::positive,
                 "Temperature of the hottest die at which fans reach full speed."},
        Field<P>{&P::die_target_k, "die_target", "K", Range::positive,
                 "Set-point of the slow trim for the hottest die: above it the trim raises the speed slowly, below it "
                 "the trim lowers it."},
        Field<P>{&P::trim_s, "trim_time", "s", Range::non_negative,
                 "Time in which the trim goes from zero to full speed while the hottest die is at `die_full_speed`; 0: "
                 "no trim."},
        Field<P>{&P::air_rise_k, "air_rise", "delta_K", Range::non_negative,
                 "Temperature rise of the air through the server, without the heat of the fans, that the fan speed "
                 "keeps; 0: the speed does not follow the heat."},
        Field<P>{&P::ramp_s, "ramp_time", "s", Range::non_negative,
                 "Shortest time from zero to full speed; 0: the speed follows at once."},
    };
  }
};

/// What the two lines ask for, at least the lowest speed: with it fans begin, too.
double line_speed(const ServerFanParams& params, double inlet_k, double hottest_die_k) noexcept;

/// Speed over full speed after `interval_s` with that air before the server and that hottest die. `full_speed_rise_k`: by how much its
/// heat, but that of fans, would warm the air at full speed.
double next_speed(const ServerFanParams& params, double speed_before, double inlet_k, double hottest_die_k,
                  double interval_s, double full_speed_rise_k = 0.0) noexcept;

/// What fans draw at a speed, from what they draw at full speed.
constexpr double fans_w(double rated_w, double speed_fraction) noexcept {
  return rated_w * speed_fraction * speed_fraction * speed_fraction;
}

/// What they move at a speed, from what they move at full speed.
constexpr double fans_kg_per_s(double design_kg_per_s, double speed_fraction) noexcept {
  return design_kg_per_s * speed_fraction;
}

/// What is wrong with these, in words; mostly nothing.
std::vector<std::string> check(const ServerFanParams& params);

}  // namespace wattloop::workload
