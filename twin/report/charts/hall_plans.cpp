// The hall from above at three times of a run: before the first event, at worst and at the end.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "core/tables/local_time.hpp"
#include "core/text/quoted_text.hpp"
#include "core/units/units.hpp"
#include "twin/drawings/charts/hall_plan.hpp"
#include "twin/drawings/names/display_name.hpp"
#include "twin/report/charts/plan_parts.hpp"
#include "twin/report/charts/run_pictures.hpp"
#include "twin/report/events/shown_time.hpp"
#include "twin/results/reader/rack_margins.hpp"
#include "twin/results/schema/figure_named.hpp"

namespace wattloop::twin {

namespace {

/// The hottest die of the run, which may lie between records; empty where the summary does not say.
std::string peak_words(const ResultsReader& results) {
  const std::vector<NamedValue> summary = results.summary();
  const double peak_k = figure_number(summary, "peak_die_temperature"), at_s = figure_number(summary, "peak_die_time");
  if (!std::isfinite(peak_k + at_s)) return {};
  return fmt::format(" The hottest die of the run: {} at {}, {}.", format_quantity(peak_k, "K"),
                     instant_text(results.start_iso(), at_s), display_name(figure_text(summary, "peak_die_gpu")));
}

std::vector<float> values_of(const std::vector<RackMargin>& margins) {
  std::vector<float> values_k;
  for (const RackMargin& one : margins) values_k.push_back(one.margin_k);
  return values_k;
}

/// "inlet air 35 degC" of each rack; empty where it has no limit.
std::vector<std::string> limit_words_of(const RackMargins& limits, const std::vector<RackMargin>& margins) {
  std::vector<std::string> words;
  for (std::size_t rack = 0; rack < margins.size(); ++rack) {
    const RackMargin& one = margins[rack];
    words.push_back(one.has_limit() ? fmt::format("{} {}", text_of(one.nearest).words,
                                                  format_quantity(limits.limit_k(rack, one.nearest), "K"))
                                    : std::string());
  }
  return words;
}

/// The racks nearest to a limit, the nearest first; racks whose rows would be equal are one row.
std::string least_margins(const std::vector<std::string>& names, const RackMargins& limits,
                          const std::vector<RackMargin>& margins) {
  struct Near {
    std::string shown{}, limit{}, rack{};
    float margin_k = 0.0F;
  };
  const std::vector<std::string> of = limit_words_of(limits, margins);
  std::vector<Near> all;
  for (std::size_t rack = 0; rack < std::min(names.size(), margins.size()); ++rack) {
    const float margin_k = margins[rack].margin_k;
    if (margins[rack].has_limit()) all.push_back({fmt::format("{:.1f} K", margin_k), of[rack], names[rack], margin_k});
  }
  std::ranges::stable_sort(all, {}, [](const Near& one) { return std::lround(10.0F * one.margin_k); });
  constexpr std::size_t most_rows = 5;
  std::string rows;
  for (std::size_t k = 0, row = 0; row < most_rows && k < all.size(); ++row) {
    std::vector<std::string> alike;
    const Near& first = all[k];
    for (; k < all.size() && all[k].shown == first.shown && all[k].limit == first.limit; ++k)
      alike.push_back(all[k].rack);
    const std::string racks =
        alike.size() == 1 ? display_name(first.rack) : fmt::format("{} ({} racks)", display_names(alike), alike.size());
    rows += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td></tr>\n", page_text(racks), first.shown,
                        page_text(first.limit));
  }
  return rows.empty() ? rows
                      : "<table><tr><th>nearest to a limit at worst</th><th>smallest margin</th><th>limit</th></tr>\n" +
                            rows + "</table>\n";
}

/// Which limit the colours of quiet plans are of, if the table below lists another one.
std::string colours_and_table(const std::string& of_colours, const std::string& of_table) {
  if (of_colours == of_table) return {};
  return "<p>" +
         page_text(fmt::format("Colours show the margin to {}, by which racks differ most. The table shows the nearest "
                               "limit of each rack: {}.",
                               of_colours, of_table)) +
         "</p>\n";
}

/// What happens at the limits of the table, and that inlet air has another limit, which is reported earlier.
std::string limits_explained(const ResultsReader& results, const std::vector<std::string>& racks,
                             const RackMargins& limits) {
  bool has_inlet = false;
  for (std::size_t rack = 0; rack < racks.size(); ++rack)
    has_inlet = has_inlet || std::isfinite(limits.limit_k(rack, RackLimit::inlet_air));
  if (!has_inlet) return {};
  const std::vector<LimitRecord> records = results.limits();
  const auto reported = std::ranges::find_if(records, [&](const LimitRecord& record) {
    return record.quantity == text_of(RackLimit::inlet_air).column && std::ranges::count(racks, record.part) > 0;
  });
  const std::string other =
      reported == records.end()
          ? "The maker of the nodes may allow less inlet air; a run reports this other limit only if it is exceeded."
          : fmt::format("Inlet air has another limit, {} ({}): beyond it a run reports an exceeded limit.",
                        format_quantity(reported->limit, reported->unit), reported->limited_by);
  return "<p>At the limits of dies and of inlet air in this table, firmware lowers clocks. " + page_text(other) +
         "</p>\n";
}

/// Of plans at some rows of the records, if no rack is near a limit at any of them.
struct QuietPlans {
  std::vector<QuietMargins> margins{};  ///< [row]
  std::array<double, 2> ends_k{};
};

std::optional<QuietPlans> quiet_plans(const ResultsReader& results, const RackMargins& limits,
                                      std::span<const std::size_t> rows) {
  QuietPlans plans;
  float low_k = std::numeric_limits<float>::infinity(), high_k = -low_k;
  for (const std::size_t row : rows) {
    std::optional<QuietMargins> quiet = quiet_margins(limits, results, row);
    if (!quiet || (!plans.margins.empty() && quiet->limits != plans.margins.front().limits)) return {};
    for (const float margin_k : quiet->margin_k) {
      if (!std::isfinite(margin_k)) continue;
      low_k = std::min(low_k, margin_k);
      high_k = std::max(high_k, margin_k);
    }
    plans.margins.push_back(std::move(*quiet));
  }
  if (plans.margins.empty()) return {};
  plans.ends_k = {std::floor(low_k), std::max(std::ceil(high_k), std::floor(low_k) + 1.0F)};
  return plans;
}

/// Which label racks of storage have; empty where there are none.
std::string storage_words(std::span<const LayoutBox> layout) {
  std::vector<std::string> names;
  for (const LayoutBox& box : layout)
    if (box.kind == "storage_rack") names.push_back(box.name);
  if (names.empty()) return {};
  return names.size() == 1 ? " S1: the rack of storage." : fmt::format(" S1 to S{}: racks of storage.", names.size());
}

}  // namespace

