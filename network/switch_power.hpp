// Power of a network switch: a line from idle to full traffic.
//
//   P = P_idle + (P_max - P_idle) x,   x = traffic over capacity, mean of all ports
//
// Assumption: optics and SerDes draw most of the power and do not sleep, so the line is flat; no public
// measurement of the slope for 400G switches is known to us. The maximum of a 64-port NDR switch is 1.72 kW
// [qm9700_power].
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

#include "core/field.hpp"

namespace wattloop::network {

struct SwitchParams {
  static constexpr std::string_view kind = "switch";

  double idle_w = required;
  double max_w = required;

  static constexpr auto fields() {
    using P = SwitchParams;
    return std::array{
        Field<P>{&P::idle_w, "idle_power", "W", Range::non_negative,
                 "Power with all links up and no traffic, optics included."},
        Field<P>{&P::max_w, "max_power", "W", Range::positive,
                 "Power with all ports at full rate, optics included."},
    };
  }
};

/// Power at a traffic fraction, which is clamped to 0 .. 1.
constexpr double switch_power_w(const SwitchParams& params, double traffic_fraction) noexcept {
  return params.idle_w + (params.max_w - params.idle_w) * std::clamp(traffic_fraction, 0.0, 1.0);
}

}  // namespace wattloop::network
