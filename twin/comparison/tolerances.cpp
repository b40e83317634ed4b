#include "twin/comparison/tolerances.hpp"

#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "core/units/units.hpp"

namespace wattloop::twin {

namespace {

std::optional<double> read_as(const std::string& text, const std::string& unit) {
  try {
    return to_si(text, unit == "K" ? "delta_K" : unit);
  } catch (const QuantityError&) {
    return std::nullopt;
  }
}

/// Why a text is no tolerance; empty where it is one.
std::string mistake(Tolerances& tolerances, const std::string& text, std::span<const std::string> units) {
  if (const auto ratio = read_as(text, "1")) {
    if (!(*ratio >= 0.0) || !std::isfinite(*ratio)) return "a tolerance must not be negative";
    tolerances.ratio = *ratio;
    if (*ratio == 0.0) tolerances.absolute.clear();
    return {};
  }
  for (const std::string& unit : units) {
    const auto size = read_as(text, unit);
    if (!size) continue;
    if (!(*size >= 0.0) || !std::isfinite(*size)) return "a tolerance must not be negative";
    tolerances.absolute[unit] = *size;
    return {};
  }
  return "no recorded quantity has this unit";
}

}  // namespace

double Tolerances::of(const std::string& unit, double largest) const {
  const auto found = absolute.find(unit);
  return found == absolute.end() ? ratio * largest : found->second;
}

std::string Tolerances::text() const {
  std::string text = ratio == 0.0 ? "any difference" : fmt::format("{:g} % of the largest value", 100.0 * ratio);
  for (const auto& [unit, size] : absolute) text += ", " + format_quantity(size, unit == "K" ? "delta_K" : unit);
  return text;
}

Tolerances read_tolerances(std::span<const std::string> texts, std::span<const std::string> units, Problems& problems) {
  Tolerances tolerances;
  for (const std::string& text : texts) {
    const std::string wrong = mistake(tolerances, text, units);
    if (wrong.empty()) continue;
    problems.add({{fmt::format("--tolerance '{}'", text), 0, 0},
                  wrong,
                  "write a share of the largest value, '0.5 %', or a size with its unit, '0.5 K'",
                  {}});
  }
  return tolerances;
}

}  // namespace wattloop::twin
