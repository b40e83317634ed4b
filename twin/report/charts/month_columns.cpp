#include "twin/report/charts/month_columns.hpp"

#include <algorithm>
#include <cmath>

#include "twin/results/schema/figure_named.hpp"

namespace wattloop::twin {

namespace {

class Months {
 public:
  explicit Months(std::span<const MonthRecord> months) : months_(months) {}

  bool show(std::string_view figure) const {
    if (!have(figure)) return false;
    if (figure == "generator_energy") return are_any_above_zero(figure);
    if (figure == "facility_energy") return !have("utility_energy") || are_any_above_zero("generator_energy");
    if (figure == "peak_facility_power") return !have("peak_utility_power");
    if (figure == "demand_cost" || figure == "fixed_cost") return are_any_above_zero(figure);
    if (figure == "fuel_cost") return has_price(figure) || are_any_above_zero("generator_energy");
    if (figure == "water_cost") return has_price(figure) || are_any_above_zero("water_use");
    return true;
  }

 private:
  bool have(std::string_view figure) const { return figure_named(months_.front().figures, figure) != nullptr; }
  bool has_price(std::string_view figure) const {
    return std::isfinite(figure_number(months_.front().figures, figure));
  }
  bool are_any_above_zero(std::string_view figure) const {
    return std::ranges::any_of(months_,
                               [&](const MonthRecord& month) { return figure_number(month.figures, figure) > 0.0; });
  }

  std::span<const MonthRecord> months_;
};

}  // namespace

std::vector<MonthColumn> shown_columns(std::span<const MonthColumn> columns, std::span<const MonthRecord> months) {
  std::vector<MonthColumn> shown;
  if (months.empty()) return shown;
  std::ranges::copy_if(columns, std::back_inserter(shown),
                       [&](const MonthColumn& column) { return Months(months).show(column.figure); });
  return shown;
}

std::string month_cell(std::span<const NamedValue> figures, std::string_view name, UnitStyle style) {
  const NamedValue* figure = figure_named(figures, name);
  const double value = figure_number(figures, name);
  if (figure != nullptr && std::isfinite(value)) return format_quantity(value, figure->unit, style);
  return std::string(name.ends_with("_cost") ? no_price : "n/a");
}

}  // namespace wattloop::twin
