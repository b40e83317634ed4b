#include "twin/report/events/limits_beyond.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "twin/drawings/names/display_name.hpp"
#include "twin/plant/state/limit_words.hpp"
#include "twin/report/events/limit_detail.hpp"
#include "twin/results/reader/records_at.hpp"

namespace wattloop::twin {

namespace {

/// Parts of which a quantity is beyond its limit; by name only those that events name.
struct Open {
  std::size_t count = 0;
  std::set<std::string, std::less<>> named{};
  std::string first{};  ///< what the event says about the first part
};

std::string plain(std::string quantity) {
  std::ranges::replace(quantity, '_', ' ');
  return quantity;
}

/// "loading" where it begins with the number, as of switches: "102.0 % of the 13.97 MW that air of 51.19 degC leaves".
std::string quantity_of(const std::string& detail) {
  const bool is_number = !detail.empty() && detail.front() >= '0' && detail.front() <= '9';
  return is_number ? "loading" : detail.substr(0, detail.find(' '));
}

/// What was exceeded, and how: "inlet air temperature 30.07 degC, hotter than the maker of the nodes allows: 30 degC".
std::string reported(const EventRecord& event) {
  std::string words = event.detail.substr(0, event.detail.find("; "));
  const std::size_t first = std::min(words.find(' '), words.size());
  std::replace(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(first), '_', ' ');
  return display_name(event.target) + ": " + words;
}

using OpenByQuantity = std::map<std::string, Open, std::less<>>;

void take_off(OpenByQuantity& open, const OpenByQuantity::iterator& of, const std::string& part, std::size_t count) {
  of->second.named.erase(part);
  if (of->second.count <= count)
    open.erase(of);
  else
    of->second.count -= count;
}

OpenByQuantity open_at(const ResultsReader& results, double time_s) {
  OpenByQuantity open;
  for (const EventRecord& event : results.events()) {
    if (event.time_s > time_s) continue;
    const std::string quantity = quantity_of(event.detail);
    if (event.kind == "limit_exceeded") {
      Open& of = open[quantity];
      const bool reports_prospect = parts_reported(event.detail) == 1 && event.detail.find("; ") != std::string::npos;
      if (reports_prospect && of.named.contains(event.target)) continue;  // of a switch again, whose load has grown
      if (of.count == 0) of.first = reported(event);
      of.count += parts_reported(event.detail);
      of.named.insert(event.target);
    } else if (const auto of = open.find(quantity); event.kind == "limit_cleared" && of != open.end()) {
      take_off(open, of, event.target, parts_reported(event.detail));
    } else if (const auto load = open.find("loading");
               event.kind == "tripped" && load != open.end() && load->second.named.contains(event.target)) {
      take_off(open, load, event.target, 1);
    }
  }
  return open;
}

/// By part, of all tables that have the quantity; in SI, and nothing that is not a number.
std::map<std::string, double, std::less<>> recorded(const ResultsReader& results, const std::string& quantity,
                                                    double time_s) {
  std::map<std::string, double, std::less<>> values;
  for (const std::string& group : results.tables()) {
    if (!results.has_column(group, quantity) || results.times_s(group).empty()) continue;
    const std::vector<std::string> items = results.table(group).items;
    const std::size_t row = row_at(results, group, quantity, results.times_s(group), time_s);
    const std::vector<float> frame = results.frame(group, quantity, row);
    for (std::size_t item = 0; item < std::min(items.size(), frame.size()); ++item)
      if (std::isfinite(frame[item])) values.emplace(items[item], static_cast<double>(frame[item]));
  }
  return values;
}

/// A limit at a time by its value then, or by the worst of the run where it was not recorded; nothing where the value is within the limit.
std::optional<ExceededLimit> beyond_now(const LimitRecord& limit, std::optional<double> now) {
  const double value = now.value_or(limit.worst);
  const bool is_beyond = limit.worst > limit.limit ? value > limit.limit : value < limit.limit;
  if (!is_beyond) return {};
  const ValueAndLimit shown = value_and_limit(value, limit.limit, limit.unit);
  return ExceededLimit{.part = limit.part,
                       .quantity = limit.quantity,
                       .excess = excess_of(limit, value),
                       .words = fmt::format("{}{} {} where {} is allowed", plain(limit.quantity),
                                            now ? "" : " at worst", shown.value, shown.limit)};
}

/// Limits that are beyond by their values, and those that an event names and that are not yet reported as back within them.
std::vector<ExceededLimit> all_beyond(const ResultsReader& results, const OpenByQuantity& open, double time_s) {
  std::vector<ExceededLimit> all;
  const std::vector<LimitRecord> limits = results.limits();
  const double seen_s = before_repairs_s(results, time_s);
  for (const auto& [quantity, of] : open) {
    const auto now = recorded(results, quantity, seen_s);
    for (const LimitRecord& limit : limits) {
      if (limit.quantity != quantity || limit.first_time_s > time_s) continue;
      const auto value = now.find(limit.part);
      std::optional<ExceededLimit> one;
      if (value != now.end() || of.named.contains(limit.part))
        one = beyond_now(limit, value == now.end() ? std::nullopt : std::optional(value->second));
      if (one) all.push_back(std::move(*one));
    }
  }
  return all;
}

}  // namespace

double excess_of(const LimitRecord& limit, double value) {
  constexpr double zero_celsius_k = 273.15, least_span_k = 10.0, nothing = 1e-9;
  const double apart = std::abs(value - limit.limit);
  if (limit.quantity == "condensate") return nothing;  // its limit says only that there is some
  if (limit.unit == "K") return apart / std::max(std::abs(limit.limit - zero_celsius_k), least_span_k);
  return apart / std::max(std::abs(limit.limit), nothing);
}

const LimitRecord* farthest_of(std::span<const LimitRecord> limits) {
  if (limits.empty()) return nullptr;
  return &*std::ranges::max_element(limits, {}, [](const LimitRecord& one) { return excess_of(one, one.worst); });
}

LimitsBeyond limits_beyond_at(const ResultsReader& results, double time_s) {
  const OpenByQuantity open = open_at(results, time_s);
  if (open.empty()) return {};
  LimitsBeyond beyond{.worst = open.begin()->second.first};
  const std::vector<ExceededLimit> all = all_beyond(results, open, time_s);
  if (!all.empty()) {
    const ExceededLimit& worst = *std::ranges::max_element(all, {}, &ExceededLimit::excess);
    beyond.worst = display_name(worst.part) + ": " + worst.words;
  }
  for (const auto& [quantity, of] : open) beyond.count += of.count;
  return beyond;
}

std::vector<ExceededLimit> exceeded_limits_at(const ResultsReader& results, double time_s) {
  const OpenByQuantity open = open_at(results, time_s);
  if (open.empty()) return {};
  std::vector<ExceededLimit> parts = all_beyond(results, open, time_s);
  std::ranges::stable_sort(parts, std::greater(), &ExceededLimit::excess);
  return parts;
}

}  // namespace wattloop::twin
