#include "twin/report/events/most_important.hpp"

#include <algorithm>
#include <compare>
#include <numeric>
#include <optional>

namespace wattloop::twin {

namespace {

bool has_failures(std::span<const EventSummaryLine> event_lines) {
  return std::ranges::any_of(event_lines, &EventSummaryLine::is_failure);
}

/// Places of the lines that say how it began: where anything failed, a set-point that was changed is no cause.
struct Beginning {
  std::optional<std::size_t> first_cause{}, last_cause{};  ///< the last one before work is slowed or ends
  std::optional<std::size_t> first_slowdown{}, first_end{};

  explicit Beginning(std::span<const EventSummaryLine> event_lines) {
    const bool may_be_set = !has_failures(event_lines);
    for (std::size_t k = 0; k < event_lines.size(); ++k) {
      const bool is_cause = event_lines[k].is_failure || (may_be_set && event_lines[k].weight == Weight::cause);
      if (is_cause && !first_cause) first_cause = k;
      if (is_cause && !is_work_harmed()) last_cause = k;
      if (event_lines[k].slows_work && !first_slowdown) first_slowdown = k;
      if (event_lines[k].ends_work && !first_end) first_end = k;
    }
  }
  bool is_work_harmed() const { return first_slowdown || first_end; }
  bool holds(std::size_t k) const {
    return is_work_harmed() && (k == first_cause || k == last_cause || k == (first_end ? first_end : first_slowdown));
  }
  bool is_before_cause(std::size_t k) const { return is_work_harmed() && first_cause && k < *first_cause; }
};

/// Of each line; a cause has the worst of what follows before the next one, at a later time. Where anything failed, the next one is the next
/// failure: a set-point that was changed between a failure and its harm does not hide the failure.
std::vector<Consequence> consequences_of(std::span<const EventSummaryLine> event_lines) {
  std::vector<Consequence> worst;
  for (const EventSummaryLine& line : event_lines) worst.push_back(line.consequence);
  const bool are_failures = has_failures(event_lines);
  Consequence behind = Consequence::none;  // of the lines between the cause present and the next one
  for (std::size_t k = event_lines.size(); k-- > 0;) {
    if (event_lines[k].weight != Weight::cause) {
      behind = std::max(behind, worst[k]);
      continue;
    }
    worst[k] = std::max(worst[k], behind);
    if (are_failures && !event_lines[k].is_failure) continue;
    const bool is_first_of_its_time =
        k == 0 || event_lines[k - 1].weight != Weight::cause || event_lines[k - 1].first_s < event_lines[k].first_s;
    if (is_first_of_its_time) behind = Consequence::none;
  }
  return worst;
}

/// What a line is chosen before others for, compared member by member.
struct Rank {
  bool is_of_the_beginning;
  Consequence consequence;
  bool is_order;
  bool is_failure;
  Weight weight;
  auto operator<=>(const Rank&) const = default;
};

}  // namespace

std::vector<EventSummaryLine> most_important(std::span<const EventSummaryLine> event_lines, std::size_t most) {
  const Beginning begins(event_lines);
  std::vector<std::size_t> order(event_lines.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const std::vector<Consequence> consequences = consequences_of(event_lines);
  const auto rank = [&](std::size_t k) {
    return Rank{begins.holds(k), consequences[k], event_lines[k].is_order, event_lines[k].is_failure,
                event_lines[k].weight};
  };
  std::erase_if(order,
                [&](std::size_t k) { return event_lines[k].weight <= Weight::notice && begins.is_before_cause(k); });
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return rank(a) > rank(b); });
  order.resize(std::min(order.size(), most));
  std::ranges::sort(order);
  std::vector<EventSummaryLine> chosen;
  for (const std::size_t k : order) chosen.push_back(event_lines[k]);
  return chosen;
}

std::size_t events_left_out(std::span<const EventSummaryLine> event_lines, std::span<const EventSummaryLine> chosen) {
  const auto events_of = [](std::span<const EventSummaryLine> lines) {
    std::size_t count = 0;
    for (const EventSummaryLine& line : lines) count += line.event_count;
    return count;
  };
  return events_of(event_lines) - events_of(chosen);
}

}  // namespace wattloop::twin
