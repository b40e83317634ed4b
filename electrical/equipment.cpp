#include "electrical/equipment.hpp"

namespace wattloop::electrical {

std::string_view kind_of(const Equipment& equipment) {
  return std::visit([](const auto& params) { return params.kind; }, equipment);
}

double rated_w(const Equipment& equipment) {
  if (const auto* transformer = std::get_if<TransformerParams>(&equipment)) return transformer->rated_va;
  return std::visit(
      [](const auto& params) {
        if constexpr (requires { params.rated_w; }) return params.rated_w;
        return 0.0;
      },
      equipment);
}

LossCurve loss_curve(const FeederParams& params) {
  return {.quadratic_per_w = params.resistance_ohm / (params.voltage_v * params.voltage_v)};
}

LossCurve loss_curve(const TransformerParams& params) {
  return {.constant_w = params.no_load_loss_w,
          .quadratic_per_w = params.load_loss_w / (params.rated_va * params.rated_va)};
}

LossCurve loss_curve(const UpsParams& params) {
  return {.constant_w = params.constant_loss_fraction * params.rated_w,
          .linear_ratio = params.linear_loss_fraction,
          .quadratic_per_w = params.quadratic_loss_fraction / params.rated_w};
}

LossCurve loss_curve(const PduParams& params) {
  return {.constant_w = params.constant_loss_fraction * params.rated_w,
          .quadratic_per_w = params.quadratic_loss_fraction / params.rated_w};
}

LossCurve loss_curve(const ConverterParams& params) {
  return {.constant_w = params.constant_w / params.efficiency_fraction,
          .linear_ratio = 1.0 / params.efficiency_fraction - 1.0};
}

LossCurve loss_curve(const BreakerParams&) { return {}; }

LossCurve loss_curve(const Equipment& equipment) {
  return std::visit([](const auto& params) { return loss_curve(params); }, equipment);
}

LossCurve in_parallel(const LossCurve& one, int modules) {
  return {.constant_w = one.constant_w * modules,
          .linear_ratio = one.linear_ratio,
          .quadratic_per_w = one.quadratic_per_w / modules};
}

double battery_energy_j(const UpsParams& params) {
  return (params.rated_w + loss_w(loss_curve(params), params.rated_w)) * params.battery_time_s;
}

}  // namespace wattloop::electrical
