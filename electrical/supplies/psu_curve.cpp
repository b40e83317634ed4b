#include "electrical/supplies/psu_curve.hpp"

#include <array>
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

}  // namespace

PsuCurve::PsuCurve(const PsuParams& params) {
  const PsuKnots k = knots(params);
  input_ = Polyline(k.output_w, k.input_w);
  output_ = Polyline(k.input_w, k.output_w);
}

double psu_input_w(const PsuParams& params, double output_w) noexcept { return PsuCurve(params).input_w(output_w); }

double psu_output_w(const PsuParams& params, double input_w) noexcept { return PsuCurve(params).output_w(input_w); }

std::vector<std::string> check(const PsuParams& params) {
  const PsuKnots k = knots(params);
  std::vector<std::string> messages;
  if (params.cords > 2) messages.push_back(fmt::format("power supplies have {} cords, expected 1 or 2", params.cords));
  if (params.cords == 2 && params.supplies < 2)
    messages.push_back(
        "one power supply cannot be divided among two cords: expected cords: 1, or supplies of at least 2");
  if (params.lowest_input_v >= params.highest_input_v)
    messages.push_back(fmt::format("lowest_input_voltage of {:g} V is not below highest_input_voltage of {:g} V",
                                   params.lowest_input_v, params.highest_input_v));
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
