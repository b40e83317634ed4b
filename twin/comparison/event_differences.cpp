#include "twin/comparison/event_differences.hpp"

#include <cmath>
#include <map>
#include <string>
#include <utility>

namespace wattloop::twin {

namespace {

using Group = std::vector<const EventRecord*>;

/// Beyond so many pairs events are taken in their order.
constexpr std::size_t most_pairs = 4'000'000;

/// For each of the fewer events its partner among the more, in order, so that the sum of all moves is least.
std::vector<std::size_t> partners(const Group& fewer, const Group& more) {
  const std::size_t n = fewer.size(), spare = more.size() - fewer.size();
  std::vector<std::size_t> of(n);
  if ((n + 1) * (spare + 1) > most_pairs) {
    for (std::size_t i = 0; i < n; ++i) of[i] = i;
    return of;
  }
  // least[i][s]: the first i have partners, s of the more were left out before them
  std::vector<std::vector<double>> least(n + 1, std::vector<double>(spare + 1, 0.0));
  const auto move_s = [&](std::size_t i, std::size_t s) { return std::abs(fewer[i]->time_s - more[i + s]->time_s); };
  for (std::size_t i = 1; i <= n; ++i) {
    for (std::size_t s = 0; s <= spare; ++s) {
      least[i][s] = least[i - 1][s] + move_s(i - 1, s);
      if (s > 0) least[i][s] = std::min(least[i][s], least[i][s - 1]);
    }
  }
  std::size_t s = spare;
  for (std::size_t i = n; i-- > 0;) {
    while (s > 0 && least[i + 1][s] == least[i + 1][s - 1]) --s;
    of[i] = i + s;
  }
  return of;
}

void compare_group(const Group& a, const Group& b, std::vector<EventDifference>& differences) {
  const bool is_a_fewer = a.size() <= b.size();
  const Group &fewer = is_a_fewer ? a : b, &more = is_a_fewer ? b : a;
  std::vector<bool> has_partner(more.size(), false);
  const std::vector<std::size_t> of = partners(fewer, more);
  for (std::size_t i = 0; i < fewer.size(); ++i) {
    has_partner[of[i]] = true;
    const EventRecord &in_a = is_a_fewer ? *fewer[i] : *more[of[i]], &in_b = is_a_fewer ? *more[of[i]] : *fewer[i];
    const bool is_moved = std::abs(in_b.time_s - in_a.time_s) > smallest_reported_move_s;
    if (is_moved || in_a.detail != in_b.detail) differences.push_back({in_a, in_b});
  }
  for (std::size_t k = 0; k < more.size(); ++k) {
    if (has_partner[k]) continue;
    differences.push_back(is_a_fewer ? EventDifference{{}, *more[k]} : EventDifference{*more[k], {}});
  }
}

}  // namespace

std::vector<EventDifference> event_differences(std::span<const EventRecord> a, std::span<const EventRecord> b) {
  std::map<std::pair<std::string, std::string>, std::pair<Group, Group>> groups;
  for (const EventRecord& event : a) groups[{event.kind, event.target}].first.push_back(&event);
  for (const EventRecord& event : b) groups[{event.kind, event.target}].second.push_back(&event);
  std::vector<EventDifference> differences;
  for (const auto& [name, group] : groups) compare_group(group.first, group.second, differences);
  std::ranges::stable_sort(differences, {}, &EventDifference::time_s);
  return differences;
}

}  // namespace wattloop::twin