std::vector<PlanMoment> plan_moments(const ResultsReader& results, const RackTemperatures& racks, double worst_s) {
  const auto row_at = [&](double time_s) {
    const auto next = std::ranges::upper_bound(racks.times_s, time_s + 1e-6);
    return next == racks.times_s.begin() ? std::size_t{0} : static_cast<std::size_t>(next - racks.times_s.begin()) - 1;
  };
  std::vector<PlanMoment> moments;
  if (const std::optional<double> first_s = first_ordered_s(results))
    moments.push_back({"Before", row_at(std::nextafter(*first_s, -1.0) - 1e-3)});
  moments.push_back({"At worst", row_at(worst_s)});
  moments.push_back({"At the end", racks.times_s.size() - 1});
  return moments;
}

std::string moment_heading(const ResultsReader& results, const RackTemperatures& racks, const PlanMoment& moment) {
  return fmt::format("{}: at {}", moment.name, instant_text(results.start_iso(), racks.times_s[moment.row]));
}

void PlansSideBySide::add(const std::string& heading, const std::string& plan) {
  const auto same = std::ranges::find(drawn_, plan, &std::pair<std::string, std::string>::second);
  if (same == drawn_.end())
    drawn_.emplace_back(heading, plan);
  else
    same->first += "<br>" + heading;
}

