#include "workload/nodes/protection.hpp"

#include <algorithm>
#include <cmath>

namespace wattloop::workload {

double clock_fraction(const ProtectionParams& params, double die_k) noexcept {
  if (!params.is_enabled || die_k < params.throttle_k) return 1.0;
  if (die_k >= params.shutdown_k) return 0.0;
  if (die_k >= params.slowdown_k) return params.slowdown_clock_fraction;
  const double into_ramp = (die_k - params.throttle_k) / (params.slowdown_k - params.throttle_k);
  return 1.0 - (1.0 - params.ramp_end_clock_fraction) * into_ramp;
}

double throttled_w(double idle_w, double asked_w, double clock_fraction) noexcept {
  if (clock_fraction <= 0.0) return 0.0;
  if (clock_fraction >= 1.0 || asked_w <= idle_w) return asked_w;
  return idle_w + (asked_w - idle_w) * clock_fraction * clock_fraction;
}

CappedLoad capped_load(double idle_w, double asked_w, double given_w, double allowed_w) noexcept {
  if (given_w <= allowed_w || given_w <= idle_w) return {given_w, 1.0};
  const double load_w = std::max(allowed_w, idle_w);
  return {load_w, std::sqrt((load_w - idle_w) / (asked_w - idle_w))};
}

}  // namespace wattloop::workload
