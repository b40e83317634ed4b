// Which figures of months are columns of a table, and what stands in its cells: the same on the terminal and in a report.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/units/units.hpp"
#include "twin/results/schema/results_schema.hpp"

namespace wattloop::twin {

struct MonthColumn {
  std::string_view head, figure;
};

/// Of `columns` those that the months have. Generators have a column where they gave anything in any month, the sum of both sources beside
/// it; demand and fixed price where the tariff has one; fuel and water without a price where any was used.
std::vector<MonthColumn> shown_columns(std::span<const MonthColumn> columns, std::span<const MonthRecord> months);

/// A figure with its unit; "no price" of a cost for which none is given, "n/a" of another that is not a number.
std::string month_cell(std::span<const NamedValue> figures, std::string_view name, UnitStyle style);

inline constexpr std::string_view no_price = "no price";

}  // namespace wattloop::twin
