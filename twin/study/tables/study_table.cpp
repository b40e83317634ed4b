#include "twin/study/tables/study_table.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include <fmt/format.h>

#include "twin/platform/unfinished_name.hpp"
#include "twin/platform/whole_file.hpp"
#include "twin/results/hdf5/hdf5_file.hpp"
#include "twin/results/hdf5/results_seal.hpp"
#include "twin/results/schema/figure_named.hpp"
#include "twin/run/figures/verdict.hpp"
#include "twin/study/tables/drawn_findings.hpp"

namespace wattloop::twin {

namespace {

constexpr const char *held = "held", *violated = "violated";

std::string cell_of(const KeptFigure& kept, const std::vector<NamedValue>& figures) {
  const NamedValue* found = figure_named(figures, kept.name);
  if (found == nullptr) return {};
  if (const auto* text = std::get_if<std::string>(&found->value)) return *text;
  if (const auto* count = std::get_if<std::int64_t>(&found->value)) return fmt::format("{}", *count);
  const double si = std::get<double>(found->value);
  return std::isfinite(si) ? fmt::format("{}", (si - kept.zero) / kept.size) : std::string();
}

std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string csv_head(const TableColumn& column) {
  return csv_cell(column.unit.empty() || column.unit == "1" ? column.name
                                                            : fmt::format("{} ({})", column.name, column.unit));
}

/// Columns of the file, one after the other.
class Hdf5Table {
 public:
  Hdf5Table(const StudyTable& table, Hdf5Writer& file) : table_(table), file_(file) {}

  void write() {
    std::vector<std::int64_t> runs, codes;
    std::vector<std::string> messages;
    for (const StudyRow& row : table_.rows) {
      runs.push_back(static_cast<std::int64_t>(row.run));
      codes.push_back(row.exit_code);
      messages.push_back(row.message);
    }
    put("run", Hdf5Type::int64, "number of the run", "", std::span<const std::int64_t>(runs));
    for (std::size_t c = 0; c < table_.columns.size(); ++c) write_column(c);
    role_ = place_ = "";
    put("exit_code", Hdf5Type::int64, "0 done, 1 bad input, 2 no trustworthy answer", "",
        std::span<const std::int64_t>(codes));
    put("message", Hdf5Type::text, "why a run has no figures", "", std::span<const std::string>(messages));
  }

 private:
  void put(const std::string& name, Hdf5Type type, const std::string& long_name, const std::string& unit,
           const Hdf5Values& values) {
    const std::size_t number =
        file_.add({.name = name,
                   .type = type,
                   .dimensions = {{"run", table_.rows.size()}},
                   .attributes = {
                       {"long_name", long_name}, {"units", unit}, {role_attribute, role_}, {place_attribute, place_}}});
    if (!table_.rows.empty()) file_.write(number, 0, values);
  }

  void write_column(std::size_t c) {
    const TableColumn& column = table_.columns[c];
    role_ = column.kind == TableColumn::Kind::verdict ? "verdict" : column.is_change ? "change" : "figure";
    place_ = std::to_string(c + 1);
    if (column.kind == TableColumn::Kind::text) {
      std::vector<std::string> texts;
      for (const StudyRow& row : table_.rows) texts.push_back(row.cells[c]);
      return put(column.name, Hdf5Type::text, column.long_name, "", std::span<const std::string>(texts));
    }
    if (column.kind == TableColumn::Kind::verdict) {
      std::vector<std::int64_t> verdicts;
      for (const StudyRow& row : table_.rows)
        verdicts.push_back(row.cells[c].empty() ? -1 : row.cells[c] == held ? 1 : 0);
      return put(fmt::format("held_{}", ++verdicts_), Hdf5Type::int64, column.name + ": 1 held, 0 violated, -1 no run",
                 "", std::span<const std::int64_t>(verdicts));
    }
    std::vector<double> numbers;
    for (const StudyRow& row : table_.rows) numbers.push_back(number_of(row.cells[c]));
    put(column.name, Hdf5Type::float64, column.long_name, column.unit, std::span<const double>(numbers));
  }

