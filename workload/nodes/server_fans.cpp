#include "workload/nodes/server_fans.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/units/units.hpp"

namespace wattloop::workload {

namespace {

/// From the lowest speed at `rise_k` to full speed at `full_k`.
double on_line(const ServerFanParams& params, double rise_k, double full_k, double now_k) noexcept {
  const double way_fraction = std::clamp((now_k - rise_k) / (full_k - rise_k), 0.0, 1.0);
  return params.lowest_speed_fraction + (1.0 - params.lowest_speed_fraction) * way_fraction;
}

}  // namespace

double line_speed(const ServerFanParams& params, double inlet_k, double hottest_die_k) noexcept {
  if (!params.is_controlled) return 1.0;
  return std::max(on_line(params, params.inlet_rise_k, params.inlet_full_speed_k, inlet_k),
                  on_line(params, params.die_rise_k, params.die_full_speed_k, hottest_die_k));
}

double next_speed(const ServerFanParams& params, double speed_before, double inlet_k, double hottest_die_k,
                  double interval_s, double full_speed_rise_k) noexcept {
  if (!params.is_controlled) return 1.0;
  double requested = line_speed(params, inlet_k, hottest_die_k);
  if (params.air_rise_k > 0.0) requested = std::max(requested, full_speed_rise_k / params.air_rise_k);
  if (params.trim_s > 0.0) {
    const double above_ratio = (hottest_die_k - params.die_target_k) / (params.die_full_speed_k - params.die_target_k);
    requested = std::max(requested, speed_before + above_ratio * interval_s / params.trim_s);
  }
  const double step = params.ramp_s > 0.0 ? interval_s / params.ramp_s : 1.0;
  return std::min(std::clamp(requested, speed_before - step, speed_before + step), 1.0);
}

std::vector<std::string> check(const ServerFanParams& params) {
  std::vector<std::string> messages;
  const auto refuse_unless_above = [&](const char* key, double value_k, const char* bound, double bound_k) {
    if (value_k > bound_k) return;
    messages.push_back(fmt::format("{}: {} is not above {} of {}", key, format_quantity(value_k, "K"), bound,
                                   format_quantity(bound_k, "K")));
  };
  refuse_unless_above("inlet_full_speed", params.inlet_full_speed_k, "inlet_rise", params.inlet_rise_k);
  refuse_unless_above("die_full_speed", params.die_full_speed_k, "die_rise", params.die_rise_k);
  refuse_unless_above("die_full_speed", params.die_full_speed_k, "die_target", params.die_target_k);
  return messages;
}

}  // namespace wattloop::workload
