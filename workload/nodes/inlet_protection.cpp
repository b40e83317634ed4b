#include "workload/nodes/inlet_protection.hpp"

#include <fmt/format.h>

#include "core/units/units.hpp"

namespace wattloop::workload {

InletStage next_stage(const InletParams& params, InletStage now, double air_k) noexcept {
  if (!params.is_enabled) return InletStage::normal;
  if (now == InletStage::off) return air_k <= params.highest_allowed_k ? InletStage::normal : InletStage::off;
  if (air_k >= params.shutdown_k) return InletStage::off;
  if (air_k >= params.slowdown_k) return InletStage::slowed;
  const bool is_cool = air_k <= params.slowdown_k - params.hysteresis_k;
  return now == InletStage::slowed && !is_cool ? InletStage::slowed : InletStage::normal;
}

double clock_fraction(const InletParams& params, InletStage stage) noexcept {
  if (stage == InletStage::off) return 0.0;
  return stage == InletStage::slowed ? params.slowdown_clock_fraction : 1.0;
}

std::vector<std::string> check(const InletParams& params) {
  std::vector<std::string> messages;
  const auto refuse_unless = [&](bool holds, const char* key, double value_k, const char* bound, double bound_k) {
    if (holds) return;
    messages.push_back(
        fmt::format("{}: {} is {} of {}", key, format_quantity(value_k, "K"), bound, format_quantity(bound_k, "K")));
  };
  refuse_unless(params.lowest_allowed_k < params.highest_allowed_k, "highest_allowed", params.highest_allowed_k,
                "not above lowest_allowed", params.lowest_allowed_k);
  refuse_unless(params.highest_allowed_k <= params.slowdown_k, "slowdown_temperature", params.slowdown_k,
                "below highest_allowed", params.highest_allowed_k);
  refuse_unless(params.slowdown_k <= params.shutdown_k, "shutdown_temperature", params.shutdown_k,
                "below slowdown_temperature", params.slowdown_k);
  refuse_unless(params.slowdown_k - params.hysteresis_k >= params.lowest_allowed_k,
                "slowdown_temperature minus hysteresis", params.slowdown_k - params.hysteresis_k,
                "below lowest_allowed", params.lowest_allowed_k);
  refuse_unless(params.highest_allowed_k < params.shutdown_k, "shutdown_temperature", params.shutdown_k,
                "not above highest_allowed", params.highest_allowed_k);
  return messages;
}

}  // namespace wattloop::workload