std::string PlansSideBySide::html() const {
  std::string text;
  for (const auto& [heading, plan] : drawn_) text += "<div><h3>" + heading + "</h3>\n" + plan + "</div>\n";
  return "<div class='plans'>" + text + "</div>\n";
}

std::string plans(const ResultsReader& results, const RackTemperatures& racks, double worst_s) {
  if (!racks.is_recorded()) return {};
  const std::vector<LayoutBox> layout = results.layout();
  const std::vector<PlanMoment> moments = plan_moments(results, racks, worst_s);
  const std::size_t worst_moment = moments.size() - 2;
  std::vector<double> moments_s;
  std::vector<std::size_t> rows;
  for (const PlanMoment& moment : moments) {
    moments_s.push_back(racks.times_s[moment.row]);
    rows.push_back(moment.row);
  }
  const std::vector<PlanParts> parts = plan_parts(results, layout, moments_s);
  const RackMargins limits(results);
  const std::optional<QuietPlans> quiet = quiet_plans(results, limits, rows);
  PlansSideBySide drawn;
  for (std::size_t moment = 0; moment < moments.size(); ++moment) {
    const std::size_t row = moments[moment].row;
    const std::vector<RackMargin> margins = limits.at(results, row);
    const std::span<const float> down = racks.of_row(racks.down_gpus, row),
                                 throttled = racks.of_row(racks.throttled_gpus, row);
    const std::vector<float> shown_k = quiet ? quiet->margins[moment].margin_k : values_of(margins);
    const std::vector<std::string> words =
        quiet ? std::vector(shown_k.size(), quiet->margins[moment].limits) : limit_words_of(limits, margins);
    const MarginEnds ends = quiet ? MarginEnds(quiet->ends_k) : MarginEnds();
    std::string plan =
        margins.empty() ? hall_plan(layout, racks.names, racks.of_row(racks.die_k, row), down, throttled, parts[moment])
                        : margin_plan(layout, racks.names, shown_k, words, down, throttled, parts[moment], ends);
    if (plan.empty()) return {};
    plan += conditions_line(results, layout, racks.times_s[row]);
    drawn.add(moment_heading(results, racks, moments[moment]), plan);
  }
  const std::string signs =
      "Grey: switches, or not recorded. Hatched: nodes are down, equipment is idle or without power. Purple stripe: "
      "GPUs are throttled. Crossed out: failed. One stroke: a part of it failed, or its bypass carries. Orange: "
      "batteries "
      "carry the load. Red "
      "frame: "
      "equipment is beyond a limit." +
      storage_words(layout) + page_text(peak_words(results)) + "</p>\n";
  if (quiet) {
    const QuietMargins& worst = quiet->margins[worst_moment];
    const std::vector<RackMargin> at_worst = limits.at(results, rows[worst_moment]);
    return drawn.html() + quiet_scale(quiet->ends_k) +
           page_text(
               fmt::format(
                   "Margin of each rack to {}, K. No rack is near a limit (at worst {}): the colours are fitted to "
                   "the margins that are shown. ",
                   worst.limits, worst.words))
               .insert(0, "<p>") +
           signs + colours_and_table(worst.limits, nearest_limits_words(limits, at_worst, false)) +
           least_margins(racks.names, limits, at_worst) + limits_explained(results, racks.names, limits);
  }
  if (limits.are_known()) {
    const std::vector<RackMargin> worst = limits.at(results, rows[worst_moment]);
    return drawn.html() + margin_scale() +
           "<p>Margin of each rack to its nearest limit at that time, K. At worst the nearest limits are " +
           page_text(nearest_limits_words(limits, worst)) + ". " + signs + least_margins(racks.names, limits, worst) +
           limits_explained(results, racks.names, limits);
  }
  return drawn.html() + heat_scale() +
         "<p>Hottest die of each rack at that time, degC; marked: at 87 a GPU lowers its clock, at 89 it slows down "
         "hard, at 95 its node switches off. " +
         signs;
}

}  // namespace wattloop::twin
