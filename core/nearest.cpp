#include "core/nearest.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace wattloop {

namespace {

constexpr std::size_t few_candidates = 8;

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

/// Names of one or two letters are near only to themselves in other letters' case.
std::size_t farthest_near(std::string_view name) {
  return name.size() < 3 ? 0 : std::max<std::size_t>(1, name.size() / 3);
}

}  // namespace

// Optimal string alignment: row by row over `a`, where a swap looks back two rows.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> two_back(b.size() + 1), previous(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    two_back.swap(previous);
    previous.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = previous[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({replaced, previous[j] + 1, row[j - 1] + 1});
      const bool is_swap = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (is_swap) row[j] = std::min(row[j], two_back[j - 2] + 1);
    }
  }
  return row[b.size()];
}

std::string nearest(std::string_view name, std::span<const std::string> candidates) {
  const std::string lower_name = lower_case(name);
  std::size_t least = farthest_near(name) + 1;
  std::string best;
  for (const std::string& candidate : candidates) {
    const std::size_t lengths_apart = std::max(candidate.size(), name.size()) - std::min(candidate.size(), name.size());
    if (lengths_apart >= least) continue;  // no distance is less
    const std::size_t distance = edit_distance(lower_name, lower_case(candidate));
    if (distance >= least) continue;
    least = distance;
    best = candidate;
  }
  return best;
}

std::string nearest_hint(std::string_view name, std::span<const std::string> candidates) {
  const std::string best = nearest(name, candidates);
  if (!best.empty()) return fmt::format("did you mean '{}'?", best);
  if (candidates.empty() || candidates.size() > few_candidates) return {};
  return fmt::format("known: {}", fmt::join(candidates, ", "));
}

}  // namespace wattloop
