// The valid name that a misspelt one was probably meant to be.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace wattloop {

/// Insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The candidate nearest to `name`, upper and lower case alike; empty where none is near (a third of the
/// letters), unless `name` is the beginning of one.
std::string nearest(std::string_view name, std::span<const std::string> candidates);

/// "did you mean 'x'?", else "known: a, b, c" where there are few candidates, else empty.
std::string nearest_hint(std::string_view name, std::span<const std::string> candidates);

}  // namespace wattloop
