#include "core/tables/csv_text.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <limits>
#include <utility>

#include <fmt/format.h>

namespace wattloop {

namespace {

constexpr int most_shown = 20;
constexpr std::size_t widest_excerpt = 90;

bool is_blank(char c) { return c == ' ' || c == '\t'; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

/// The line, or the part of a long one around the column, as one printable row.
Problem with_excerpt(Problem problem, std::string_view line) {
  const auto column = static_cast<std::size_t>(problem.place.column);
  std::size_t first = 0;
  if (line.size() > widest_excerpt && column > widest_excerpt / 2) {
    first = std::min(column - widest_excerpt / 2, line.size() - widest_excerpt);
  }
  const std::string_view part = line.substr(first, widest_excerpt);
  const std::string before = first > 0 ? "..." : "";
  problem.excerpt = before + std::string(part) + (first + part.size() < line.size() ? "..." : "");
  problem.caret = static_cast<int>(column - first + before.size());
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 32 || c == 127; };
  std::replace_if(problem.excerpt.begin(), problem.excerpt.end(), is_control, ' ');
  return problem;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool are_digits(std::string_view text) { return !text.empty() && std::ranges::all_of(text, is_digit); }

std::string without(std::string_view text, char left_out) {
  std::string rest(text);
  std::erase(rest, left_out);
  return rest;
}

/// "1,010", "12,345,678.9" with `separator` ',': groups of three digits, the first of one to three that begin with no 0.
bool is_grouped(std::string_view text, char separator) {
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) text.remove_prefix(1);
  const char point = separator == '.' ? ',' : '.';
  const std::size_t end = text.find(point);
  if (end != std::string_view::npos && !are_digits(text.substr(end + 1))) return false;
  text = text.substr(0, end);
  const std::size_t first = text.find(separator);
  if (first == std::string_view::npos || first == 0 || first > 3 || text.front() == '0') return false;
  if (!are_digits(text.substr(0, first)) || (text.size() - first) % 4 != 0) return false;
  for (std::size_t at = first; at < text.size(); at += 4) {
    if (text[at] != separator || !are_digits(text.substr(at + 1, 3))) return false;
  }
  return true;
}

/// The possible meanings of commas in a number, each with the number that results. Empty if the text is not a number with commas.
std::string comma_hint(std::string_view text) {
  if (text.find(',') == std::string_view::npos) return {};
  std::string with_point = is_grouped(text, '.') ? without(text, '.') : std::string(text);
  std::ranges::replace(with_point, ',', '.');
  const bool is_decimal = number_in(with_point).has_value(), is_thousands = is_grouped(text, ',');
  if (is_decimal && is_thousands)
    return fmt::format("if the comma separates thousands, write {}; if it is a decimal comma, write {}",
                       without(text, ','), with_point);
  if (is_thousands)
    return fmt::format("thousands separators: numbers are written without them, {}", without(text, ','));
  return is_decimal ? fmt::format("a decimal comma: numbers are written with a point, {}", with_point) : std::string();
}

bool is_same_word(std::string_view text, std::string_view word) {
  return std::ranges::equal(text, word,
                            [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; });
}

}  // namespace

std::string CsvCell::unquoted() const {
  std::string one(text);
  for (std::size_t at = one.find("\"\""); has_quotes && at != std::string::npos; at = one.find("\"\"", at + 1))
    one.erase(at, 1);
  return one;
}

void unify_line_ends(std::string& text) {
  for (std::size_t at = text.find('\r'); at != std::string::npos; at = text.find('\r', at + 1)) {
    if (at + 1 == text.size() || text[at + 1] != '\n') text[at] = '\n';
  }
}

namespace {

/// If a spreadsheet could not compute a cell, the cell begins with '#'. It is not a comment.
bool begins_with_sheet_error(std::string_view text) {
  constexpr std::array<std::string_view, 7> errors{"#n/a", "#value!", "#ref!", "#div/0!", "#num!", "#name?", "#null!"};
  return std::ranges::any_of(errors,
                             [&](std::string_view one) { return is_same_word(text.substr(0, one.size()), one); });
}

}  // namespace

bool CsvLines::next(CsvLine& line) {
  while (!rest_.empty()) {
    const std::size_t end = rest_.find('\n');
    std::string_view text = rest_.substr(0, end);
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    ++number_;
    if (!text.empty() && text.back() == '\r') text.remove_suffix(1);
    const std::size_t start = text.find_first_not_of(" \t");
    if (start == std::string_view::npos) continue;
    if (text[start] == '#' && !begins_with_sheet_error(text.substr(start))) continue;
    line = {text, number_};
    return true;
  }
  return false;
}

CsvCell next_cell(std::string_view line, std::size_t& position, char separator) {
  std::size_t start = position;
  while (start < line.size() && is_blank(line[start]) && line[start] != separator) ++start;
  if (start < line.size() && line[start] == '"') {
    std::size_t quote = line.find('"', start + 1);
    while (quote != std::string_view::npos && quote + 1 < line.size() && line[quote + 1] == '"')
      quote = line.find('"', quote + 2);  // two of them are one of the text
    const std::size_t next = quote == std::string_view::npos ? quote : line.find(separator, quote);
    position = next == std::string_view::npos ? line.size() + 1 : next + 1;
    const int column = static_cast<int>(start) + 1;
    if (quote == std::string_view::npos) return {.text = line.substr(start), .column = column, .is_quote_open = true};
    std::size_t behind = quote + 1;
    while (behind + 1 < position && is_blank(line[behind])) ++behind;
    return {.text = trimmed(line.substr(start + 1, quote - start - 1)),
            .column = column,
            .has_quotes = true,
            .surplus_column = behind + 1 < position ? static_cast<int>(behind) + 1 : 0};
  }
  const std::size_t end = std::min(line.find(separator, position), line.size());
  const std::string_view text = trimmed(line.substr(position, end - position));
  const int column = static_cast<int>(text.empty() ? position : start) + 1;
  position = end + 1;
  return {.text = text, .column = column};
}

CsvCell cell_at(std::string_view line, std::size_t index, char separator) {
  std::size_t position = 0;
  CsvCell cell = next_cell(line, position, separator);
  for (; index > 0; --index) cell = next_cell(line, position, separator);
  return cell;
}

std::optional<double> number_in(std::string_view text) {
  if (text.size() > 1 && text[0] == '+' && (is_digit(text[1]) || text[1] == '.')) text.remove_prefix(1);
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size() || error == std::errc::invalid_argument || value != value) return std::nullopt;
  return error == std::errc::result_out_of_range ? std::numeric_limits<double>::infinity() : value;
}

