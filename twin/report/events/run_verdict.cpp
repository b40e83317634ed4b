#include "twin/report/events/run_verdict.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/tables/local_time.hpp"
#include "core/text/count_text.hpp"
#include "core/text/printable.hpp"
#include "twin/drawings/names/display_name.hpp"
#include "twin/plant/state/limit_words.hpp"
#include "twin/report/events/event_summary.hpp"
#include "twin/report/events/limits_beyond.hpp"
#include "twin/report/events/most_important.hpp"
#include "twin/report/events/recoveries.hpp"
#include "twin/report/events/shown_time.hpp"
#include "twin/report/events/times_off_set_points.hpp"
#include "twin/run/figures/job_lines.hpp"

namespace wattloop::twin {

namespace {

constexpr std::size_t columns = 80, narrowest_label = 14;
constexpr std::size_t most_happened = 4;

using Row = VerdictLine;

class Figures {
 public:
  explicit Figures(std::span<const NamedValue> figures) : figures_(figures) {}

  const NamedValue* find(std::string_view name) const { return figure_named(figures_, name); }
  /// Nothing of what is not there or not a number.
  std::optional<double> number(std::string_view name) const {
    const double value = figure_number(figures_, name);
    return std::isfinite(value) ? std::optional(value) : std::nullopt;
  }
  std::string text(std::string_view name) const { return figure_text(figures_, name); }
  std::span<const NamedValue> all() const { return figures_; }

