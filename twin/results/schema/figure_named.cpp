#include "twin/results/schema/figure_named.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/text/printable.hpp"

namespace wattloop::twin {

const NamedValue* figure_named(std::span<const NamedValue> figures, std::string_view name) {
  const auto found = std::ranges::find(figures, name, &NamedValue::name);
  return found == figures.end() ? nullptr : &*found;
}

double figure_number(std::span<const NamedValue> figures, std::string_view name) {
  const NamedValue* known = figure_named(figures, name);
  if (known == nullptr) return std::numeric_limits<double>::quiet_NaN();
  if (const auto* count = std::get_if<std::int64_t>(&known->value)) return static_cast<double>(*count);
  const auto* value = std::get_if<double>(&known->value);
  return value != nullptr && std::isfinite(*value) ? *value : std::numeric_limits<double>::quiet_NaN();
}

std::string figure_text(std::span<const NamedValue> figures, std::string_view name) {
  const NamedValue* known = figure_named(figures, name);
  const auto* value = known == nullptr ? nullptr : std::get_if<std::string>(&known->value);
  return value == nullptr ? std::string() : printable(*value);
}

}  // namespace wattloop::twin
