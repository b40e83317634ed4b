#include "twin/document/csv_table.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "twin/document/text_file.hpp"

namespace wattloop::twin {

namespace {

using workload::CsvCell;
using workload::CsvLine;

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";  // spreadsheets write it

CsvRow row_of(const CsvLine& line) {
  CsvRow row{line, {}};
  for (std::size_t position = 0; position <= line.text.size();)
    row.cells.push_back(workload::next_cell(line.text, position));
  return row;
}

}  // namespace

std::vector<std::string> CsvTable::names() const {
  std::vector<std::string> names;
  for (const CsvCell& cell : head.cells) names.emplace_back(cell.text);
  return names;
}

std::optional<std::size_t> CsvTable::column(std::string_view name) const {
  const auto found = std::ranges::find(head.cells, name, &CsvCell::text);
  if (found == head.cells.end()) return std::nullopt;
  return static_cast<std::size_t>(found - head.cells.begin());
}

Problem CsvTable::problem(const CsvRow& row, std::size_t column, std::string message, std::string hint) const {
  const int at = column < row.cells.size() ? row.cells[column].column : 1;
  return {{file, row.line.number, at}, std::move(message), std::move(hint), std::string(row.line.text)};
}

std::optional<CsvTable> read_csv_table(const std::filesystem::path& file, Problems& problems) {
  auto text = read_text_file(file, nullptr, problems);
  if (!text) return std::nullopt;
  if (text->starts_with(byte_order_mark)) text->erase(0, byte_order_mark.size());
  CsvTable table{
      .file = file.string(), .text = std::make_unique<const std::string>(std::move(*text)), .head = {}, .rows = {}};
  workload::CsvLines lines(*table.text);
  CsvLine line;
  if (!lines.next(line)) {
    problems.add({{table.file, 0, 0}, "empty: expected names of columns in its first line", {}, {}});
    return std::nullopt;
  }
  table.head = row_of(line);
  while (lines.next(line)) {
    CsvRow row = row_of(line);
    if (row.cells.size() == table.head.cells.size()) {
      table.rows.push_back(std::move(row));
      continue;
    }
    problems.add(table.problem(
        row, 0, fmt::format("{} cells, expected {} as in the first line", row.cells.size(), table.head.cells.size())));
  }
  return table;
}

}  // namespace wattloop::twin
