#include "twin/commands/studies/pareto_report.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/text/nearest.hpp"
#include "core/text/problem.hpp"
#include "twin/commands/program/text_table.hpp"
#include "twin/search/pareto_front.hpp"
#include "twin/study/tables/study_report.hpp"

namespace wattloop::twin {

namespace {

constexpr std::size_t most_shown = 30;

[[noreturn]] void refuse(const std::string& text, std::string message, std::string hint) {
  throw InputError({{{"--pareto " + text, 0, 0}, std::move(message), std::move(hint), {}}}, "the command line");
}

std::string head_of(const ParetoFigure& figure, const StudyTable& table) {
  const TableColumn& column = table.columns[figure.column];
  return column.unit.empty() || column.unit == "1" ? column.name : fmt::format("{}, {}", column.name, column.unit);
}

}  // namespace

std::vector<ParetoFigure> pareto_figures(const std::string& text, const std::vector<TableColumn>& columns) {
  const std::size_t comma = text.find(',');
  if (comma == std::string::npos || text.find(',', comma + 1) != std::string::npos)
    refuse(text, "expected two figures", "pue,max:smallest_throttle_margin");
  std::vector<ParetoFigure> figures;
  for (std::string name : {text.substr(0, comma), text.substr(comma + 1)}) {
    ParetoFigure figure{.is_most = name.starts_with("max:")};
    if (figure.is_most || name.starts_with("min:")) name.erase(0, 4);
    std::vector<std::string> names;
    for (const TableColumn& column : columns) {
      if (column.kind == TableColumn::Kind::number) names.push_back(column.name);
    }
    if (std::ranges::find(names, name) == names.end())
      refuse(text, fmt::format("the table has no figure '{}'", name), nearest_hint(name, names));
    figure.column = static_cast<std::size_t>(std::ranges::find(columns, name, &TableColumn::name) - columns.begin());
    figures.push_back(figure);
  }
  return figures;
}

StudyTable front_of(const StudyTable& table, const std::vector<ParetoFigure>& figures) {
  StudyTable front{.title = table.title, .runs = table.rows.size(), .columns = table.columns};
  std::vector<const StudyRow*> rows;
  std::vector<TwoFigures> points;
  const auto value = [&](const StudyRow& row, const ParetoFigure& figure) {
    return (figure.is_most ? -1.0 : 1.0) * number_of(row.cells[figure.column]);
  };
  for (const StudyRow& row : table.rows) {
    if (row.exit_code != 0 || std::ranges::count(row.cells, "violated") > 0) continue;
    rows.push_back(&row);
    points.push_back({value(row, figures[0]), value(row, figures[1])});
  }
  for (const std::size_t place : pareto_front(points)) front.rows.push_back(*rows[place]);
  return front;
}

std::string front_text(const StudyTable& front, const std::vector<ParetoFigure>& figures) {
  std::string text = fmt::format("\n{} of {} runs are on the front of {} and {}\n", front.rows.size(), front.runs,
                                 front.columns[figures[0].column].name, front.columns[figures[1].column].name);
  TextTable table({"", head_of(figures[0], front), head_of(figures[1], front)});
  for (std::size_t i = 0; i < std::min(front.rows.size(), most_shown); ++i) {
    const StudyRow& row = front.rows[i];
    const auto shown = [&](const ParetoFigure& figure) {
      return fmt::format("{:.6g}", number_of(row.cells[figure.column]));
    };
    table.add({fmt::format("run {}: {}", row.run, run_text(front, row)), shown(figures[0]), shown(figures[1])});
  }
  text += table.text();
  return front.rows.size() > most_shown
             ? text + fmt::format("  and {} more, in study_pareto.csv\n", front.rows.size() - most_shown)
             : text;
}

}  // namespace wattloop::twin
