#include "twin/report/run_verdict.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/printable.hpp"
#include "core/time_of_run.hpp"
#include "twin/drawings/spoken.hpp"
#include "twin/plant/limit_words.hpp"
#include "twin/report/event_story.hpp"
#include "twin/report/most_telling.hpp"
#include "twin/report/times_off_set_points.hpp"

namespace wattloop::twin {

namespace {

constexpr std::size_t columns = 80, label_width = 14;
constexpr std::size_t most_happened = 4;

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
std::string lines(std::string_view label, const std::vector<std::string>& words) {
  std::string text = fmt::format("  {:<{}} ", label, label_width), now = text;
  text.clear();
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
std::string line(std::string_view label, std::string_view words) {
  std::string text = fmt::format("  {:<{}} {}", label, label_width, words);
  std::size_t shown = 0, cut = text.size();
  for (std::size_t k = 0; k < text.size(); ++k) {
    const bool begins_character = (static_cast<unsigned char>(text[k]) & 0xC0U) != 0x80U;
    if (begins_character && ++shown == columns - 2) cut = k;
  }
  if (shown > columns) text = text.substr(0, cut) + "...";
  return text + "\n";
}

std::string plural(double count, std::string_view what) {
  return fmt::format("{:.0f} {}{}", count, what, count == 1.0 ? "" : "s");
}

/// Where there is more: how it began, and the last that was lost, in place of a loss before. None where nothing failed and nothing was lost.
std::vector<StoryLine> chosen(std::vector<StoryLine> story, std::size_t most) {
  std::erase_if(story, [](const StoryLine& told) { return told.weight == Weight::routine; });
  if (std::ranges::all_of(story, [](const StoryLine& told) { return told.weight == Weight::notice; })) return {};
  std::vector<StoryLine> telling = most_telling(story, most);
  const auto is_loss = [](const StoryLine& told) { return told.weight == Weight::loss; };
  const auto is_other_loss = [&](const StoryLine& told) {
    return is_loss(told) && !told.ends_work && !told.slows_work;
  };
  const auto last = std::find_if(story.rbegin(), story.rend(), is_loss);
  const auto told = std::find_if(telling.rbegin(), telling.rend(), is_loss);
  const auto given_up = std::find_if(telling.rbegin(), telling.rend(), is_other_loss);
  if (given_up == telling.rend() || told->first_s >= last->first_s) return telling;
  *given_up = *last;
  std::ranges::stable_sort(telling, {}, &StoryLine::first_s);
  return telling;
}

std::string happened(const RunTold& run, std::size_t most) {
  const std::vector<StoryLine> story = event_story(run.events), telling = chosen(story, most);
  if (telling.empty())
    return line("happened", run.events.empty() ? "nothing"
                                               : fmt::format("nothing failed; {} in wattloop events",
                                                             plural(static_cast<double>(run.events.size()), "line")));
  std::string text;
  for (const StoryLine& told : telling) text += line(time_of_run(told.first_s), printable(told.words));
  return text;
}

std::string difference(double difference_k, UnitStyle style) {
  constexpr double degf_per_k = 1.8;
  return style == UnitStyle::inch_pound ? fmt::format("{:.1f} degF", difference_k * degf_per_k)
                                        : fmt::format("{:.1f} K", difference_k);
}

std::string hottest_die(const Figures& figures, UnitStyle style) {
  const std::optional<double> die_k = figures.number("peak_die_temperature");
  if (!die_k) return {};
  const std::optional<double> margin_k = figures.number("smallest_throttle_margin");
  std::string words = format_quantity(*die_k, "K", style);
  if (margin_k) {
    words += fmt::format(", {} {}", difference(std::abs(*margin_k), style),
                         *margin_k > 0.0 ? "to throttling" : "above throttling");
  }
  const double at_s = figures.number("peak_die_time").value_or(0.0);
  const bool is_of_begin = at_s < figures.number("settling_time").value_or(0.0);
  return line("hottest die",
              fmt::format("{}, {}{}", words, figures.text("peak_die_gpu"),
                          is_of_begin ? fmt::format(", at {} while the run settles", format_quantity(at_s, "s")) : ""));
}

/// The battery whose charge at hand was least, if it was not full.
std::optional<std::string> least_charge(const Figures& figures) {
  constexpr double nearly_full = 0.9995;  // of which 100.0 % is printed
  const std::optional<double> charge = figures.number("lowest_state_of_charge");
  if (!charge || *charge >= nearly_full) return {};
  return fmt::format("{} charged {:.1f} %", figures.text("lowest_state_of_charge_of"), 100.0 * *charge);
}

/// The kinds of equipment nearest to their ratings, and that battery.
std::string loadings(const Figures& figures) {
  constexpr std::string_view begin = "highest_", end = "_loading";
  const std::optional<std::string> charge = least_charge(figures);
  const std::size_t most = charge ? 2 : 3;  // as many as a line holds
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
  if (charge) words.push_back(*charge);
  return words.empty() ? std::string() : line("worst loading", fmt::format("{}", fmt::join(words, ", ")));
}

/// ", by up to 3.2 K"; nothing where results do not say how far.
std::string by_text(double most_k, UnitStyle style) {
  return most_k > 0.0 ? ", by up to " + format_quantity(most_k, "delta_K", style) : "";
}

/// What was longest above or below its set-point, if for more than moments.
std::string longest_unheld(const Figures& figures, UnitStyle style) {
  const std::vector<TimeOffSetPoint> places = times_off_set_points(figures.all());
  if (places.empty()) return {};
  const TimeOffSetPoint& longest = places.front();
  return fmt::format("; {} {} its set-point for {}{}", printable(longest.place), longest.side,
                     format_quantity(longest.time_s, "s", style), by_text(longest.most_k, style));
}

std::string limits(const RunTold& run, const Figures& figures, UnitStyle style) {
  if (run.limits.empty()) return line("limits", "none exceeded" + longest_unheld(figures, style));
  const auto beyond = [](const LimitRecord& limit) {
    return std::abs(limit.worst - limit.limit) / std::abs(limit.limit);
  };
  const LimitRecord& worst = *std::ranges::max_element(run.limits, {}, beyond);
  const auto shown = [&](double value) { return limit_words(value, worst.unit, style); };
  std::string quantity = worst.quantity;
  std::ranges::replace(quantity, '_', ' ');
  return line("limits", fmt::format("{} exceeded; {} where {} is allowed: {} {}", run.limits.size(), shown(worst.worst),
                                    shown(worst.limit), printable(worst.part), quantity));
}

std::string power(const Figures& figures, UnitStyle style) {
  constexpr double m3_per_j_in_litre_per_kwh = 3.6e9;
  const NamedValue* known = figures.find("pue");
  if (known == nullptr) return {};
  const std::optional<double> pue = figures.number("pue"), drawn_j = figures.number("facility_energy");
  std::string words =
      pue ? fmt::format("{:.4f}", *pue) : "n/a " + printable(known->reason.substr(0, known->reason.find(':')));
  const std::optional<double> run_s = figures.number("simulated_time"), wue = figures.number("wue");
  if (drawn_j && run_s && *run_s > 0.0)
    words += fmt::format("; feed {} mean, {} peak", format_quantity(*drawn_j / *run_s, "W", style),
                         format_quantity(figures.number("peak_facility_power").value_or(std::nan("")), "W", style));
  if (wue) words += fmt::format("; {:.2f} L/kWh", *wue * m3_per_j_in_litre_per_kwh);
  const bool is_partial = known->long_name.find("comes from outside") != std::string::npos;
  return line(is_partial ? "partial PUE" : "PUE", words);
}

std::string balance(const Figures& figures, UnitStyle style) {
  const std::optional<double> residual = figures.number("energy_residual"), drawn_j = figures.number("facility_energy"),
                              rejected_j = figures.number("rejected_energy");
  if (!residual) return {};
  std::string words = fmt::format("closes to {:.1e}", std::abs(*residual));
  if (drawn_j && rejected_j)
    words +=
        fmt::format("; {} in, {} out", format_quantity(*drawn_j, "J", style), format_quantity(*rejected_j, "J", style));
  return line("energy", words);
}

/// SGR of ECMA-48, in the order of `run_verdicts`.
constexpr std::array<std::string_view, run_verdicts.size()> colours{"32", "33", "33", "33", "31"};

}  // namespace

ReadVerdict read_verdict(const ResultsReader& results) {
  const std::vector<NamedValue> figures = results.summary();
  if (figures.empty()) return {};  // a run that did not come to its end
  const std::vector<EventRecord> events = results.events();
  const std::vector<LimitRecord> limits = results.limits();
  const RunTold run{figures, events, limits};
  return {std::string(word_of(verdict_of(run))), fmt::format("{}", fmt::join(verdict_reasons(run), ", "))};
}

std::string title_with_verdict(const ResultsReader& results, const std::string& title) {
  const std::string word = read_verdict(results).word;
  return word.empty() || title.empty() ? word + title : word + ": " + title;
}

std::string run_verdict(const RunTold& run, UnitStyle style, bool is_coloured) {
  const Figures figures(run.figures);
  const RunVerdict verdict = verdict_of(run);
  const std::string_view word = word_of(verdict), colour = colours.at(static_cast<std::size_t>(verdict));
  std::string first = lines(word, verdict_reasons(run));
  if (is_coloured) first.replace(2, word.size(), fmt::format("\x1b[1;{}m{}\x1b[0m", colour, word));
  const std::string unreached = figures.text(unreached_figure);
  const std::size_t most = unreached.empty() ? most_happened : most_happened - 1;
  const std::string not_reached = unreached.empty() ? "" : line("not reached", unreached);
  return first + happened(run, most) + not_reached + hottest_die(figures, style) + loadings(figures) +
         limits(run, figures, style) + power(figures, style) + balance(figures, style);
}

}  // namespace wattloop::twin
