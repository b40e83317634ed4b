#include "twin/report/event_story.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

namespace wattloop::twin {

namespace {

constexpr std::size_t shown_targets = 6;

std::string words_of(std::string_view kind) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 7> words{{
      {"fail", "failed"},
      {"open", "opened"},
      {"close", "closed"},
      {"start", "started"},
      {"restore", "restored"},
      {"first_throttle", "first GPU throttled by heat"},
      {"thermal_shutdown", "shut down by heat"},
  }};
  for (const auto& [name, said] : words) {
    if (name == kind) return std::string(said);
  }
  std::string said(kind);
  std::ranges::replace(said, '_', ' ');
  return said;
}

}  // namespace

std::vector<StoryLine> event_story(std::span<const EventRecord> events) {
  std::vector<StoryLine> story;
  for (std::size_t i = 0; i < events.size();) {
    std::size_t end = i;
    while (end < events.size() && events[end].kind == events[i].kind) ++end;
    const std::size_t count = end - i;
    std::string words = words_of(events[i].kind);
    for (std::size_t k = 0; k < std::min(count, shown_targets); ++k) {
      words += (k == 0 ? ": " : ", ") + events[i + k].target;
    }
    if (count > shown_targets) words += fmt::format(" and {} more", count - shown_targets);
    if (count == 1 && !events[i].detail.empty()) words += " (" + events[i].detail + ")";
    story.push_back({events[i].time_s, events[end - 1].time_s, count, words});
    i = end;
  }
  return story;
}

}  // namespace wattloop::twin
