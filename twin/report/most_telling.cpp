#include "twin/report/most_telling.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

namespace wattloop::twin {

namespace {

/// What a line is kept before others for.
enum class Rank { before_the_cause, routine, notice, loss, end_of_work, cause, of_the_beginning };

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
    if (k == first_cause) return true;
    return is_work_harmed() && (k == last_cause || k == (first_end ? first_end : first_slowdown));
  }
  bool is_before_cause(std::size_t k) const { return is_work_harmed() && first_cause && k < *first_cause; }
};

Rank rank_of(const StoryLine& line, std::size_t k, const Beginning& begins) {
  if (begins.holds(k)) return Rank::of_the_beginning;
  if (line.weight == Weight::cause) return Rank::cause;
  if (line.ends_work) return Rank::end_of_work;
  if (line.weight == Weight::loss) return Rank::loss;
  if (begins.is_before_cause(k)) return Rank::before_the_cause;
  return line.weight == Weight::notice ? Rank::notice : Rank::routine;
}

}  // namespace

std::vector<StoryLine> most_telling(std::span<const StoryLine> story, std::size_t most) {
  const Beginning begins(story);
  std::vector<std::size_t> order(story.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto rank = [&](std::size_t k) { return rank_of(story[k], k, begins); };
  std::erase_if(order, [&](std::size_t k) { return rank(k) == Rank::before_the_cause; });
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return rank(a) > rank(b); });
  order.resize(std::min(order.size(), most));
  std::ranges::sort(order);
  std::vector<StoryLine> chosen;
  for (const std::size_t k : order) chosen.push_back(story[k]);
  return chosen;
}

}  // namespace wattloop::twin
