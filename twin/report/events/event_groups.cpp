#include "twin/report/events/event_groups.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/tables/local_time.hpp"
#include "core/text/count_text.hpp"

namespace wattloop::twin {

namespace {

constexpr std::string_view shutdown = "thermal_shutdown", die_at = "die at ";
constexpr double together_s = 60.0, hour_s = 3600.0;
constexpr std::ptrdiff_t few_jobs = 40;  ///< events of them
constexpr std::size_t few_nodes = 3, few_rows = 8;

/// The first `count` words of "row_1.rack_2.node_3.gpu_4".
std::string begin_of(const std::string& target, int count) {
  std::size_t end = 0;
  for (; count > 0 && end != std::string::npos; --count) end = target.find('.', end == 0 ? 0 : end + 1);
  return target.substr(0, end);
}

std::set<std::string> places(const EventGroup& group, int words) {
  std::set<std::string> names;
  for (const EventRecord* event : group) names.insert(begin_of(event->target, words));
  return names;
}

/// "row_1.rack_2", "row_1", "56 rows": what holds them all.
std::string holder_of(const EventGroup& group) {
  const std::set<std::string> racks = places(group, 2), rows = places(group, 1);
  if (racks.size() == 1) return *racks.begin();
  return rows.size() == 1 ? *rows.begin() : fmt::format("{} rows", rows.size());
}

/// "95.05 degC" of "die at 95.05 degC".
std::pair<double, std::string> temperature_of(const EventRecord& event) {
  const std::string words = event.detail.starts_with(die_at) ? event.detail.substr(die_at.size()) : std::string();
  double value = 0.0;
  std::from_chars(words.data(), words.data() + words.size(), value);
  return {value, words.substr(0, words.find(' '))};
}

EventRecord folded(const EventGroup& group, std::string_view start) {
  const auto by_temperature = [](const EventRecord* a, const EventRecord* b) {
    return temperature_of(*a).first < temperature_of(*b).first;
  };
  const auto [coolest, hottest] = std::ranges::minmax_element(group, by_temperature);
  const std::string from = temperature_of(**coolest).second, to = temperature_of(**hottest).second;
  const EventRecord &first = *group.front(), &last = *group.back();
  std::string detail = first.detail;
  if (!from.empty() && from != to) detail = fmt::format("{}{} to {} degC", die_at, from, to);
  detail += ", first " + first.target;
  const std::size_t nodes = node_count(group);
  if (nodes < group.size()) detail += fmt::format(", {} times in all", group.size());
  const std::string begin = instant_text(start, first.time_s), end = instant_text(start, last.time_s);
  if (begin != end) detail += ", last at " + end;
  return {first.time_s, first.kind, fmt::format("{} of {}", count_text(nodes, "node"), holder_of(group)), detail};
}

/// Jobs that start or are done within an hour.
EventRecord folded_jobs(const EventGroup& group, std::string_view start) {
  const EventRecord &first = *group.front(), &last = *group.back();
  return {first.time_s, first.kind, fmt::format("{} jobs", group.size()),
          fmt::format("first {}, last {} at {}", first.target, last.target, instant_text(start, last.time_s))};
}

bool is_of_usual_job(const EventRecord& event) { return event.kind == "job_started" || event.kind == "job_ended"; }

}  // namespace

std::size_t node_count(const EventGroup& group) { return places(group, 3).size(); }

std::vector<EventGroup> event_groups(std::span<const EventRecord> events,
                                     const std::function<bool(const EventRecord&, const EventGroup&)>& joins) {
  std::vector<EventGroup> groups;
  for (const EventRecord& event : events) {
    const auto found =
        std::find_if(groups.rbegin(), groups.rend(), [&](const EventGroup& group) { return joins(event, group); });
    if (found == groups.rend())
      groups.push_back({&event});
    else
      found->push_back(&event);
  }
  return groups;
}

std::vector<EventRecord> folded_events(std::span<const EventRecord> events, std::string_view start) {
  std::set<std::string> rows;
  for (const EventRecord& event : events)
    if (event.kind == shutdown) rows.insert(begin_of(event.target, 1));
  const bool are_many = rows.size() > few_rows;
  const bool are_many_jobs = std::ranges::count_if(events, is_of_usual_job) > few_jobs;
  const auto joins = [&](const EventRecord& event, const EventGroup& group) {
    const EventRecord& first = *group.front();
    if (is_of_usual_job(event))
      return are_many_jobs && event.kind == first.kind && event.time_s - first.time_s < hour_s;
    return event.kind == shutdown && first.kind == shutdown && event.time_s - first.time_s <= together_s &&
           (are_many || begin_of(event.target, 1) == begin_of(first.target, 1));
  };
  std::vector<EventRecord> list;
  for (const EventGroup& group : event_groups(events, joins)) {
    if (group.size() > few_nodes) {
      const bool is_of_jobs = is_of_usual_job(*group.front());
      list.push_back(is_of_jobs ? folded_jobs(group, start) : folded(group, start));
      continue;
    }
    for (const EventRecord* event : group) list.push_back(*event);
  }
  std::ranges::stable_sort(list, {}, &EventRecord::time_s);
  return list;
}

}  // namespace wattloop::twin
