#include "workload/replay/column_list.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace wattloop::workload {

namespace {

/// Takes a whole number from the front of `text`; 0 if there is none.
std::size_t take_number(std::string_view& text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{}) return 0;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  while (text.starts_with(' ')) text.remove_prefix(1);
  return number;
}

}  // namespace

std::string read_column_list(std::string_view list, std::size_t count, std::vector<std::size_t>& columns) {
  std::string_view rest = list == "all" ? std::string_view("1..") : list;
  for (bool is_first = true; is_first || !rest.empty(); is_first = false) {
    const std::size_t from = take_number(rest);
    std::size_t to = from;
    if (rest.starts_with("..")) {
      rest.remove_prefix(2);
      to = list == "all" ? count : take_number(rest);
    }
    const bool is_followed = rest.starts_with(',') && rest.size() > 1;
    if (from == 0 || to < from || !(rest.empty() || is_followed)) {
      return fmt::format("columns: '{}' is not a list of columns such as 1..8,12", list);
    }
    if (to > count) return fmt::format("columns: {} asked for, but the trace has {}", to, count);
    for (std::size_t column = from; column <= to; ++column) {
      if (std::find(columns.begin(), columns.end(), column) != columns.end()) {
        return fmt::format("columns: {} is named twice", column);
      }
      columns.push_back(column);
    }
    if (is_followed) rest.remove_prefix(1);
  }
  return {};
}

}  // namespace wattloop::workload
