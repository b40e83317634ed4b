#include "core/text/nearest.hpp"

#include <algorithm>
#include <functional>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace wattloop {

namespace {

constexpr std::size_t few_candidates = 8;

char lower_case(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
bool is_same_letter(char a, char b) { return lower_case(a) == lower_case(b); }

/// A name of one or two letters is near only to the same name in other case.
std::size_t farthest_near(std::string_view name) {
  return name.size() < 3 ? 0 : std::max<std::size_t>(1, name.size() / 3);
}

/// Distance of two texts with different first and different last letters, but at most `limit`.
template <class Same>
std::size_t distance_below(std::string_view a, std::string_view b, std::size_t limit, Same is_same) {
  std::vector<std::size_t> two_back(b.size() + 1), previous(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    two_back.swap(previous);
    previous.swap(row);
    row[0] = i;
    std::size_t least = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = previous[j - 1] + (is_same(a[i - 1], b[j - 1]) ? 0 : 1);
      row[j] = std::min({replaced, previous[j] + 1, row[j - 1] + 1});
      const bool is_swap = i > 1 && j > 1 && is_same(a[i - 1], b[j - 2]) && is_same(a[i - 2], b[j - 1]);
      if (is_swap) row[j] = std::min(row[j], two_back[j - 2] + 1);
      least = std::min(least, row[j]);
    }
    if (least >= limit) return limit;  // no later row has less, since a row grows by one at the most
  }
  return std::min(row[b.size()], limit);
}

/// The same for any texts. A common beginning and a common end do not change the distance.
template <class Same>
std::size_t distance_of(std::string_view a, std::string_view b, std::size_t limit, Same is_same) {
  const auto begin = std::mismatch(a.begin(), a.end(), b.begin(), b.end(), is_same).first - a.begin();
  a.remove_prefix(static_cast<std::size_t>(begin));
  b.remove_prefix(static_cast<std::size_t>(begin));
  const auto end = std::mismatch(a.rbegin(), a.rend(), b.rbegin(), b.rend(), is_same).first - a.rbegin();
  a.remove_suffix(static_cast<std::size_t>(end));
  b.remove_suffix(static_cast<std::size_t>(end));
  if (a.empty() || b.empty()) return std::min(std::max(a.size(), b.size()), limit);
  return limit == 1 ? 1 : distance_below(a, b, limit, is_same);
}

}  // namespace

// Optimal string alignment, row by row over `a`. For a swap of two letters the algorithm looks back two rows.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  return distance_of(a, b, std::max(a.size(), b.size()), std::equal_to<>());
}

std::string nearest(std::string_view name, std::span<const std::string> candidates) {
  std::size_t least = farthest_near(name) + 1;
  const std::string* best = nullptr;
  for (const std::string& candidate : candidates) {
    const std::size_t lengths_apart = std::max(candidate.size(), name.size()) - std::min(candidate.size(), name.size());
    if (lengths_apart >= least) continue;  // no distance is less
    const std::size_t distance = distance_of(name, candidate, least, is_same_letter);
    if (distance >= least) continue;
    least = distance;
    best = &candidate;
  }
  if (best != nullptr) return *best;
  const auto is_begun = [&](const std::string& candidate) {
    return name.size() >= 3 && candidate.size() > name.size() &&
           std::equal(name.begin(), name.end(), candidate.begin(), is_same_letter);
  };
  const auto begun = std::ranges::find_if(candidates, is_begun);
  return begun == candidates.end() ? std::string() : *begun;
}

std::string nearest_hint(std::string_view name, std::span<const std::string> candidates) {
  const std::string best = nearest(name, candidates);
  if (!best.empty()) return fmt::format("did you mean '{}'?", best);
  if (candidates.empty() || candidates.size() > few_candidates) return {};
  return fmt::format("known: {}", fmt::join(candidates, ", "));
}

}  // namespace wattloop
