#include "twin/commands/monthly_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/printable.hpp"
#include "twin/commands/summary_json.hpp"
#include "twin/commands/text_table.hpp"
#include "twin/results/figure_named.hpp"

namespace wattloop::twin {

namespace {

using Figures = std::span<const NamedValue>;

struct Column {
  std::string_view head, name;
};

constexpr std::array energy_columns{
    Column{"facility", "facility_energy"}, Column{"IT", "it_energy"}, Column{"PUE", "pue"},
    Column{"water", "water_use"},          Column{"WUE", "wue"},      Column{"peak power", "peak_facility_power"}};
constexpr std::array cost_columns{Column{"energy", "energy_cost"},      Column{"demand", "demand_cost"},
                                  Column{"fixed", "fixed_cost"},        Column{"fuel", "fuel_cost"},
                                  Column{"water", "water_cost"},        Column{"in all", "total_cost"},
                                  Column{"peak demand", "peak_demand"}, Column{"carbon", "carbon"}};

std::string cell(Figures figures, std::string_view name, UnitStyle style) {
  const NamedValue* figure = figure_named(figures, name);
  const double value = figure == nullptr ? NAN : std::get<double>(figure->value);
  return std::isfinite(value) ? format_quantity(value, figure->unit, style) : "n/a";
}

/// Of those columns that the first month has.
std::string table(std::string title, std::span<const Column> columns, std::span<const MonthRecord> months,
                  Figures of_run, UnitStyle style) {
  std::vector<std::string> head{std::move(title)};
  std::vector<std::string_view> names;
  for (const auto& [text, name] : columns) {
    if (figure_named(months.front().figures, name) == nullptr) continue;
    head.emplace_back(text);
    names.push_back(name);
  }
  if (names.empty()) return {};
  constexpr std::size_t page_width = 110;
  TextTable rows(head, page_width);
  const auto add = [&](std::string first, Figures figures) {
    std::vector<std::string> row{std::move(first)};
    for (const std::string_view name : names) row.push_back(cell(figures, name, style));
    rows.add(std::move(row));
  };
  for (const MonthRecord& month : months) add(printable(month.month), month.figures);
  add("whole run", of_run);
  return rows.text();
}

}  // namespace

std::string monthly_text(std::span<const MonthRecord> months, Figures of_run, UnitStyle style) {
  const std::string costs = table("Cost", cost_columns, months, of_run, style);
  return table("Energy", energy_columns, months, of_run, style) + (costs.empty() ? "" : "\n" + costs);
}

std::string monthly_csv(std::span<const MonthRecord> months, Figures of_run) {
  std::string text = "month,begin (s),end (s)";
  const Figures columns = months.front().figures;
  for (const NamedValue& column : columns)
    text += column.unit == "1" ? "," + column.name : fmt::format(",{} ({})", column.name, unit_in_files(column.unit));
  const auto add = [&](const std::string& name, double begin_s, double end_s, Figures figures) {
    text += fmt::format("\n{},{},{}", name, begin_s, end_s);
    for (const NamedValue& column : columns) {
      const NamedValue* figure = figure_named(figures, column.name);
      const bool has_value = figure != nullptr && std::isfinite(std::get<double>(figure->value));
      text += has_value ? fmt::format(",{}", std::get<double>(figure->value)) : ",";
    }
  };
  for (const MonthRecord& month : months) add(month.month, month.begin_s, month.end_s, month.figures);
  add("whole run", months.front().begin_s, months.back().end_s, of_run);
  return text + "\n";
}

std::string monthly_json(std::span<const MonthRecord> months) {
  nlohmann::ordered_json json{{"schema_version", summary_json_version}, {"months", nlohmann::ordered_json::array()}};
  for (const MonthRecord& month : months) {
    nlohmann::ordered_json of_month{{"month", month.month}, {"begin_s", month.begin_s}, {"end_s", month.end_s}};
    for (const NamedValue& figure : month.figures)
      of_month[figure.name] = {{"value", std::get<double>(figure.value)}, {"unit", unit_in_files(figure.unit)}};
    json["months"].push_back(std::move(of_month));
  }
  return json.dump(2);
}

}  // namespace wattloop::twin
