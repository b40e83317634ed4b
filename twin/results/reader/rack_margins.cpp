#include "twin/results/reader/rack_margins.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "core/text/count_text.hpp"
#include "core/units/units.hpp"

namespace wattloop::twin {

namespace {

/// Limits in the order of the items of `racks`; not a number of a rack that has none.
std::vector<float> by_rack(const std::vector<float>& limits_k, const std::vector<std::string>& of,
                           const std::vector<std::string>& racks) {
  if (of == racks) return limits_k;
  std::map<std::string_view, float> by_name;
  for (std::size_t k = 0; k < std::min(of.size(), limits_k.size()); ++k) by_name.emplace(of[k], limits_k[k]);
  std::vector<float> ordered;
  for (const std::string& rack : racks) {
    const auto known = by_name.find(rack);
    ordered.push_back(known == by_name.end() ? std::numeric_limits<float>::quiet_NaN() : known->second);
  }
  return ordered;
}

/// From the least to the largest of those that are numbers.
float span_k(const std::vector<float>& margins_k) {
  float low = std::numeric_limits<float>::infinity(), high = -low;
  for (const float margin_k : margins_k) {
    if (!std::isfinite(margin_k)) continue;
    low = std::min(low, margin_k);
    high = std::max(high, margin_k);
  }
  return high >= low ? high - low : 0.0F;
}

}  // namespace

RackMargins::RackMargins(const ResultsReader& results) {
  const std::string group(rack_limits_group);
  if (!results.has_table(group) || !results.has_table("racks") || results.times_s(group).empty()) return;
  const std::vector<std::string> of = results.table(group).items, racks = results.table("racks").items;
  for (const RackLimitText& text : rack_limit_texts) {
    if (!results.has_column(group, text.column) || !results.has_column("racks", text.column)) continue;
    columns_.push_back({text, by_rack(results.frame(group, text.column, 0), of, racks)});
  }
}

std::vector<RackMargin> RackMargins::at(const ResultsReader& results, std::size_t row) const {
  std::vector<RackMargin> racks;
  for (const Column& column : columns_) {
    const std::vector<float> values_k = results.frame("racks", column.text.column, row);
    racks.resize(std::max(racks.size(), values_k.size()));
    for (std::size_t rack = 0; rack < std::min(values_k.size(), column.limit_k.size()); ++rack) {
      const float margin_k = column.limit_k[rack] - values_k[rack];
      if (!std::isfinite(margin_k) || (racks[rack].has_limit() && racks[rack].margin_k <= margin_k)) continue;
      racks[rack] = {margin_k, column.text.limit};
    }
  }
  return racks;
}

std::vector<float> RackMargins::to(const ResultsReader& results, std::size_t row, RackLimit limit) const {
  for (const Column& column : columns_) {
    if (column.text.limit != limit) continue;
    std::vector<float> margins_k = results.frame("racks", column.text.column, row);
    for (std::size_t rack = 0; rack < margins_k.size(); ++rack)
      margins_k[rack] = rack < column.limit_k.size() ? column.limit_k[rack] - margins_k[rack]
                                                     : std::numeric_limits<float>::quiet_NaN();
    return margins_k;
  }
  return {};
}

double RackMargins::limit_k(std::size_t rack, RackLimit limit) const {
  for (const Column& column : columns_)
    if (column.text.limit == limit && rack < column.limit_k.size()) return column.limit_k[rack];
  return std::numeric_limits<double>::quiet_NaN();
}

std::string nearest_limits_words(const RackMargins& margins, const std::vector<RackMargin>& at, bool has_counts) {
  struct Counted {
    std::string words{};
    std::size_t racks = 0;
  };
  std::vector<Counted> all;
  for (std::size_t rack = 0; rack < at.size(); ++rack) {
    if (!at[rack].has_limit()) continue;
    const std::string_view of = text_of(at[rack].nearest).words;
    const std::string words = fmt::format("{} {}", of, format_quantity(margins.limit_k(rack, at[rack].nearest), "K"));
    auto known = std::ranges::find(all, words, &Counted::words);
    if (known == all.end()) known = all.insert(all.end(), {.words = words});
    ++known->racks;
  }
  std::ranges::stable_sort(all, std::greater{}, &Counted::racks);
  std::string text;
  for (const Counted& one : all) {
    text += (text.empty() ? "" : ", ") + one.words;
    if (has_counts) text += fmt::format(" ({})", count_text(one.racks, "rack"));
  }
  return text;
}

std::optional<QuietMargins> quiet_margins(const RackMargins& limits, const ResultsReader& results, std::size_t row) {
  constexpr float one_colour_k = 2.0F, same_k = 0.05F, equal_k = 0.1F;
  std::vector<RackMargin> at = limits.at(results, row);
  const auto least = std::ranges::min_element(at, {}, [](const RackMargin& one) {
    return one.has_limit() ? one.margin_k : std::numeric_limits<float>::infinity();
  });
  if (least == at.end() || !least->has_limit() || least->margin_k < near_limit_k) return {};
  QuietMargins quiet;
  for (const RackMargin& one : at) quiet.margin_k.push_back(one.margin_k);
  quiet.limits = nearest_limits_words(limits, at, false);
  const auto rack = quiet.least = static_cast<std::size_t>(least - at.begin());
  quiet.words = fmt::format("{:.1f} K to {} {}", least->margin_k, text_of(least->nearest).words,
                            format_quantity(limits.limit_k(rack, least->nearest), "K"));
  const auto equal = std::ranges::count_if(
      at, [&](const RackMargin& one) { return one.has_limit() && one.margin_k < least->margin_k + equal_k; });
  if (equal > 1) quiet.words += fmt::format(", {} racks within 0.1 K", equal);
  float widest_k = span_k(quiet.margin_k);
  if (widest_k >= one_colour_k) return quiet;
  for (const RackLimitText& text : rack_limit_texts) {
    std::vector<float> margins_k = limits.to(results, row, text.limit);
    const float between_k = span_k(margins_k);
    if (!(between_k > widest_k + same_k)) continue;
    widest_k = between_k;
    quiet.shows_other = true;
    for (std::size_t k = 0; k < std::min(at.size(), margins_k.size()); ++k) at[k] = {margins_k[k], text.limit};
    quiet.margin_k = std::move(margins_k);
    quiet.limits = nearest_limits_words(limits, at, false);
  }
  return quiet;
}

}  // namespace wattloop::twin
