#include "core/csv_text.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <limits>

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

}  // namespace

bool CsvLines::next(CsvLine& line) {
  while (!rest_.empty()) {
    const std::size_t end = rest_.find('\n');
    std::string_view text = rest_.substr(0, end);
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    ++number_;
    if (!text.empty() && text.back() == '\r') text.remove_suffix(1);
    const std::size_t start = text.find_first_not_of(" \t");
    if (start == std::string_view::npos || text[start] == '#') continue;
    line = {text, number_};
    return true;
  }
  return false;
}

CsvCell next_cell(std::string_view line, std::size_t& position, char separator) {
  std::size_t start = position;
  while (start < line.size() && is_blank(line[start]) && line[start] != separator) ++start;
  if (start < line.size() && line[start] == '"') {
    const std::size_t quote = line.find('"', start + 1);
    const std::size_t next = quote == std::string_view::npos ? quote : line.find(separator, quote);
    position = next == std::string_view::npos ? line.size() + 1 : next + 1;
    const int column = static_cast<int>(start) + 1;
    if (quote == std::string_view::npos) return {line.substr(start), column, true};
    return {trimmed(line.substr(start + 1, quote - start - 1)), column, false};
  }
  const std::size_t end = std::min(line.find(separator, position), line.size());
  const std::string_view text = trimmed(line.substr(position, end - position));
  const int column = static_cast<int>(text.empty() ? position : start) + 1;
  position = end + 1;
  return {text, column, false};
}

CsvCell cell_at(std::string_view line, std::size_t index, char separator) {
  std::size_t position = 0;
  CsvCell cell = next_cell(line, position, separator);
  for (; index > 0; --index) cell = next_cell(line, position, separator);
  return cell;
}

std::optional<double> number_in(std::string_view text) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size() || error == std::errc::invalid_argument || value != value) return std::nullopt;
  return error == std::errc::result_out_of_range ? std::numeric_limits<double>::infinity() : value;
}

bool is_missing_number(std::string_view text) {
  constexpr std::array<std::string_view, 6> words{"-", "nan", "null", "n/a", "na", "[n/a]"};
  if (text.empty()) return true;
  const auto is_same = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
  return std::ranges::any_of(words, [&](std::string_view word) { return std::ranges::equal(text, word, is_same); });
}

std::string number_hint(std::string_view text, std::string otherwise) {
  const std::size_t comma = text.find(',');
  if (comma != std::string_view::npos && text.find(',', comma + 1) == std::string_view::npos) {
    std::string with_point(text);
    with_point[comma] = '.';
    if (number_in(with_point)) return fmt::format("a decimal comma: numbers are written with a point, {}", with_point);
  }
  const std::size_t blank = text.find(' ');
  if (blank != std::string_view::npos && number_in(text.substr(0, blank)))
    return fmt::format("cells hold numbers alone: `unit: {}` says what they are in", trimmed(text.substr(blank)));
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

void CsvProblems::finish() {
  if (count_ <= most_shown) return;
  Problem more;
  more.place.file = file_;
  more.message = fmt::format("and {} more", count_ - most_shown);
  problems_.add(std::move(more));
}

}  // namespace wattloop
