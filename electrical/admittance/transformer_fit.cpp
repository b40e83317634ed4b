#include "electrical/admittance/transformer_fit.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/units/units.hpp"

namespace wattloop::electrical {

namespace {

std::string in_volts(double value_v) { return format_quantity(value_v, "V"); }

bool is_far(double rated_v, double nominal_v) {
  return std::abs(rated_v - nominal_v) > fitting_fraction * std::max(rated_v, nominal_v);
}

}  // namespace

std::optional<Problem> misfit(const std::string& name, const TransformerRating& rating, double from_nominal_v,
                              double to_nominal_v) {
  if (!(rating.from_v > 0.0 && rating.to_v > 0.0)) return std::nullopt;
  const auto is_off = [&](double tap_fraction) {
    return std::abs(transformer_ratio(rating, from_nominal_v, to_nominal_v, tap_fraction) - 1.0) > fitting_fraction;
  };
  const std::string from = in_volts(from_nominal_v), to = in_volts(to_nominal_v);
  const bool are_voltages_wrong =
      is_far(rating.from_v, from_nominal_v) || is_far(rating.to_v, to_nominal_v) || is_off(0.0);
  const bool is_tap_refused = std::abs(rating.tap_fraction) > fitting_fraction;  // where it is read
  if (!are_voltages_wrong && (is_tap_refused || !is_off(rating.tap_fraction))) return std::nullopt;
  Problem problem;
  if (are_voltages_wrong) {
    problem.message = fmt::format("{} transforms {} to {}, but its buses have {} and {}", name, in_volts(rating.from_v),
                                  in_volts(rating.to_v), from, to);
    problem.hint = fmt::format(
        "choose other hardware, correct the voltage of a bus, or write with: {{ high_voltage: {}, low_voltage: {} }}",
        from, to);
  } else {
    problem.message = fmt::format("{} transforms {} to {} at its tap of {:.4g} %, but its buses have {} and {}", name,
                                  in_volts(rating.from_v * (1.0 + rating.tap_fraction)), in_volts(rating.to_v),
                                  100.0 * rating.tap_fraction, from, to);
    problem.hint = fmt::format("write another tap; without a tap it transforms {} to {}", in_volts(rating.from_v),
                               in_volts(rating.to_v));
  }
  return problem;
}

}  // namespace wattloop::electrical
