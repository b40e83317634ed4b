// Patterns of component names: `*` stands for any text within one dot part ("cdu_*.pump_a",
// "row_3.*.node_4").
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wattloop {

bool has_wildcard(std::string_view pattern);

/// Does the whole of `name` fit `pattern`? A `*` never reaches over a dot.
bool fits_pattern(std::string_view name, std::string_view pattern);

/// Indices of the names that fit, in their order.
std::vector<std::size_t> fitting(std::span<const std::string> names, std::string_view pattern);

}  // namespace wattloop
