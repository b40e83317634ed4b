#include "core/text/name_pattern.hpp"

#include <utility>

#include "core/text/nearest.hpp"

namespace wattloop {

bool has_wildcard(std::string_view pattern) { return pattern.find('*') != std::string_view::npos; }

// Compares both texts from the front. At a mismatch the last `*` takes one more character, unless this character is a dot.
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

std::vector<std::string> stars_of(std::string_view name, std::string_view pattern) {
  std::vector<std::string> found;
  std::size_t begin = 0;
  for (; begin < pattern.size() && pattern[begin] != '*'; ++begin) {
  }
  if (begin == pattern.size()) return found;
  const std::string_view rest = pattern.substr(begin + 1);
  std::size_t end = begin;
  while (!fits_pattern(name.substr(end), rest)) ++end;
  found.emplace_back(name.substr(begin, end - begin));
  for (std::string& star : stars_of(name.substr(end), rest)) found.push_back(std::move(star));
  return found;
}

NameIndex::NameIndex(std::vector<std::string> names) {
  for (const std::string& name : names) add(name);
}

std::size_t NameIndex::add(const std::string& name) {
  const auto [at, is_new] = numbers_.emplace(name, names_.size());
  if (is_new) names_.push_back(name);
  return at->second;
}

std::vector<std::size_t> NameIndex::fitting(std::string_view pattern) const {
  std::vector<std::size_t> found;
  if (!has_wildcard(pattern)) {
    const auto at = numbers_.find(std::string(pattern));
    if (at != numbers_.end()) found.push_back(at->second);
    return found;
  }
  for (std::size_t number = 0; number < names_.size(); ++number) {
    if (fits_pattern(names_[number], pattern)) found.push_back(number);
  }
  return found;
}

std::string NameIndex::hint(std::string_view name, const Problems& problems) const {
  return problems.are_all_reported() ? nearest_hint(name, names_) : std::string();
}

}  // namespace wattloop
