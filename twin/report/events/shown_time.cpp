#include "twin/report/events/shown_time.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "core/tables/local_time.hpp"
#include "core/tables/time_of_run.hpp"
#include "core/text/nearest.hpp"
#include "core/text/printable.hpp"
#include "core/text/problem.hpp"
#include "core/units/units.hpp"
#include "twin/drawings/names/display_name.hpp"
#include "twin/report/events/clock_time.hpp"
#include "twin/report/events/limits_beyond.hpp"
#include "twin/results/reader/rack_margins.hpp"
#include "twin/results/reader/records_at.hpp"

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

/// A count at every time that is shown, over all items or those of one rack.
class Counts {
 public:
  Counts(const ResultsReader& results, std::string group, const std::vector<double>& shown_s, const std::string& rack)
      : results_(results), group_(std::move(group)), shown_s_(shown_s) {
    if (!results.has_table(group_)) return;
    const std::vector<double> times_s = results.times_s(group_);
    for (const double time_s : shown_s)
      if (!times_s.empty()) rows_.push_back(nearest_row(times_s, time_s));
    rows_in_all_ = times_s.size();
    if (rack.empty()) return;
    const std::vector<std::string> items = results.table(group_).items;
    for (const std::string& item : items) is_counted_.push_back(item == rack || item.starts_with(rack + "."));
  }

  /// Zeros where the column was not recorded.
  std::vector<double> sums(std::string_view column) const {
    return reduced(column, 0.0, [](double sum, float value) { return sum + static_cast<double>(value); });
  }

  std::vector<double> highest(std::string_view column) const {
    return reduced(column, 0.0, [](double most, float value) { return std::max(most, static_cast<double>(value)); });
  }

 private:
  template <class Add>
  std::vector<double> reduced(std::string_view column, double begin, Add add) const {
    std::vector<double> reduced(shown_s_.size(), begin);
    if (rows_.empty() || !results_.has_column(group_, column)) return reduced;
    const std::vector<float> values = results_.column(group_, column);
    const std::size_t items = values.size() / rows_in_all_;
    for (std::size_t k = 0; k < rows_.size(); ++k) {
      for (std::size_t item = 0; item < items; ++item) {
        const float value = values[rows_[k] * items + item];
        const bool is_counted = item >= is_counted_.size() || is_counted_[item];
        if (is_counted && std::isfinite(value)) reduced[k] = add(reduced[k], value);
      }
    }
    return reduced;
  }

  const ResultsReader& results_;
  std::string group_;
  const std::vector<double>& shown_s_;
  std::vector<std::size_t> rows_{};
  std::size_t rows_in_all_ = 0;
  std::vector<bool> is_counted_{};  ///< empty: all are
};

/// "; 95.2 degC at 4 min 3 s" where the peak is not among what is shown.
std::string peak_text(const ResultsReader& results, double shown_k, const char* recorded) {
  constexpr double noticeable_k = 0.1;
  const std::optional<double> peak_k = results.summary_number("peak_die_temperature");
  const std::optional<double> at_s = results.summary_number("peak_die_time");
  if (!peak_k || !at_s || *peak_k < shown_k + noticeable_k) return {};
  return fmt::format(", of times at which {} were recorded; the peak was {} at {}", recorded,
                     format_quantity(*peak_k, "K"), instant_text(results.start_iso(), *at_s));
}

/// The least margin of all racks, or of one, in the records from `from_s` on: of equal margins the first record, and in it the first rack, which is
/// the rack that pictures frame. Nothing if no limit is known.
std::optional<NearestLimit> least_margin(const ResultsReader& results, const std::string& rack, double from_s) {
  const RackMargins margins(results);
  if (!margins.are_known()) return {};
  const std::vector<double> times_s = results.times_s("racks");
  const std::vector<std::string> racks = results.table("racks").items;
  constexpr float same_k = 0.1F;
  using Place = std::tuple<float, std::size_t, std::size_t>;  // margin as records and pictures have it, row, rack
  Place least{std::numeric_limits<float>::infinity(), 0, 0};
  for (const RackLimitText& limit : rack_limit_texts) {
    if (!results.has_column("racks", limit.column)) continue;
    const std::vector<float> values_k = results.column("racks", limit.column);
    for (std::size_t k = 0; k < values_k.size(); ++k) {
      const std::size_t row = k / racks.size(), item = k % racks.size();
      const float margin_k = static_cast<float>(margins.limit_k(item, limit.limit)) - values_k[k];
      if (times_s[row] < from_s || (!rack.empty() && racks[item] != rack) || !std::isfinite(margin_k)) continue;
      least = std::min(least, Place{margin_k, row, item});
    }
  }
  const auto [margin_k, row, item] = least;
  if (!std::isfinite(margin_k)) return {};
  const std::vector<RackMargin> then = margins.at(results, row);
  const RackLimit limit = then[item].nearest;
  const auto is_equal = [&](const RackMargin& other) {
    return other.has_limit() && other.margin_k < margin_k + same_k;
  };
  return NearestLimit{
      .margin_k = static_cast<double>(margin_k),
      .time_s = times_s[row],
      .rack = racks[item],
      .limit = fmt::format("{} {}", text_of(limit).words, format_quantity(margins.limit_k(item, limit), "K")),
      .equal_racks = static_cast<std::size_t>(std::ranges::count_if(then, is_equal)) - 1};
}

