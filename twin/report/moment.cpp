#include "twin/report/moment.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <utility>
#include <vector>

#include "core/nearest.hpp"
#include "core/printable.hpp"
#include "core/problem.hpp"
#include "core/units.hpp"

namespace wattloop::twin {
namespace {

constexpr const char* worst = "worst";
constexpr const char* end = "end";

[[noreturn]] void refuse(std::string message, std::string hint) {
  throw InputError({{{"--at", 0, 0}, std::move(message), std::move(hint), {}}}, "the command line");
}

/// Where GPUs are counted and how hot the hottest is, of the facility or of racks.
std::string group_of_dies(const ResultsReader& results) {
  for (const char* group : {"facility", "racks", "gpus"}) {
    const char* column = std::string_view(group) == "gpus" ? "die_temperature" : "max_die_temperature";
    if (results.has_column(group, column)) return group;
  }
  return "facility";
}

/// Sums of all items at every record; zeros where the column was not recorded.
std::vector<double> sums_of(const ResultsReader& results, const std::string& group, const char* column,
                            std::size_t records) {
  std::vector<double> sums(records, 0.0);
  if (records == 0 || !results.has_column(group, column)) return sums;
  const std::vector<float> values = results.column(group, column);
  const std::size_t items = values.size() / records;
  for (std::size_t i = 0; i < records * items; ++i)
    if (std::isfinite(values[i])) sums[i / items] += values[i];
  return sums;
}

Moment hottest_moment(const ResultsReader& results, const std::string& group, const std::vector<double>& times_s) {
  const std::string column = group == "gpus" ? "die_temperature" : "max_die_temperature";
  if (!results.has_column(group, column)) return {times_s.back(), "the end of the run"};
  const std::vector<float> values = results.column(group, column);
  const auto highest = std::max_element(values.begin(), values.end());
  const std::size_t items = std::max<std::size_t>(values.size() / times_s.size(), 1);
  return {times_s[std::size_t(highest - values.begin()) / items], "when a die is hottest"};
}

/// The kinds of events that happened, each once, and what else may be named.
std::vector<std::string> names_of_moments(const std::vector<EventRecord>& events) {
  std::vector<std::string> names{worst, end};
  for (const EventRecord& event : events)
    if (std::find(names.begin(), names.end(), event.kind) == names.end()) names.push_back(event.kind);
  return names;
}

}  // namespace

Moment worst_moment(const ResultsReader& results) {
  const std::string group = group_of_dies(results);
  const std::vector<double> times_s = results.times_s(group);
  if (times_s.empty()) return {0.0, "the start of the run"};
  const std::vector<double> off = sums_of(results, group, "shut_down_gpus", times_s.size());
  const std::vector<double> throttled = sums_of(results, group, "throttled_gpus", times_s.size());
  std::size_t chosen = 0;
  for (std::size_t row = 1; row < times_s.size(); ++row)
    if (std::pair(off[row], throttled[row]) > std::pair(off[chosen], throttled[chosen])) chosen = row;
  if (off[chosen] > 0.0) return {times_s[chosen], "the worst moment: most GPUs are off"};
  if (throttled[chosen] > 0.0) return {times_s[chosen], "the worst moment: most GPUs are throttled"};
  return hottest_moment(results, group, times_s);
}

Moment read_moment(const ResultsReader& results, const std::string& given) {
  if (given.empty() || given == worst) return worst_moment(results);
  if (given == end) {
    const std::vector<double> times_s = results.times_s(group_of_dies(results));
    return {times_s.empty() ? 0.0 : times_s.back(), "the end of the run"};
  }
  const std::vector<EventRecord> events = results.events();
  const auto found = std::find_if(events.begin(), events.end(), [&](const auto& event) { return event.kind == given; });
  if (found != events.end()) {
    std::string words = found->kind;
    std::replace(words.begin(), words.end(), '_', ' ');
    return {found->time_s, "when this happens first: " + printable(words)};
  }
  if (std::isdigit(static_cast<unsigned char>(given.front())) == 0 && given.front() != '-') {
    const std::vector<std::string> names = names_of_moments(events);
    const std::string near = nearest(given, names);
    refuse(fmt::format("no event '{}' in this run", printable(given)),
           (near.empty() ? "" : fmt::format("did you mean {}? ", near)) +
               fmt::format("expected a time such as 30min, or one of {}", fmt::join(names, ", ")));
  }
  try {
    return {to_si(given, "s"), ""};
  } catch (const QuantityError& error) {
    refuse(error.what(), error.hint.empty() ? "expected a time such as 30min" : error.hint);
  }
}

}  // namespace wattloop::twin
