// A table of any size, row by row: what read_csv_table() reads of a whole file, for logs that no memory would hold.
//
// Names are in the first line that is no comment. A line that repeats it is skipped and counted, as loggers that start again write it; one with
// other names is refused. Rows of another width are refused with what they may be.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/tables/csv_text.hpp"
#include "core/tables/log_lines.hpp"

namespace wattloop {

/// "power.draw [W]", "time (ms)": what is in the brackets behind a name, and the name without them.
struct NameWithUnit {
  std::string_view name;
  std::string_view unit;
};
NameWithUnit name_with_unit(std::string_view text);

/// Whether a row has names of columns instead of values: the header of another table in the same file.
bool is_header_row(std::span<const CsvCell> cells, std::span<const std::string> names);

class LogTable {
 public:
  /// Reads the head. `separator` 0: the comma, else the semicolon or tab that the head has.
  LogTable(LogLines& lines, CsvProblems& problems, char separator = 0);

  bool has_head() const { return !names_.empty(); }
  const std::vector<std::string>& names() const { return names_; }
  const CsvLine& head() const { return head_; }
  /// The first of the names that a column has, upper and lower case alike, units in brackets left out.
  std::optional<std::size_t> column(std::initializer_list<std::string_view> any_of) const;
  /// The same, reported where there is none.
  std::optional<std::size_t> demand_column(std::initializer_list<std::string_view> any_of);

  /// The next row as wide as the head; others are reported and left out. False at the end.
  bool next();
  const CsvLine& row() const { return row_; }
  const CsvCell& cell(std::size_t column) const { return cells_[column]; }
  std::size_t repeated_heads() const { return repeated_heads_; }

 private:
  void read_names();
  bool split(const CsvLine& line);

  LogLines& lines_;
  CsvProblems& problems_;
  char separator_;
  std::string head_text_;
  CsvLine head_{};
  std::vector<std::string> names_;
  CsvLine row_{};
  std::vector<CsvCell> cells_;
  std::size_t repeated_heads_ = 0;
};

}  // namespace wattloop
