// A CSV file with names in its first line, as cells that know where they were written.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/problem.hpp"
#include "workload/csv_text.hpp"

namespace wattloop::twin {

struct CsvRow {
  workload::CsvLine line;
  std::vector<workload::CsvCell> cells;  ///< as many as there are columns
};

/// Blank lines and those that begin with '#' are no rows.
struct CsvTable {
  std::string file;                         ///< for messages
  std::unique_ptr<const std::string> text;  ///< what all others point into
  CsvRow head;
  std::vector<CsvRow> rows;

  std::vector<std::string> names() const;
  /// Number of a column by its name.
  std::optional<std::size_t> column(std::string_view name) const;
  /// A mistake in a cell of a row, or of the head.
  Problem problem(const CsvRow& row, std::size_t column, std::string message, std::string hint = {}) const;
};

/// None where the file cannot be read or has no first line. Rows that are shorter or longer than the first are problems, and left out.
std::optional<CsvTable> read_csv_table(const std::filesystem::path& file, Problems& problems);

}  // namespace wattloop::twin
