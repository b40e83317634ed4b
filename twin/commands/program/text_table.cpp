#include "twin/commands/program/text_table.hpp"

#include <algorithm>
#include <utility>

namespace wattloop::twin {

namespace {

constexpr std::size_t indent = 2, between = 2, narrowest_name = 12;

std::string spaces(std::size_t count) { return std::string(count, ' '); }

}  // namespace

std::size_t shown_length(const std::string& text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; }));
}

TextTable::TextTable(std::vector<std::string> head, std::size_t width) : rows_{std::move(head)}, width_(width) {}

void TextTable::add(std::vector<std::string> row) {
  row.resize(rows_.front().size());
  rows_.push_back(std::move(row));
}

std::string TextTable::text() const {
  std::vector<std::size_t> widths(rows_.front().size(), 0);
  for (const auto& row : rows_) {
    for (std::size_t k = 0; k < row.size(); ++k) widths[k] = std::max(widths[k], shown_length(row[k]));
  }
  std::size_t beside = 0;
  for (std::size_t k = 1; k < widths.size(); ++k) beside += between + widths[k];
  const std::size_t left = width_ > indent + beside ? width_ - indent - beside : 0;
  widths[0] = std::min(widths[0], std::max(left, narrowest_name));
  std::string text;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const auto& row = rows_[r];
    std::string line = (r == 0 ? "" : spaces(indent)) + row[0];
    const std::size_t name_end = indent + widths[0];
    if (shown_length(line) > name_end) {
      text += line + '\n';
      line.clear();
    }
    line += spaces(name_end - std::min(name_end, shown_length(line)));
    for (std::size_t k = 1; k < row.size(); ++k) line += spaces(between + widths[k] - shown_length(row[k])) + row[k];
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

}  // namespace wattloop::twin
