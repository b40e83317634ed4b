#include "twin/comparison/figures_side_by_side.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace wattloop::twin {

namespace {

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

bool is_same(const NamedValue& a, const NamedValue& b) {
  const auto *in_a = std::get_if<double>(&a.value), *in_b = std::get_if<double>(&b.value);
  if (in_a != nullptr && in_b != nullptr && std::isnan(*in_a) && std::isnan(*in_b)) return true;
  return a.value == b.value;
}

}  // namespace

bool FigureRow::is_text() const {
  return std::ranges::any_of(
      of, [](const auto& value) { return value && std::holds_alternative<std::string>(value->value); });
}

bool FigureRow::is_equal() const {
  return std::ranges::all_of(of, [&](const auto& value) { return value && of[0] && is_same(*of[0], *value); });
}

double FigureRow::number(std::size_t file) const {
  if (!of[file]) return no_number;
  if (const auto* count = std::get_if<std::int64_t>(&of[file]->value)) return static_cast<double>(*count);
  const auto* value = std::get_if<double>(&of[file]->value);
  return value == nullptr ? no_number : *value;
}

double FigureRow::difference_ratio(std::size_t file) const {
  return number(0) == 0.0 || unit == "K" ? no_number : difference(file) / std::abs(number(0));
}

std::vector<FigureRow> figures_side_by_side(std::span<const std::vector<NamedValue>> summaries) {
  std::vector<FigureRow> rows;
  for (std::size_t file = 0; file < summaries.size(); ++file) {
    for (const NamedValue& figure : summaries[file]) {
      if (figure.name == "wall_time") continue;
      auto row = std::ranges::find(rows, figure.name, &FigureRow::name);
      if (row == rows.end()) {
        rows.push_back({figure.name, figure.unit, std::vector<std::optional<NamedValue>>(summaries.size())});
        row = rows.end() - 1;
      }
      row->of[file] = figure;
    }
  }
  return rows;
}

}  // namespace wattloop::twin
