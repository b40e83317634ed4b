#include "core/tables/log_table.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/text/count_text.hpp"
#include "core/text/nearest.hpp"

namespace wattloop {

namespace {

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

bool is_same_name(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](char x, char y) {
    return std::tolower(static_cast<unsigned char>(x)) == std::tolower(static_cast<unsigned char>(y));
  });
}

}  // namespace

NameWithUnit name_with_unit(std::string_view text) {
  if (text.size() < 2 || (text.back() != ']' && text.back() != ')')) return {text, {}};
  const std::size_t open = text.rfind(text.back() == ']' ? '[' : '(');
  if (open == std::string_view::npos) return {text, {}};
  std::string_view name = text.substr(0, open);
  while (!name.empty() && name.back() == ' ') name.remove_suffix(1);
  return {name, text.substr(open + 1, text.size() - open - 2)};
}

bool is_header_row(std::span<const CsvCell> cells, std::span<const std::string> names) {
  if (cells.empty() || cells.front().text.empty() || !is_letter(cells.front().text.front())) return false;
  const auto is_name = [&](const CsvCell& cell) { return std::ranges::find(names, cell.text) != names.end(); };
  return std::ranges::count_if(cells, is_name) * 2 >= static_cast<std::ptrdiff_t>(std::min(cells.size(), names.size()));
}

LogTable::LogTable(LogLines& lines, CsvProblems& problems, char separator)
    : lines_(lines), problems_(problems), separator_(separator) {
  CsvLine line;
  do {
    if (!lines_.next(line)) return;
  } while (line.text[line.text.find_first_not_of(" \t")] == '#');
  head_text_ = line.text;
  head_ = {head_text_, line.number};
  if (separator_ == 0) {
    separator_ = ',';
    for (const char other : {'\t', ';', ','}) {
      if (head_text_.find(other) != std::string::npos) separator_ = other;
    }
  }
  if (split(head_)) read_names();
}

void LogTable::read_names() {
  std::vector<std::string> names;
  for (const CsvCell& cell : cells_) names.push_back(cell.unquoted());
  const bool has_text =
      std::ranges::any_of(names, [](const std::string& name) { return !name.empty() && is_letter(name.front()); });
  if (!has_text) {
    problems_.add(head_, 1, "the first line has no names of columns",
                  "write the names of the columns in the first line, then one row on each line");
    return;
  }
  for (std::size_t k = 0; k < names.size(); ++k) {
    const auto before = names.begin() + static_cast<std::ptrdiff_t>(k);
    if (names[k].empty() || std::find(names.begin(), before, names[k]) == before) continue;
    problems_.add(head_, cells_[k].column,
                  fmt::format("two columns are called '{}', so the name is ambiguous", names[k]),
                  "give each column a name of its own");
    return;
  }
  names_ = std::move(names);
}

std::optional<std::size_t> LogTable::column(std::initializer_list<std::string_view> any_of) const {
  for (const std::string_view name : any_of) {
    const auto found = std::ranges::find_if(
        names_, [&](const std::string& one) { return is_same_name(name_with_unit(one).name, name); });
    if (found != names_.end()) return static_cast<std::size_t>(found - names_.begin());
  }
  return std::nullopt;
}

std::optional<std::size_t> LogTable::demand_column(std::initializer_list<std::string_view> any_of) {
  const std::optional<std::size_t> found = column(any_of);
  if (!found) {
    const std::string near = nearest(*any_of.begin(), names_);
    problems_.add(head_, 1, fmt::format("there is no column '{}'", *any_of.begin()),
                  near.empty() ? fmt::format("its columns: {}", fmt::join(names_, ", "))
                               : fmt::format("did you mean '{}'?", near));
  }
  return found;
}

/// Whether all quotes end in the line. If not, this is reported.
bool LogTable::split(const CsvLine& line) {
  cells_.clear();
  for (std::size_t position = 0; position <= line.text.size();) {
    cells_.push_back(next_cell(line.text, position, separator_));
    const CsvCell& cell = cells_.back();
    if (cell.is_quote_open || cell.surplus_column > 0) {
      const bool is_open = cell.is_quote_open;
      problems_.add(line, is_open ? cell.column : cell.surplus_column,
                    is_open ? "the quote does not end in this line" : "text behind the quote that closes the cell");
      return false;
    }
  }
  return true;
}

bool LogTable::next() {
  if (names_.empty()) return false;
  while (lines_.next(row_)) {
    if (row_.text == head_text_) {
      ++repeated_heads_;
      continue;
    }
    if (row_.text[row_.text.find_first_not_of(" \t")] == '#') continue;
    if (!split(row_)) continue;
    if (is_header_row(cells_, names_)) {
      problems_.add(row_, 1, fmt::format("a second header with other columns than line {}", head_.number),
                    "two logs in one file? Split it, and import both files");
      return false;  // rows of another log
    }
    if (cells_.size() == names_.size()) return true;
    problems_.add(
        row_, cells_.size() < names_.size() ? static_cast<int>(row_.text.size()) + 1 : cells_[names_.size()].column,
        fmt::format("{}, but the first line names {} columns", count_text(cells_.size(), "cell"), names_.size()),
        cells_.size() < names_.size() ? "if the line was cut off, delete it" : "");
  }
  return false;
}

}  // namespace wattloop
