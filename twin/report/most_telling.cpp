#include "twin/report/most_telling.hpp"

#include <algorithm>
#include <compare>
#include <numeric>
#include <optional>

namespace wattloop::twin {

namespace {

/// Places of the lines that say how it began.
struct Beginning {
  std::optional<std::size_t> first_cause{}, last_cause{};  ///< the last one before work is slowed or ends
  std::optional<std::size_t> first_slowdown{}, first_end{};

  explicit Beginning(std::span<const StoryLine> story) {
    for (std::size_t k = 0; k < story.size(); ++k) {
      if (story[k].weight == Weight::cause && !first_cause) first_cause = k;
      if (story[k].weight == Weight::cause && !is_work_harmed()) last_cause = k;
      if (story[k].slows_work && !first_slowdown) first_slowdown = k;
      if (story[k].ends_work && !first_end) first_end = k;
    }
  }
  bool is_work_harmed() const { return first_slowdown || first_end; }
  bool holds(std::size_t k) const {
    return is_work_harmed() && (k == first_cause || k == last_cause || k == (first_end ? first_end : first_slowdown));
  }
  bool is_before_cause(std::size_t k) const { return is_work_harmed() && first_cause && k < *first_cause; }
};

/// Of each line; a cause has the worst of what follows before the next one, at a later time.
std::vector<Consequence> consequences_of(std::span<const StoryLine> story) {
  std::vector<Consequence> worst;
  for (const StoryLine& line : story) worst.push_back(line.consequence);
  Consequence behind = Consequence::none;  // of the lines between the cause at hand and the next one
  for (std::size_t k = story.size(); k-- > 0;) {
    if (story[k].weight != Weight::cause) {
      behind = std::max(behind, worst[k]);
      continue;
    }
    worst[k] = std::max(worst[k], behind);
    const bool is_first_of_its_time =
        k == 0 || story[k - 1].weight != Weight::cause || story[k - 1].first_s < story[k].first_s;
    if (is_first_of_its_time) behind = Consequence::none;
  }
  return worst;
}

/// What a line is chosen before others for, compared member by member.
struct Rank {
  bool is_of_the_beginning;
  Consequence consequence;
  Weight weight;
  auto operator<=>(const Rank&) const = default;
};

}  // namespace

std::vector<StoryLine> most_telling(std::span<const StoryLine> story, std::size_t most) {
  const Beginning begins(story);
  std::vector<std::size_t> order(story.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const std::vector<Consequence> consequences = consequences_of(story);
  const auto rank = [&](std::size_t k) { return Rank{begins.holds(k), consequences[k], story[k].weight}; };
  std::erase_if(order, [&](std::size_t k) { return story[k].weight <= Weight::notice && begins.is_before_cause(k); });
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return rank(a) > rank(b); });
  order.resize(std::min(order.size(), most));
  std::ranges::sort(order);
  std::vector<StoryLine> chosen;
  for (const std::size_t k : order) chosen.push_back(story[k]);
  return chosen;
}

std::size_t events_left_out(std::span<const StoryLine> story, std::span<const StoryLine> chosen) {
  const auto events_of = [](std::span<const StoryLine> lines) {
    std::size_t count = 0;
    for (const StoryLine& line : lines) count += line.event_count;
    return count;
  };
  return events_of(story) - events_of(chosen);
}

}  // namespace wattloop::twin
