// GPU protection in firmware: what clock a die of a given temperature is allowed.
//
//   clock = 1                                        T < 87 degC
//   clock falls linearly to clock_before_slowdown    87 ... 89 degC, without hysteresis
//   clock = 1/2                                      T >= 89 degC
//   clock = 0, GPU and node are off                  T >= 95 degC, until restart_after has passed; without it to the end
//
//   watts = idle + (asked - idle) clock^2            below full clock, time counts as throttled
//
// A power limit holds load and leakage together: load = limit - leakage, the clock gives way by the same law, time counts as capped.
//
// Temperatures from the limits that an H100 reports [nvidia_smi_h100]. The floor of the ramp is an estimate.
// Verified in tests/verification/units/gpu_protection.cpp. Documented in docs/models/gpu_protection.md.
#pragma once

#include <array>
#include <string>

#include "core/parts/field.hpp"

namespace wattloop::workload {

/// Temperature limits of a GPU and what its firmware does there.
struct ProtectionParams {
  bool is_enabled = true;
  double throttle_k = 360.15;
  double slowdown_k = 362.15;
  double shutdown_k = 368.15;
  double ramp_end_clock_fraction = 0.75;
  double slowdown_clock_fraction = 0.5;
  double restart_after_s = 0.0;

  static constexpr auto fields() {
    using P = ProtectionParams;
    return std::array{
        Field<P>{&P::is_enabled, "enabled", "Whether firmware protects GPUs; write false only for studies."},
        Field<P>{&P::throttle_k, "throttle_temperature", "K", Range::positive,
                 "Die temperature above which the clock cap starts to fall."},
        Field<P>{&P::slowdown_k, "slowdown_temperature", "K", Range::positive,
                 "Die temperature at which the clock is halved."},
        Field<P>{&P::shutdown_k, "shutdown_temperature", "K", Range::positive,
                 "Die temperature at which GPU and node switch off."},
        Field<P>{&P::ramp_end_clock_fraction, "clock_before_slowdown", "1", Range::positive_fraction,
                 "Clock fraction reached just below the slowdown temperature."},
        Field<P>{&P::slowdown_clock_fraction, "slowdown_clock", "1", Range::positive_fraction,
                 "Clock fraction at and above the slowdown temperature."},
        Field<P>{&P::restart_after_s, "restart_after", "s", Range::non_negative,
                 "Time after which a node that switched off because of a hot die starts again; 0: it stays off."},
    };
  }
};

/// Clock that firmware allows a die of `die_k`, as a fraction of the clock without protection; 0 is switched
/// off. That a GPU once switched off stays so for a while is for the caller to remember.
double clock_fraction(const ProtectionParams& params, double die_k) noexcept;

/// Watts left of `asked_w` at `clock_fraction`. Nothing is taken from a GPU that asks for no more than idle
/// power, except by a clock of 0, which means off.
double throttled_w(double idle_w, double asked_w, double clock_fraction) noexcept;

/// What a power limit leaves of a load, and the clock that goes with it.
struct CappedLoad {
  double load_w;
  double clock_fraction;  ///< over full clock; 1 where the limit takes nothing
};

/// Of `given_w` that a clock by temperature left of `asked_w`, where leakage leaves `allowed_w` of the limit. Idle power stays.
CappedLoad capped_load(double idle_w, double asked_w, double given_w, double allowed_w) noexcept;

}  // namespace wattloop::workload