/// "when row 1, rack 1 is 12.2 K from inlet air 35 degC"
ShownTime time_of(const NearestLimit& nearest) {
  return {nearest.time_s,
          fmt::format("when {} is {:.1f} K {} {}", display_name(nearest.rack), std::abs(nearest.margin_k),
                      nearest.margin_k < 0.0 ? "over" : "from", nearest.limit)};
}

/// When the part that goes farthest beyond its limit (`excess_of`) is farthest beyond it: the record nearest to that time, of times from
/// `from_s` on. Nothing if no limit is exceeded then.
std::optional<ShownTime> farthest_beyond(const ResultsReader& results, const std::vector<double>& times_s,
                                         double from_s) {
  std::vector<LimitRecord> limits = results.limits();
  std::erase_if(limits, [&](const LimitRecord& limit) { return limit.worst_time_s < from_s; });
  const LimitRecord* worst = farthest_of(limits);
  if (worst == nullptr) return {};
  return ShownTime{times_s[nearest_row(times_s, worst->worst_time_s)],
                   fmt::format("when {} is farthest beyond its limit", display_name(worst->part))};
}

/// When a rack is beyond its limits, else when a part is; nothing where nothing is.
std::optional<ShownTime> worst_beyond_limits(const ResultsReader& results, const std::string& rack,
                                             const std::optional<NearestLimit>& racks,
                                             const std::vector<double>& times_s, double from_s) {
  if (racks && racks->margin_k <= 0.0) return time_of(*racks);
  return rack.empty() ? farthest_beyond(results, times_s, from_s) : std::nullopt;
}

/// The kinds of events that happened, each once, and what else may be named.
std::vector<std::string> names_of_moments(const std::vector<EventRecord>& events) {
  std::vector<std::string> names{worst, end};
  for (const EventRecord& event : events)
    if (std::find(names.begin(), names.end(), event.kind) == names.end()) names.push_back(event.kind);
  return names;
}

/// A moment that was asked for by its time: the record nearest to it, so that all pictures show one.
ShownTime at_time(const ResultsReader& results, double time_s, std::string words, const std::vector<double>& times_s) {
  constexpr double slack_s = 60.0;  // the record nearest to it is the last
  if (times_s.empty()) return {time_s, std::move(words)};
  if (time_s < 0.0 || time_s > times_s.back() + slack_s)
    refuse(fmt::format("{} is not in the run", time_of_run(time_s)),
           fmt::format("recorded from {} to {} after the start, which is {}", time_of_run(times_s.front()),
                       time_of_run(times_s.back()), results.start_iso()));
  return {times_s[nearest_row(times_s, time_s)], std::move(words)};
}

/// The first record that shows what an event did.
ShownTime after_event(const EventRecord& event, const std::vector<double>& times_s, const std::string& start) {
  std::string words = event.kind;
  std::replace(words.begin(), words.end(), '_', ' ');
  words = "when this happens first: " + printable(words);
  if (times_s.empty()) return {event.time_s, std::move(words)};
  const auto next = std::ranges::lower_bound(times_s, event.time_s);
  const double shown_s = next == times_s.end() ? times_s.back() : *next;
  constexpr double noticeable_s = 0.5;
  if (std::abs(shown_s - event.time_s) > noticeable_s) words += ", at " + instant_text(start, event.time_s);
  return {shown_s, std::move(words)};
}

}  // namespace

std::string NearestLimit::words() const {
  return fmt::format("{:.1f} K {} {}", std::abs(margin_k), margin_k < 0.0 ? "over" : "to", limit);
}

std::optional<NearestLimit> nearest_limit(const ResultsReader& results) {
  if (!results.has_table("racks") || results.times_s("racks").empty()) return {};
  return least_margin(results, "", worst_from_s(results, results.times_s("racks").back()));
}

std::optional<double> first_ordered_s(const ResultsReader& results) {
  static constexpr std::array<std::string_view, 10> ordered{"fail",  "restore", "open", "close", "set",
                                                            "stick", "clog",    "slow", "drain", "resume"};
  for (const EventRecord& event : results.events())
    if (std::ranges::count(ordered, event.kind) > 0) return event.time_s;
  return {};
}