 private:
  std::span<const NamedValue> figures_;
};

/// Parts of a sentence, on a second line what is beyond the first.
std::string wrapped(std::string_view label, const std::vector<std::string>& words, std::size_t label_width) {
  std::string text, now = fmt::format("  {:<{}} ", label, label_width);
  for (std::size_t k = 0; k < words.size(); ++k) {
    const std::string part = words[k] + (k + 1 < words.size() ? "," : "");
    if (now.size() + 1 + part.size() > columns) {
      text += now + "\n";
      now = std::string(label_width + 3, ' ');
    }
    now += (now.ends_with(' ') ? "" : " ") + part;
  }
  return text + now + "\n";
}

/// A line that is longer ends in dots.
std::string cut(const Row& row, std::size_t label_width) {
  std::string text = fmt::format("  {:<{}} {}", row.label, label_width, row.words);
  std::size_t shown = 0, cut = text.size();
  for (std::size_t k = 0; k < text.size(); ++k) {
    const bool begins_character = (static_cast<unsigned char>(text[k]) & 0xC0U) != 0x80U;
    if (begins_character && ++shown == columns - 2) cut = k;
  }
  if (shown > columns) text = text.substr(0, cut) + "...";
  return text + "\n";
}

/// Of what is there the lines of the worst consequence, and the last of these that was lost instead of one before. None where nothing failed
/// and nothing was lost.
std::vector<EventSummaryLine> chosen(std::vector<EventSummaryLine> event_lines, std::size_t most) {
  std::erase_if(event_lines, [](const EventSummaryLine& reported) { return reported.weight == Weight::routine; });
  if (std::ranges::all_of(event_lines,
                          [](const EventSummaryLine& reported) { return reported.weight == Weight::notice; }))
    return {};
  std::vector<EventSummaryLine> reporting = most_important(event_lines, most);
  const auto is_loss = [](const EventSummaryLine& reported) { return reported.weight == Weight::loss; };
  const auto is_other_loss = [&](const EventSummaryLine& reported) {
    return is_loss(reported) && !reported.ends_work && !reported.slows_work;
  };
  const auto last = std::find_if(event_lines.rbegin(), event_lines.rend(), is_loss);
  const auto reported = std::find_if(reporting.rbegin(), reporting.rend(), is_loss);
  const auto given_up = std::find_if(reporting.rbegin(), reporting.rend(), is_other_loss);
  if (given_up == reporting.rend() || reported->first_s >= last->first_s || last->consequence < given_up->consequence)
    return reporting;
  *given_up = *last;
  std::ranges::stable_sort(reporting, {}, &EventSummaryLine::first_s);
  return reporting;
}

/// Where all events are listed.
std::string list_of_events(const VerdictStyle& style) {
  if (!style.all_events.empty()) return style.all_events;
  return style.file.empty() ? "no results were written" : "wattloop events " + style.file;
}

std::vector<Row> happened(const RunReported& run, const VerdictStyle& style, std::size_t most) {
  const std::vector<EventSummaryLine> event_lines = event_summary(run.events), reporting = chosen(event_lines, most);
  if (run.events.empty()) return {{"happened", "nothing"}};
  if (reporting.empty())
    return {{"happened",
             fmt::format("nothing failed; {}: {}", count_text(run.events.size(), "event"), list_of_events(style))}};
  std::vector<Row> rows;
  for (const EventSummaryLine& reported : reporting)
    rows.push_back({instant_text(style.start, reported.first_s), printable(reported.words)});
  if (const std::size_t more = events_left_out(event_lines, reporting); more > 0)
    rows.push_back({fmt::format("and {} more", more), list_of_events(style)});
  return rows;
}

std::string difference(double difference_k, UnitStyle style) {
  constexpr double degf_per_k = 1.8;
  return style == UnitStyle::inch_pound ? fmt::format("{:.1f} degF", difference_k * degf_per_k)
                                        : fmt::format("{:.1f} K", difference_k);
}

std::optional<Row> hottest_die(const Figures& figures, const VerdictStyle& of) {
  const UnitStyle style = of.units;
  const std::optional<double> die_k = figures.number("peak_die_temperature");
  if (!die_k) return {};
  const std::optional<double> margin_k = figures.number("smallest_throttle_margin");
  std::string words = format_quantity(*die_k, "K", style);
  const bool throttled_by_other =
      margin_k && *margin_k > 0.0 && figures.number("throttled_gpu_time").value_or(0.0) > 0.0;
  if (margin_k) {
    words += fmt::format(", {} {}{}", difference(std::abs(*margin_k), style),
                         *margin_k > 0.0 ? "to throttling" : "above throttling", throttled_by_other ? " by dies" : "");
  }
  const std::optional<double> at_s = figures.number("peak_die_time");
  const bool is_of_begin = at_s.value_or(0.0) < figures.number("settling_time").value_or(0.0);
  if (is_of_begin) words += fmt::format(", at {} while the run settles", instant_text(of.start, at_s.value_or(0.0)));
  return Row{.label = "hottest die",
             .words = fmt::format("{}, {}", words, figures.text("peak_die_gpu")),
             .more = at_s && !is_of_begin ? "at " + instant_text(of.start, *at_s) : ""};
}

/// The battery whose charge present was least, if it was not full.
std::optional<std::string> lowest_charge(const Figures& figures) {
  constexpr double nearly_full = 0.9995;  // of which 100.0 % is printed
  const std::optional<double> charge = figures.number("lowest_state_of_charge");
  if (!charge || *charge >= nearly_full) return {};
  return fmt::format("lowest state of charge {:.1f} % ({})", 100.0 * *charge,
                     figures.text("lowest_state_of_charge_of"));
}

/// What generators delivered and how far batteries were discharged; nothing where neither was needed.
std::optional<Row> backup(const Figures& figures, UnitStyle style) {
  std::vector<std::string> words;
  if (const double generator_j = figures.number("generator_energy").value_or(0.0); generator_j > 0.0)
    words.push_back("generators " + format_quantity(generator_j, "J", style));
  if (const std::optional<std::string> charge = lowest_charge(figures)) words.push_back(*charge);
  if (words.empty()) return {};
  return Row{"backup power", fmt::format("{}", fmt::join(words, "; "))};
}

/// The kinds of equipment nearest to their ratings.
std::optional<Row> loadings(const Figures& figures) {
  constexpr std::string_view begin = "highest_", end = "_loading";
  constexpr std::size_t most = 3;  // as many as a line holds
  std::vector<std::pair<double, std::string>> loads;
  for (const NamedValue& one : figures.all()) {
    if (!one.name.starts_with(begin) || !one.name.ends_with(end) || one.name.size() <= begin.size() + end.size())
      continue;
    if (const std::optional<double> ratio = figures.number(one.name)) loads.emplace_back(*ratio, one.name);
  }
  std::ranges::stable_sort(loads, [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::string> words;
  for (const auto& [ratio, name] : loads) {
    if (words.size() < most) words.push_back(fmt::format("{} {:.1f} %", figures.text(name + "_of"), 100.0 * ratio));
  }
  if (words.empty()) return {};
  return Row{"worst loading", fmt::format("{}", fmt::join(words, ", "))};
}

/// Of flows with voltages.
std::optional<Row> lowest_voltage(const Figures& figures) {
  const std::optional<double> ratio = figures.number("lowest_voltage");
  if (!ratio) return {};
  return Row{"lowest voltage",
             fmt::format("{:.1f} % of nominal, {}", 100.0 * *ratio, figures.text("lowest_voltage_of"))};
}

/// ", by up to 3.2 K"; nothing where results do not say how far.
std::string by_text(double most_k, UnitStyle style) {
  return most_k > 0.0 ? ", by up to " + format_quantity(most_k, "delta_K", style) : "";
}

/// What was longest above or below its set-point, if for more than moments.
std::string longest_not_met(const Figures& figures, UnitStyle style) {
  const std::vector<TimeOffSetPoint> places = times_off_set_points(figures.all());
  if (places.empty()) return {};
  const TimeOffSetPoint& longest = places.front();
  return fmt::format("; {} {} its set-point for {}{}", printable(longest.place), longest.side,
                     format_quantity(longest.time_s, "s", style), by_text(longest.most_k, style));
}

Row limits(const RunReported& run, const Figures& figures, const VerdictStyle& of) {
  const UnitStyle style = of.units;
  if (run.limits.empty()) return {"limits", "none exceeded" + longest_not_met(figures, style)};
  const LimitRecord& worst = *farthest_of(run.limits);
  const ValueAndLimit shown = value_and_limit(worst.worst, worst.limit, worst.unit, style);
  std::string quantity = worst.quantity;
  std::ranges::replace(quantity, '_', ' ');
  std::set<std::string_view> parts;
  for (const LimitRecord& limit : run.limits) parts.insert(limit.part);
  const std::string of_run = run.limits.size() > 1 ? fmt::format("; in the whole run {} limits of {}",
                                                                 run.limits.size(), count_text(parts.size(), "part"))
                                                   : "";
  return {.label = "limits",
          .words = fmt::format("{} exceeded; {} where {} is allowed: {} {}", run.limits.size(), shown.value,
                               shown.limit, printable(worst.part), quantity),
          .more = fmt::format("at {}, beyond it for {} in all{}", instant_text(of.start, worst.worst_time_s),
                              format_quantity(worst.duration_s, "s", style), of_run)};
}

/// What came back before the end and what did not; nothing where nothing failed.
std::vector<Row> recovered(const RunReported& run) {
  const Recoveries found = recoveries(run.events);
  std::vector<Row> rows;
  if (!found.back.empty())
    rows.push_back({.label = "recovered", .words = printable(names_by_kind(found.back)), .is_for_pages = true});
  if (!found.lasting.empty())
    rows.push_back({.label = "not recovered", .words = printable(names_by_kind(found.lasting)), .is_for_pages = true});
  return rows;
}

std::optional<Row> power(const Figures& figures, UnitStyle style) {
  constexpr double m3_per_j_in_litre_per_kwh = 3.6e9;
  const NamedValue* known = figures.find("pue");
  if (known == nullptr) return {};
  const std::optional<double> pue = figures.number("pue"), drawn_j = figures.number("facility_energy");
  std::string words =
      pue ? fmt::format("{:.4f}", *pue) : "n/a " + printable(known->reason.substr(0, known->reason.find(':')));
  const std::optional<double> run_s = figures.number("simulated_time"), wue = figures.number("wue");
  const std::optional<double> utility_j =
      figures.number("utility_energy");  // files of before have the sum of all sources
  const std::string source = utility_j ? "utility" : "facility";
  if (drawn_j && run_s && *run_s > 0.0)
    words +=
        fmt::format("; {} {} mean, {} peak", source, format_quantity(utility_j.value_or(*drawn_j) / *run_s, "W", style),
                    format_quantity(figures.number("peak_" + source + "_power").value_or(std::nan("")), "W", style));
  if (wue) words += fmt::format("; {:.2f} L/kWh", *wue * m3_per_j_in_litre_per_kwh);
  // "comes from outside": files of before 30 November 2026
  const bool is_partial = known->long_name.find("without the energy of the plant") != std::string::npos ||
                          known->long_name.find("comes from outside") != std::string::npos;
  return Row{is_partial ? "partial PUE" : "PUE", words};
}

/// Of jobs whose steps follow from a model.
std::optional<Row> throughput(const Figures& figures) {
  const std::optional<double> tokens_per_s = figures.number("job_token_rate"), mfu = figures.number("job_mfu"),
                              energy_j = figures.number("job_energy_per_token");
  if (!tokens_per_s || !mfu || !energy_j) return {};
  return Row{"training",
             throughput_words({.tokens_per_s = *tokens_per_s, .mfu_fraction = *mfu, .energy_per_token_j = *energy_j})};
}

std::optional<Row> balance(const Figures& figures, UnitStyle style) {
  const std::optional<double> residual = figures.number("energy_residual"), drawn_j = figures.number("facility_energy"),
                              rejected_j = figures.number("rejected_energy"),
                              stored_j = figures.number("stored_energy");
  if (!residual) return {};
  Row row{"energy", fmt::format("closes to {:.1e}", std::abs(*residual))};
  if (drawn_j && rejected_j)
    row.words +=
        fmt::format("; {} in, {} out", format_quantity(*drawn_j, "J", style), format_quantity(*rejected_j, "J", style));
  if (stored_j && *stored_j != 0.0)
    row.more =
        format_quantity(std::abs(*stored_j), "J", style) +
        (*stored_j > 0.0 ? " more stored at the end than at the start" : " less stored at the end than at the start");
  return row;
}

/// In the order of `run_verdicts`.
constexpr std::string_view good = "#19703a", doubtful = "#855600", bad = "#b2182b";
constexpr std::array<VerdictColour, run_verdicts.size()> colours{
    {{"32", good}, {"33", doubtful}, {"33", doubtful}, {"33", doubtful}, {"31", bad}}};

}  // namespace

VerdictColour colour_of(RunVerdict verdict) { return colours.at(static_cast<std::size_t>(verdict)); }

ReadVerdict read_verdict(const ResultsReader& results) {
  const std::vector<NamedValue> figures = results.summary();
  if (figures.empty()) return {};  // a run that did not come to its end
  const std::vector<EventRecord> events = results.events();
  const std::vector<LimitRecord> limits = results.limits();
  const RunReported run{figures, events, limits};
  return {std::string(word_of(verdict_of(run))), fmt::format("{}", fmt::join(verdict_reasons(run), ", "))};
}

std::string title_with_verdict(const ResultsReader& results, const std::string& title) {
  const std::string word = read_verdict(results).word;
  return word.empty() || title.empty() ? word + title : word + ": " + title;
}

std::optional<VerdictLine> nearest_limit_line(const ResultsReader& results) {
  const std::optional<NearestLimit> nearest = nearest_limit(results);
  if (!nearest) return {};
  const std::string others = nearest->equal_racks > 0
                                 ? fmt::format(" and {} within 0.1 K", count_text(nearest->equal_racks, "other rack"))
                                 : "";
  return VerdictLine{.label = "nearest limit",
                     .words = fmt::format("{}: {}{}", nearest->words(), display_name(nearest->rack), others),
                     .more = "recorded at " + instant_text(results.start_iso(), nearest->time_s)};
}

VerdictReported verdict_reported(const RunReported& run, const VerdictStyle& style) {
  const Figures figures(run.figures);
  const std::string unreached = figures.text(unreached_figure);
  VerdictReported reported{
      .verdict = verdict_of(run),
      .reasons = verdict_reasons(run),
      .lines = happened(run, style,
                        most_happened - (unreached.empty() ? 0 : 1) - (figures.number("lowest_voltage") ? 1 : 0))};
  const std::vector<Row> back = recovered(run);
  reported.lines.insert(reported.lines.end(), back.begin(), back.end());
  if (!unreached.empty()) reported.lines.push_back({"not reached", unreached});
  const UnitStyle units = style.units;
  for (const std::optional<Row>& row :
       std::array{hottest_die(figures, style), loadings(figures), lowest_voltage(figures),
                  std::optional(limits(run, figures, style)), throughput(figures), power(figures, units),
                  backup(figures, units), balance(figures, units)}) {
    if (row) reported.lines.push_back(*row);
  }
  return reported;
}

std::string run_verdict(const RunReported& run, const VerdictStyle& style) {
  VerdictReported reported = verdict_reported(run, style);
  std::erase_if(reported.lines, &VerdictLine::is_for_pages);
  std::size_t label_width = narrowest_label;  // of dates more
  for (const Row& row : reported.lines) label_width = std::max(label_width, row.label.size());
  const std::string_view word = word_of(reported.verdict);
  std::string text = wrapped(word, reported.reasons, label_width);
  if (style.is_coloured)
    text.replace(2, word.size(), fmt::format("\x1b[1;{}m{}\x1b[0m", colour_of(reported.verdict).sgr, word));
  for (const Row& row : reported.lines) text += cut(row, label_width);
  return text;
}

}  // namespace wattloop::twin
