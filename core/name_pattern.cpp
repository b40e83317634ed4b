#include "core/name_pattern.hpp"

namespace wattloop {

bool has_wildcard(std::string_view pattern) { return pattern.find('*') != std::string_view::npos; }

// Walks both texts; on a mismatch the last `*` takes one more character, if that is not a dot.
bool fits_pattern(std::string_view name, std::string_view pattern) {
  constexpr std::size_t none = std::string_view::npos;
  std::size_t at_name = 0, at_pattern = 0;
  std::size_t after_star = none, star_end = 0;
  while (at_name < name.size() || at_pattern < pattern.size()) {
    if (at_pattern < pattern.size() && pattern[at_pattern] == '*') {
      after_star = ++at_pattern;
      star_end = at_name;
      continue;
    }
    if (at_name < name.size() && at_pattern < pattern.size() && name[at_name] == pattern[at_pattern]) {
      ++at_name;
      ++at_pattern;
      continue;
    }
    if (after_star == none || star_end == name.size() || name[star_end] == '.') return false;
    at_name = ++star_end;
    at_pattern = after_star;
  }
  return true;
}

std::vector<std::size_t> fitting(std::span<const std::string> names, std::string_view pattern) {
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (fits_pattern(names[i], pattern)) indices.push_back(i);
  }
  return indices;
}

}  // namespace wattloop
