#include "twin/commands/results/monthly_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/text/printable.hpp"
#include "twin/commands/program/text_table.hpp"
#include "twin/commands/results/summary_json.hpp"
#include "twin/report/charts/month_columns.hpp"
#include "twin/results/schema/figure_named.hpp"

namespace wattloop::twin {

namespace {

using Figures = std::span<const NamedValue>;

constexpr std::array energy_columns{MonthColumn{"utility", "utility_energy"},
                                    MonthColumn{"generators", "generator_energy"},
                                    MonthColumn{"facility", "facility_energy"},
                                    MonthColumn{"IT", "it_energy"},
                                    MonthColumn{"PUE", "pue"},
                                    MonthColumn{"water", "water_use"},
                                    MonthColumn{"WUE", "wue"},
                                    MonthColumn{"utility peak", "peak_utility_power"},
                                    MonthColumn{"peak power", "peak_facility_power"}};
constexpr std::array cost_columns{MonthColumn{"energy", "energy_cost"},
                                  MonthColumn{"demand", "demand_cost"},
                                  MonthColumn{"fixed", "fixed_cost"},
                                  MonthColumn{"fuel", "fuel_cost"},
                                  MonthColumn{"water", "water_cost"},
                                  MonthColumn{"capital", "capital_cost"},
                                  MonthColumn{"maintenance", "maintenance_cost"},
                                  MonthColumn{"lease", "lease_cost"},
                                  MonthColumn{"staff", "staff_cost"},
                                  MonthColumn{"operation", "operation_cost"},
                                  MonthColumn{"in all", "total_cost"},
                                  MonthColumn{"utility peak demand", "peak_demand"},
                                  MonthColumn{"carbon", "carbon"}};

std::string table(std::string title, std::span<const MonthColumn> all, std::span<const MonthRecord> months,
                  Figures of_run, UnitStyle style) {
  const std::vector<MonthColumn> columns = shown_columns(all, months);
  if (columns.empty()) return {};
  std::vector<std::string> head{std::move(title)};
  for (const MonthColumn& column : columns) head.emplace_back(column.head);
  constexpr std::size_t page_width = 110;
  TextTable rows(head, page_width);
  const auto add = [&](std::string first, Figures figures) {
    std::vector<std::string> row{std::move(first)};
    for (const MonthColumn& column : columns) row.push_back(month_cell(figures, column.figure, style));
    rows.add(std::move(row));
  };
  for (const MonthRecord& month : months) add(printable(month.month), month.figures);
  add("whole run", of_run);
  std::string text = rows.text();
  if (text.find(no_price) != std::string::npos)
    text +=
        fmt::format("{}: no price is given under `economics:`, so the total `in all` does not include it\n", no_price);
  return text;
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
