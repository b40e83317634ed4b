// Power of a network switch: from idle over what is typical in traffic to its maximum, by two straight lines.
//
//   P = P_idle    + (P_typical - P_idle) x / x_t               x <= x_t      x = traffic over capacity, mean of all ports
//   P = P_typical + (P_max - P_typical) (x - x_t) / (1 - x_t)  x >  x_t      x_t: traffic at which it is typical
//
// Without a typical power it is one line from idle to maximum. Assumption: optics and SerDes draw most of the power and do
// not sleep, so the first line is flat: a metered switch under eight training nodes drew 682 W before and after its jobs
// and 721 W at its 99 % quantile [mlperf_training_v41_dell]. The maximum of a 64-port NDR switch is 1.72 kW [qm9700_power].
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "core/parts/field.hpp"

namespace wattloop::network {

struct SwitchParams {
  static constexpr std::string_view kind = "switch";

  double idle_w = required;
  double typical_w = 0.0;
  double typical_traffic_fraction = 0.5;
  double max_w = required;
  double optics_w = 0.0;
  double highest_inlet_k = 308.15;
  double hold_up_s = 0.01;

  static constexpr auto fields() {
    using P = SwitchParams;
    return std::array{
        Field<P>{&P::idle_w, "idle_power", "W", Range::non_negative,
                 "Power with all links up and no traffic, including optics."},
        Field<P>{&P::typical_w, "typical_power", "W", Range::non_negative,
                 "Power at typical traffic, including optics; 0: power follows a straight line from idle to maximum."},
        Field<P>{&P::typical_traffic_fraction, "typical_traffic", "1", Range::positive_fraction,
                 "Traffic divided by capacity at which the switch draws its typical power."},
        Field<P>{&P::max_w, "max_power", "W", Range::positive,
                 "Largest power with all ports at full rate, including optics; the power of a rack of these switches "
                 "is planned with it."},
        Field<P>{&P::optics_w, "optics_power", "W", Range::non_negative,
                 "Power of the optical modules in the ports of the switch, at any traffic; it is part of the powers "
                 "above. With a modelled fabric it is recorded separately."},
        Field<P>{&P::highest_inlet_k, "highest_inlet_temperature", "K", Range::positive,
                 "Highest inlet air temperature that the maker allows."},
        Field<P>{&P::hold_up_s, "hold_up_time", "s", Range::non_negative,
                 "Hold-up time: time for which its power supplies carry it without input."},
    };
  }
};

/// Power at a traffic fraction, which is clamped to 0 .. 1.
constexpr double switch_power_w(const SwitchParams& params, double traffic_fraction) noexcept {
  const double x = std::clamp(traffic_fraction, 0.0, 1.0);
  if (params.typical_w == 0.0) return params.idle_w + (params.max_w - params.idle_w) * x;
  const double typical = params.typical_traffic_fraction;
  if (x <= typical) return params.idle_w + (params.typical_w - params.idle_w) * (x / typical);
  return params.typical_w + (params.max_w - params.typical_w) * ((x - typical) / (1.0 - typical));
}

/// What is wrong with powers that each lie in range: they must not fall with traffic.
inline std::vector<std::string> check(const SwitchParams& params) {
  std::vector<std::string> messages;
  const double typical_w = params.typical_w == 0.0 ? params.idle_w : params.typical_w;
  if (typical_w < params.idle_w) messages.emplace_back("typical_power of a switch is below its idle_power");
  if (params.optics_w > params.idle_w) messages.emplace_back("optics_power of a switch is above its idle_power");
  if (params.max_w < typical_w) {
    messages.emplace_back(params.typical_w == 0.0 ? "max_power of a switch is below its idle_power"
                                                  : "max_power of a switch is below its typical_power");
  }
  return messages;
}

}  // namespace wattloop::network
