#include "twin/drawings/diagrams/box_lines.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "core/units/units.hpp"

namespace wattloop::twin {

std::string quantity_text(double value, std::string_view unit, std::string_view column) {
  if ((unit == "W" && std::abs(value) < nothing_w) || (unit == "kg/s" && std::abs(value) < nothing_kg_per_s))
    value = 0.0;
  if (unit != "1") return format_quantity(value, unit);
  if (column == "power_factor") return fmt::format("{:.2f}", value);
  if (column == "voltage_ratio") return fmt::format("{:.1f} %", 100.0 * value);
  return column == "cop" ? fmt::format("{:.1f}", value) : fmt::format("{:.0f} %", 100.0 * value);
}

std::string joined_text(const BoxLine& line, const std::vector<double>& values) {
  const auto [least, most] = std::ranges::minmax(values);
  const auto said = [&](double value) { return quantity_text(value, line.unit, line.column); };
  switch (line.together) {
    case Together::sum:
      return said(std::accumulate(values.begin(), values.end(), 0.0));
    case Together::most:
      return (values.size() > 1 && said(least) != said(most) ? "up to " : "") + said(most);
    case Together::least:
      return (values.size() > 1 && said(least) != said(most) ? "down to " : "") + said(least);
    case Together::range:
      break;
  }
  if (said(least) == said(most)) return said(most);
  std::string from = said(least);
  const std::string to = said(most);
  const std::size_t unit = from.find(' ');
  if (unit != std::string::npos && to.ends_with(from.substr(unit))) from.resize(unit);
  return from + " to " + to;
}

}  // namespace wattloop::twin
