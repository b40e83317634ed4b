#include "electrical/equipment.hpp"

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

namespace wattloop::electrical {

namespace {

constexpr std::array psu_load_points{0.0, 0.1, 0.2, 0.5, 1.0};

struct PsuKnots {
  std::array<double, psu_load_points.size()> output_w;
  std::array<double, psu_load_points.size()> input_w;
};

PsuKnots knots(const PsuParams& params) noexcept {
  const std::array efficiency{params.efficiency_at_10_fraction, params.efficiency_at_20_fraction,
                              params.efficiency_at_50_fraction, params.efficiency_at_100_fraction};
  PsuKnots k{};
  for (std::size_t i = 1; i < psu_load_points.size(); ++i) {
    k.output_w[i] = psu_load_points[i] * params.rated_w;
    k.input_w[i] = k.output_w[i] / efficiency[i - 1];
  }
  const double loss_at_10_w = k.input_w[1] - k.output_w[1];
  const double loss_at_20_w = k.input_w[2] - k.output_w[2];
  k.input_w[0] = std::max(0.0, 2.0 * loss_at_10_w - loss_at_20_w);
  return k;
}

/// y at x on the line through the knots, whose x rise; the outer segments go on.
template <std::size_t Size>
double on_line(const std::array<double, Size>& x_knots, const std::array<double, Size>& y_knots,
               double x) noexcept {
  const auto above = std::upper_bound(x_knots.begin() + 1, x_knots.end() - 1, x);
  const auto i = static_cast<std::size_t>(above - x_knots.begin());
  const double slope = (y_knots[i] - y_knots[i - 1]) / (x_knots[i] - x_knots[i - 1]);
  return y_knots[i - 1] + slope * (x - x_knots[i - 1]);
}

}  // namespace

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

double psu_input_w(const PsuParams& params, double output_w) noexcept {
  const PsuKnots k = knots(params);
  return on_line(k.output_w, k.input_w, output_w);
}

double psu_output_w(const PsuParams& params, double input_w) noexcept {
  const PsuKnots k = knots(params);
  return std::max(0.0, on_line(k.input_w, k.output_w, input_w));
}

std::vector<std::string> check(const PsuParams& params) {
  const PsuKnots k = knots(params);
  std::vector<std::string> messages;
  for (std::size_t i = 1; i < psu_load_points.size(); ++i) {
    if (k.input_w[i] > k.input_w[i - 1]) continue;
    messages.push_back(fmt::format(
        "power supplies draw {:.6g} W at {:g} % of rated output but {:.6g} W at {:g} %: input must rise with "
        "output",
        k.input_w[i - 1], 100.0 * psu_load_points[i - 1], k.input_w[i], 100.0 * psu_load_points[i]));
  }
  return messages;
}

}  // namespace wattloop::electrical
