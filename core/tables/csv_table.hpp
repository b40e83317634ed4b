// A CSV file with names in its first line: the one reader of tables, whoever asks for them.
//
//   t_s,node_1,node_2      cells are separated by commas; where the first line has none, by semicolons or tabs
//   0,6930,                '#' starts a comment line; cells may be quoted; lines end in LF, CRLF or CR; gzip may have packed the file
//
// Refused, with what to do: other text than UTF-8, two columns of one name, numbers instead of names, rows that are shorter or longer
// than the first line, text behind a closing quote, commas in numbers. What cells mean is left to those who ask; times are read by core/tables/time_stamps.hpp.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/tables/csv_text.hpp"
#include "core/text/problem.hpp"

namespace wattloop {

/// Blank lines and those that begin with '#' are no rows.
struct CsvTable {
  std::string file;                         ///< for messages
  std::unique_ptr<const std::string> text;  ///< what all lines point into
  char separator = ',';
  CsvLine head{};
  std::vector<std::string> names;  ///< of columns; may be empty, else each is another
  std::vector<CsvLine> rows;       ///< each with as many cells as there are columns
  bool is_whole = true;            ///< nothing is wrong with names and widths

  /// Number of a column by its name.
  std::optional<std::size_t> column(std::string_view name) const;
  CsvCell cell(const CsvLine& row, std::size_t column) const { return cell_at(row.text, column, separator); }
  /// A mistake in a cell of a row, or of the head.
  Problem problem(const CsvLine& row, std::size_t column, std::string message, std::string hint = {}) const;
  /// Hint for a name that no column has: the nearest one, or the first of them.
  std::string names_hint(std::string_view name) const;
};

/// None where the file cannot be read as a table; reported at `named_at` where a scenario or a map named it. Rows that are shorter or longer
/// than the first are problems, and left out.
std::optional<CsvTable> read_csv_table(const std::filesystem::path& file, Problems& problems,
                                       const Mention& named_at = {});

}  // namespace wattloop