bool is_missing_number(std::string_view text) {
  constexpr std::array<std::string_view, 9> words{"-", "nan", "null", "none", "n/a", "na", "[n/a]", "#n/a", "<na>"};
  return text.empty() || std::ranges::any_of(words, [&](std::string_view word) { return is_same_word(text, word); });
}

std::string number_hint(std::string_view text, std::string otherwise) {
  if (std::string hint = comma_hint(text); !hint.empty()) return hint;
  const std::size_t blank = text.find(' ');
  if (blank != std::string_view::npos && number_in(without(text, ' ')))
    return fmt::format("thousands separators: numbers are written without them, {}", without(text, ' '));
  if (blank != std::string_view::npos && number_in(text.substr(0, blank)))
    return fmt::format("a cell contains only a number: write its unit as `unit: {}`", trimmed(text.substr(blank)));
  return otherwise;
}

bool CsvProblems::is_shown() { return ++count_ <= most_shown; }

void CsvProblems::add(std::string message, std::string hint) {
  if (is_shown()) problems_.add({{file_, 0, 0}, std::move(message), std::move(hint), {}});
}

void CsvProblems::add(const CsvLine& line, int column, std::string message, std::string hint) {
  if (!is_shown()) return;
  problems_.add(with_excerpt({{file_, line.number, column}, std::move(message), std::move(hint), {}}, line.text));
}

void CsvProblems::add_no_number(const CsvLine& line, const CsvCell& cell, std::string message, std::string otherwise) {
  std::string hint = number_hint(cell.text, std::move(otherwise));
  if (!comma_hint(cell.text).empty()) {
    if (std::exchange(are_commas_reported_, true)) return;
    if (line.text.find(';') != std::string_view::npos && !is_grouped(cell.text, ','))
      hint += fmt::format(
          "; decimal commas are not read either if semicolons separate the cells: `tr ',' '.' < {}` replaces them by "
          "points",
          file_);
    hint += "; other cells with commas are not listed";
  }
  add(line, cell.column, std::move(message), std::move(hint));
}

void CsvProblems::finish() {
  if (count_ <= most_shown) return;
  Problem more;
  more.place.file = file_;
  more.message = fmt::format("and {} more", count_ - most_shown);
  more.count = static_cast<std::size_t>(count_ - most_shown);
  problems_.add(std::move(more));
}

}  // namespace wattloop
