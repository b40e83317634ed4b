#include "workload/csv_text.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace wattloop::workload {

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

CsvCell next_cell(std::string_view line, std::size_t& position) {
  std::size_t start = position;
  while (start < line.size() && is_blank(line[start])) ++start;
  if (start < line.size() && line[start] == '"') {
    const std::size_t quote = line.find('"', start + 1);
    const std::size_t comma = quote == std::string_view::npos ? quote : line.find(',', quote);
    position = comma == std::string_view::npos ? line.size() + 1 : comma + 1;
    const int column = static_cast<int>(start) + 1;
    if (quote == std::string_view::npos) return {line.substr(start), column, true};
    return {trimmed(line.substr(start + 1, quote - start - 1)), column, false};
  }
  const std::size_t end = std::min(line.find(',', position), line.size());
  const std::string_view text = trimmed(line.substr(position, end - position));
  const int column = static_cast<int>(text.empty() ? position : start) + 1;
  position = end + 1;
  return {text, column, false};
}

CsvCell cell_at(std::string_view line, std::size_t index) {
  std::size_t position = 0;
  CsvCell cell = next_cell(line, position);
  for (; index > 0; --index) cell = next_cell(line, position);
  return cell;
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

}  // namespace wattloop::workload
