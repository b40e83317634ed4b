// Patterns of component names: `*` stands for any text within one dot part ("cdu_*.pump_a",
// "row_3.*.node_4").
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/text/problem.hpp"

namespace wattloop {

bool has_wildcard(std::string_view pattern);

/// Does the whole of `name` fit `pattern`? A `*` never reaches over a dot.
bool fits_pattern(std::string_view name, std::string_view pattern);

/// What the stars of `pattern` stand for in a name that fits it, in their order; of a star that could end at several
/// places the first.
std::vector<std::string> stars_of(std::string_view name, std::string_view pattern);

/// Names of one sort: the one resolver of names. One that is written without a star is found at once, however many there are.
class NameIndex {
 public:
  NameIndex() = default;
  explicit NameIndex(std::vector<std::string> names);

  /// Its number, counted from 0; a name that is there already keeps the number that it has.
  std::size_t add(const std::string& name);

  const std::vector<std::string>& names() const { return names_; }
  bool holds(const std::string& name) const { return numbers_.contains(name); }

  /// Numbers of the names that fit, in their order.
  std::vector<std::size_t> fitting(std::string_view pattern) const;

  /// "did you mean 'x'?" of a name that is not there, where another problem is printed with its hint; else nothing.
  std::string hint(std::string_view name, const Problems& problems) const;

 private:
  std::vector<std::string> names_{};
  std::unordered_map<std::string, std::size_t> numbers_{};
};

}  // namespace wattloop
