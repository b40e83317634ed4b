#include "core/tables/csv_table.hpp"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/tables/log_table.hpp"
#include "core/text/count_text.hpp"
#include "core/text/nearest.hpp"
#include "core/text/nearest_file.hpp"
#include "core/text/packed_text.hpp"

namespace wattloop {

namespace {

/// Whether a text is a date or a time of the day. Such a text is not the name of a column.
bool looks_like_a_time(std::string_view text) {
  return text.front() >= '0' && text.front() <= '9' &&
         text.find_first_not_of("0123456789-/:.TZ +APMapm") == std::string_view::npos;
}

namespace fs = std::filesystem;

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";  // spreadsheets write it
constexpr std::string_view header_hint = "the first line names the columns, such as t_s,node_1,node_2";

/// Offset of the first byte that no UTF-8 text has; npos if there is none.
std::size_t first_other_byte(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte < 0x80) {
      ++i;
      continue;
    }
    const std::size_t length = byte < 0xC2 ? 0 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : byte < 0xF5 ? 4 : 0;
    if (length == 0 || i + length > text.size()) return i;
    for (std::size_t k = 1; k < length; ++k) {
      if ((static_cast<unsigned char>(text[i + k]) & 0xC0) != 0x80) return i;
    }
    i += length;
  }
  return std::string_view::npos;
}

bool is_binary(std::string_view text) {
  if (text.find('\0') != std::string_view::npos) return true;
  return std::ranges::any_of(text.substr(0, 4096), [](char c) {
    return static_cast<unsigned char>(c) < 32 && c != '\n' && c != '\r' && c != '\t';
  });
}

bool has_outside_quotes(std::string_view line, char looked_for) {
  bool is_quoted = false;
  return std::ranges::any_of(line, [&](char c) {
    if (c == '"') is_quoted = !is_quoted;
    return c == looked_for && !is_quoted;
  });
}

/// Reads one file.
class TableReader {
 public:
  TableReader(const fs::path& file, const Mention& named_at, Problems& problems)
      : problems_(problems), named_at_(named_at), reported_(file.string(), problems) {
    table_.file = file.string();
  }

  std::optional<CsvTable> read() {
    std::optional<std::string> text = text_of_file();
    if (!text) return std::nullopt;
    if (text->starts_with(byte_order_mark)) text->erase(0, byte_order_mark.size());
    table_.text = std::make_unique<const std::string>(std::move(*text));
    const bool is_table = demand_utf8() && read_lines();
    table_.is_whole = reported_.empty();
    reported_.finish();
    if (!is_table) return std::nullopt;
    return std::move(table_);
  }

 private:
  std::nullopt_t refuse(std::string_view why, std::string hint = {}) {
    if (named_at_.place.file.empty()) {
      problems_.add({{table_.file, 0, 0}, std::string(why), std::move(hint), {}});
    } else {
      problems_.add({named_at_.place, fmt::format("'{}': {}", table_.file, why), std::move(hint), named_at_.excerpt});
    }
    return std::nullopt;
  }

  std::optional<std::string> text_of_file() {
    std::error_code error;
    const fs::file_status status = fs::status(table_.file, error);
    if (!fs::exists(status)) return refuse("no such file", nearest_file_hint(table_.file));
    if (fs::is_directory(status)) return refuse("is a folder, expected a CSV file");
    if (!fs::is_regular_file(status))
      return refuse("is a device or a pipe, expected a CSV file", "write its output to a file and give that file");
    std::optional<std::string> text = unpacked_text(table_.file);
    if (!text) return refuse("cannot be read, or is packed and damaged");
    if (text->starts_with("\xff\xfe") || text->starts_with("\xfe\xff"))
      return refuse("is UTF-16 text, expected UTF-8", fmt::format("iconv -f utf-16 -t utf-8 {}", table_.file));
    if (is_binary(*text)) return refuse("is a binary file, not CSV text");
    if (text->empty()) return refuse("the file is empty", std::string(header_hint));
    unify_line_ends(*text);
    return text;
  }

  bool demand_utf8() {
    const std::string_view text = *table_.text;
    const std::size_t at = first_other_byte(text);
    if (at == std::string_view::npos) return true;
    const std::size_t line_end = text.rfind('\n', at);
    const std::size_t begin = line_end == std::string_view::npos ? 0 : line_end + 1;
    const int line =
        1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
    problems_.add({{table_.file, line, static_cast<int>(at - begin) + 1},
                   "is no UTF-8 text: latin-1 or windows-1252, perhaps",
                   fmt::format("iconv -f windows-1252 -t utf-8 {}", table_.file),
                   {}});
    return false;
  }

  bool read_lines() {
    CsvLines lines(*table_.text);
    if (!lines.next(table_.head)) {
      reported_.add("the file holds no header and no rows", std::string(header_hint));
      return false;
    }
    if (!has_outside_quotes(table_.head.text, ',')) {
      for (const char other : {';', '\t'}) {
        if (has_outside_quotes(table_.head.text, other)) table_.separator = other;
      }
    }
    if (!read_names()) return false;
    for (CsvLine line; lines.next(line);) {
      if (is_second_header(line)) {
        if (line.text != table_.head.text) break;  // rows of another table
      } else if (has_width(line)) {
        table_.rows.push_back(line);
      }
    }
    return true;
  }