double worst_from_s(const ResultsReader& results, double last_s) {
  const double from_s =
      std::max(first_ordered_s(results).value_or(0.0), results.summary_number("settling_time").value_or(0.0));
  return from_s <= last_s ? from_s : 0.0;
}

std::vector<double> shown_times_s(const ResultsReader& results, const Shown& shown) {
  if (shown.are_gpus && results.has_table("gpus")) return results.times_s("gpus");
  for (const char* group : {"racks", "gpus"}) {
    const char* column = std::string_view(group) == "gpus" ? "die_temperature" : "max_die_temperature";
    if (results.has_column(group, column)) return results.times_s(group);
  }
  return results.has_table("facility") ? results.times_s("facility") : std::vector<double>();
}

ShownTime worst_time(const ResultsReader& results, const Shown& shown) {
  std::vector<double> times_s = shown_times_s(results, shown);
  if (times_s.empty()) return {0.0, "the start of the run"};
  const double from_s = worst_from_s(results, times_s.back());
  const std::optional<NearestLimit> racks =
      shown.are_gpus ? std::optional<NearestLimit>() : least_margin(results, shown.rack, from_s);
  if (!shown.are_gpus) {
    if (const auto found = worst_beyond_limits(results, shown.rack, racks, times_s, from_s)) return *found;
  }
  times_s.erase(times_s.begin(), std::ranges::lower_bound(times_s, from_s));
  const bool is_of_rack = !shown.rack.empty() && results.has_column("racks", "max_die_temperature");
  const std::string group = is_of_rack ? "racks" : group_of_dies(results);
  const Counts counts(results, group, times_s, is_of_rack ? shown.rack : "");
  const std::vector<double> down = counts.sums(down_gpus_column(results, group)), off = counts.sums("shut_down_gpus"),
                            throttled = counts.sums("throttled_gpus");
  std::size_t chosen = 0;
  for (std::size_t row = 1; row < times_s.size(); ++row)
    if (std::pair(down[row], throttled[row]) > std::pair(down[chosen], throttled[chosen])) chosen = row;
  const std::string most = is_of_rack ? "its worst moment: most GPUs are " : "the worst moment: most GPUs are ";
  const bool is_dark = down[chosen] > off[chosen];
  if (is_dark) return {times_s[chosen], most + "down"};
  if (down[chosen] > 0.0) return {times_s[chosen], most + "off"};
  if (racks) return time_of(*racks);
  if (throttled[chosen] > 0.0) return {times_s[chosen], most + "throttled"};
  const char* hottest = group == "gpus" ? "die_temperature" : "max_die_temperature";
  if (!results.has_column(group, hottest)) return {times_s.back(), "the end of the run"};
  const std::vector<double> dies_k = counts.highest(hottest);
  const auto highest = std::ranges::max_element(dies_k);
  return {times_s[static_cast<std::size_t>(highest - dies_k.begin())],
          is_of_rack ? "when a die of it is hottest"
                     : "when a die is hottest" + peak_text(results, *highest, shown.are_gpus ? "GPUs" : "racks")};
}

ShownTime read_shown_time(const ResultsReader& results, const std::string& given, const Shown& shown) {
  if (given.empty() || given == worst) return worst_time(results, shown);
  const std::vector<double> times_s = shown_times_s(results, shown);
  if (given == end) {
    return {times_s.empty() ? 0.0 : times_s.back(), "the end of the run"};
  }
  const std::vector<EventRecord> events = results.events();
  const auto found = std::find_if(events.begin(), events.end(), [&](const auto& event) { return event.kind == given; });
  if (found != events.end()) return after_event(*found, times_s, results.start_iso());
  if (const std::optional<double> clock_s = clock_time_s(results.start_iso(), given))
    return at_time(results, *clock_s, "at " + given, times_s);
  if (std::isdigit(static_cast<unsigned char>(given.front())) == 0 && given.front() != '-') {
    const std::vector<std::string> names = names_of_moments(events);
    const std::string near = nearest(given, names);
    refuse(fmt::format("no event '{}' in this run", printable(given)),
           (near.empty() ? "" : fmt::format("did you mean {}? ", near)) +
               fmt::format("{}, or one of {}", expected_time(results.start_iso()), fmt::join(names, ", ")));
  }
  double time_s = 0.0;
  try {
    time_s = to_si(given, "s");
  } catch (const QuantityError& error) {
    refuse(error.what(), error.hint.empty() ? expected_time(results.start_iso()) : error.hint);
  }
  return at_time(results, time_s, "", times_s);
}

}  // namespace wattloop::twin
