// Lines and cells of CSV text, the numbers in cells, and problems that show the line they are about.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "core/text/problem.hpp"

namespace wattloop {

/// One line without its end; `number` from 1.
struct CsvLine {
  std::string_view text;
  int number = 0;
};

/// One cell without blanks and quotes around it; `column` is its first character in the line, from 1.
struct CsvCell {
  std::string_view text;
  int column = 0;
  bool is_quote_open = false;  ///< a quote that does not end in its line
  bool has_quotes = false;     ///< around it
  int surplus_column = 0;      ///< where text stands behind the quote that closes the cell, from 1; 0: nowhere

  /// The text with quotes that are written twice, "" within a quoted cell, as one.
  std::string unquoted() const;
};

/// Makes every end of a line, CR or CRLF too, one that `CsvLines` reads. Places in the text stay.
void unify_line_ends(std::string& text);

/// Reads `text` line by line, LF or CRLF; leaves out blank lines and lines that start with '#', unless it is that of a cell which a spreadsheet could not compute (#N/A, #REF!).
class CsvLines {
 public:
  explicit CsvLines(std::string_view text) : rest_(text) {}
  /// False at the end.
  bool next(CsvLine& line);

 private:
  std::string_view rest_;
  int number_ = 0;
};

/// The cell that starts at character `position` (from 0) of `line`; moves `position` to the start of the next
/// cell, or beyond the end of the line after the last one.
CsvCell next_cell(std::string_view line, std::size_t& position, char separator = ',');

/// Cell `index`, from 0, of `line`, which has that many.
CsvCell cell_at(std::string_view line, std::size_t index, char separator = ',');

/// The number that is all of `text`, with a sign or not; infinite where it is too large. None for "nan", which is a missing sample.
std::optional<double> number_in(std::string_view text);

/// What files write where there is no number: nothing, "-", nan, null, none, n/a, #N/A, [N/A].
bool is_missing_number(std::string_view text);

/// What a cell that is no number may be: one with commas or with its unit behind it; else `otherwise`.
std::string number_hint(std::string_view text, std::string otherwise);

/// Collects problems of one file: the first twenty in full, the rest counted.
class CsvProblems {
 public:
  CsvProblems(std::string file, Problems& problems) : file_(std::move(file)), problems_(problems) {}
  /// About the file as a whole.
  void add(std::string message, std::string hint = {});
  /// About one character of a line.
  void add(const CsvLine& line, int column, std::string message, std::string hint = {});
  /// About a cell that is no number, with what it may be. Commas in numbers are those of all the file, and reported once.
  void add_no_number(const CsvLine& line, const CsvCell& cell, std::string message, std::string otherwise);
  bool empty() const { return count_ == 0; }
  /// Says how many more there are than were added in full. Call once, at the end.
  void finish();

 private:
  bool is_shown();

  std::string file_;
  Problems& problems_;
  int count_ = 0;
  bool are_commas_reported_ = false;
};

}  // namespace wattloop