  bool read_names() {
    bool has_text = false;
    std::vector<int> places;
    for (std::size_t position = 0; position <= table_.head.text.size();) {
      const CsvCell cell = next_cell(table_.head.text, position, table_.separator);
      if (!is_closed(table_.head, cell)) return false;
      has_text = has_text || (!cell.text.empty() && !number_in(cell.text) && !looks_like_a_time(cell.text));
      table_.names.push_back(cell.unquoted());
      places.push_back(cell.column);
    }
    if (!has_text) {
      reported_.add(table_.head, 1, "the first line contains numbers, but names of columns are expected",
                    std::string(header_hint));
      return false;
    }
    refuse_doubles(places);
    return true;
  }

  void refuse_doubles(const std::vector<int>& places) {
    const std::vector<std::string>& names = table_.names;
    std::vector<std::size_t> order(names.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t k) -> const std::string& { return names[k]; });
    std::vector<std::pair<std::size_t, std::size_t>> doubles;  // the second, the one before it
    for (std::size_t k = 1; k < order.size(); ++k) {
      if (!names[order[k]].empty() && names[order[k]] == names[order[k - 1]])
        doubles.emplace_back(order[k], order[k - 1]);
    }
    std::ranges::sort(doubles);
    for (const auto& [second, first] : doubles) {
      reported_.add(table_.head, places[second],
                    fmt::format("columns {} and {} are both called '{}', so the name is ambiguous", first + 1,
                                second + 1, names[second]),
                    "give each column a name of its own");
    }
  }

  /// Whether a quoted cell fills the space between two separators. If not, this is reported.
  bool is_closed(const CsvLine& line, const CsvCell& cell) {
    if (cell.is_quote_open) {
      reported_.add(line, cell.column, "the quote does not end in this line");
    } else if (cell.surplus_column > 0) {
      reported_.add(line, cell.surplus_column,
                    fmt::format("text behind the quote that closes the cell '{}'", cell.text),
                    "a separator follows the quote; a quote within a quoted cell is written twice");
    }
    return !cell.is_quote_open && cell.surplus_column == 0;
  }

  /// Whether a row contains names of columns again. If so, this is reported.
  bool is_second_header(const CsvLine& line) {
    const std::size_t start = line.text.find_first_not_of(" \t\"");
    if (start == std::string_view::npos || std::isalpha(static_cast<unsigned char>(line.text[start])) == 0)
      return false;  // the common case, fast
    std::vector<CsvCell> cells;
    for (std::size_t position = 0; position <= line.text.size();)
      cells.push_back(next_cell(line.text, position, table_.separator));
    if (!is_header_row(cells, table_.names)) return false;
    const bool is_same = line.text == table_.head.text;
    reported_.add(line, 1,
                  is_same ? fmt::format("the header of line {} again", table_.head.number)
                          : fmt::format("a second header with other columns than line {}", table_.head.number),
                  is_same ? "delete this line; rows go on after it" : "two tables in one file? Split it");
    return true;
  }

  /// Whether a row has as many cells as the first line. If not, this is reported.
  bool has_width(const CsvLine& line) {
    const std::size_t expected = table_.names.size();
    if (line.text.find('"') == std::string_view::npos) {  // the common case, fast
      if (static_cast<std::size_t>(std::ranges::count(line.text, table_.separator)) + 1 == expected) return true;
    }
    std::size_t cells = 0, surplus = 0;
    for (std::size_t position = 0; position <= line.text.size(); ++cells) {
      if (cells == expected) surplus = position;
      const CsvCell cell = next_cell(line.text, position, table_.separator);
      if (!is_closed(line, cell)) return false;
    }
    if (cells == expected) return true;
    const std::size_t at = cells < expected ? line.text.size() : surplus;
    reported_.add(
        line, static_cast<int>(at) + 1,
        fmt::format("{}, but the first line names {}", count_text(cells, "cell"), count_text(expected, "column")),
        width_hint(line, cells));
    return false;
  }

  /// Possible reasons why a row has another number of cells.
  std::string width_hint(const CsvLine& line, std::size_t cells) const {
    const std::size_t expected = table_.names.size();
    const auto has = [](std::string_view text, char c) { return text.find(c) != std::string_view::npos; };
    if (table_.separator == ',' && (has(line.text, ';') || has(table_.head.text, ';')))
      return "semicolons between cells? All lines are separated as the first one, which has commas";
    if (table_.separator == ',' && (cells == 2 * expected || cells + 1 == 2 * expected))
      return "decimal commas? Numbers are written with a point: 35.5";
    return cells < expected ? "a line that was cut off? Fill its cells, or delete it" : "";
  }

  Problems& problems_;
  const Mention& named_at_;
  CsvProblems reported_;
  CsvTable table_;
};

}  // namespace

std::optional<std::size_t> CsvTable::column(std::string_view name) const {
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) return std::nullopt;
  return static_cast<std::size_t>(found - names.begin());
}

Problem CsvTable::problem(const CsvLine& row, std::size_t column, std::string message, std::string hint) const {
  return {{file, row.number, cell(row, column).column}, std::move(message), std::move(hint), std::string(row.text)};
}

std::string CsvTable::names_hint(std::string_view name) const {
  constexpr std::size_t few = 8;
  const std::string near = nearest(name, names);
  if (!near.empty()) return fmt::format("did you mean '{}'?", near);
  return fmt::format("its columns: {}{}", fmt::join(std::span(names).first(std::min(few, names.size())), ", "),
                     names.size() > few ? ", ..." : "");
}

std::optional<CsvTable> read_csv_table(const fs::path& file, Problems& problems, const Mention& named_at) {
  return TableReader(file, named_at, problems).read();
}

}  // namespace wattloop