  const StudyTable& table_;
  Hdf5Writer& file_;
  int verdicts_ = 0;
  std::string role_{}, place_{};  ///< of the column that is written
};

}  // namespace

std::vector<TableColumn> table_columns(const PlannedStudy& plan) {
  using Kind = TableColumn::Kind;
  std::vector<TableColumn> columns;
  for (const StudyColumn& column : plan.runs.columns())
    columns.push_back({column.name, column.unit, column.long_name, column.is_number ? Kind::number : Kind::text, true});
  for (const KeptFigure& kept : plan.kept)
    columns.push_back({kept.name, kept.unit, kept.long_name, kept.is_text ? Kind::text : Kind::number, false});
  for (const KpiLimit& limit : plan.limits) columns.push_back({limit.text, "", limit.text, Kind::verdict, false});
  return columns;
}

StudyRow row_of(const StudyRun& run, const RunOutcome& outcome, const PlannedStudy& plan) {
  StudyRow row{run.number, outcome.exit_code, run.cells, outcome.message};
  if (outcome.exit_code != 0) {
    row.cells.resize(row.cells.size() + plan.kept.size() + plan.limits.size());
    return row;
  }
  for (const KeptFigure& kept : plan.kept) row.cells.push_back(cell_of(kept, outcome.figures));
  for (const Verdict& verdict : judge(plan.limits, outcome.figures))
    row.cells.emplace_back(verdict.is_met ? held : violated);
  return row;
}

std::string unit_text(const TableColumn& column) {
  return column.unit.empty() || column.unit == "1" ? "" : " " + column.unit;
}

double number_of(const std::string& cell) {
  return cell.empty() ? std::numeric_limits<double>::quiet_NaN() : std::strtod(cell.c_str(), nullptr);
}

void write_csv(const StudyTable& table, const std::filesystem::path& file) {
  WholeFile whole(file);
  std::string text = "run";
  for (const TableColumn& column : table.columns) text += "," + csv_head(column);
  text += ",exit_code,message\n";
  constexpr std::size_t block = 1U << 20U;
  for (const StudyRow& row : table.rows) {
    text += fmt::format("{}", row.run);
    for (const std::string& cell : row.cells) text += "," + csv_cell(cell);
    text += fmt::format(",{},{}\n", row.exit_code, csv_cell(row.message));
    if (text.size() < block) continue;
    whole.write(text);
    text.clear();
  }
  whole.write(text);
  whole.finish();
}

void write_hdf5(const StudyTable& table, const std::filesystem::path& file) {
  const std::filesystem::path unfinished = unfinished_name(file);
  Hdf5Writer writer(unfinished);  // one that was not there
  try {
    writer.set_attribute("title", table.title);
    writer.set_attribute("study_runs", static_cast<std::int32_t>(table.runs));
    if (table.is_drawn) writer.set_attribute(drawn_attribute, std::int32_t{1});
    if (!table.answer.empty()) writer.set_attribute(answer_attribute, table.answer);
    Hdf5Table(table, writer).write();
    if (const auto drawn = drawn_findings(table)) write_drawn(table, *drawn, writer);
    writer.close();
    seal_results(unfinished);
    give_name(unfinished, file, file);
  } catch (...) {
    std::error_code ignored;
    std::filesystem::remove(unfinished, ignored);
    throw;
  }
}

std::vector<std::size_t> choose(const ChosenRuns& chosen, const StudyTable& table) {
  std::vector<std::size_t> runs;
  if (chosen.kind == ChosenRuns::Kind::none) return runs;
  const auto column = std::ranges::find(table.columns, chosen.figure, &TableColumn::name);
  std::vector<std::pair<double, std::size_t>> found;
  for (const StudyRow& row : table.rows) {
    if (row.exit_code != 0) continue;
    if (chosen.kind == ChosenRuns::Kind::all) {
      runs.push_back(row.run);
    } else if (column != table.columns.end()) {
      const double value = number_of(row.cells[static_cast<std::size_t>(column - table.columns.begin())]);
      if (std::isfinite(value)) found.emplace_back(chosen.is_largest ? -value : value, row.run);
    }
  }
  std::ranges::sort(found);
  found.resize(std::min(found.size(), chosen.count));
  for (const auto& [value, run] : found) runs.push_back(run);
  std::ranges::sort(runs);
  return runs;
}

}  // namespace wattloop::twin
