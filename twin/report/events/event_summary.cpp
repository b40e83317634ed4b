#include "twin/report/events/event_summary.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <ranges>
#include <set>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/text/count_text.hpp"
#include "core/units/units.hpp"
#include "twin/drawings/names/display_name.hpp"
#include "twin/report/events/event_groups.hpp"
#include "twin/report/events/event_phrases.hpp"
#include "twin/report/events/limit_detail.hpp"
#include "twin/run/figures/verdict_of_run.hpp"

namespace wattloop::twin {

namespace {

constexpr double together_s = 120.0;  ///< events of a kind that are no further apart are one line
using Events = EventGroup;

/// Orders that move something say from where to where: settings, valves that stick, passages that clog, fans that fail.
bool is_moved(const EventRecord& event) {
  static constexpr std::array<std::string_view, 3> always{"set", "stick", "clog"};
  const bool may_be = event.kind == "fail" || event.kind == "restore";
  return std::ranges::count(always, event.kind) > 0 || (may_be && event.detail.starts_with("from "));
}

bool is_of_scenario(const EventRecord& event) {
  return is_moved(event) || event.detail.starts_with("scenario") || event.detail.starts_with("the end of a temporary");
}

/// An order that found done what it asks, or undone by another.
bool changes_nothing(const EventRecord& event) {
  static constexpr std::array idle{"changes nothing", "remains in force", "another stands since"};
  return std::ranges::any_of(idle, [&](const char* words) { return event.detail.find(words) != std::string::npos; });
}

std::string until(const std::string& text, std::string_view mark) { return text.substr(0, text.find(mark)); }
/// Behind the first `mark`; empty where there is none.
std::string after(const std::string& text, std::string_view mark) {
  const std::size_t found = text.find(mark);
  return found == std::string::npos ? std::string() : text.substr(found + mark.size());
}

/// Names of all; where these would be a long list, the first and how many more.
std::string who(const Events& events) {
  constexpr std::size_t longest = 60;
  std::vector<std::string> names;
  std::set<std::string_view> known;
  for (const EventRecord* event : events)
    if (known.insert(event->target).second) names.push_back(event->target);
  std::string all = display_names(names);
  if (names.size() < 3 || all.size() <= longest) return all;
  return fmt::format("{} and {} more", display_name(names.front()), names.size() - 1);
}

/// What of a use hangs on power: of nodes and of the fabric whole racks.
std::string bearer_of(const std::string& use) {
  if (use == "storage") return "storage rack";
  return use == "node" ? "rack" : use == "fabric" ? "network rack" : display_name(use);
}

/// Of a use, "4 of 4: ...", as its detail counts it.
struct Counted {
  std::string words{}, use{};
  bool is_all = false;
  std::size_t times = 1;
};
Counted counted_of(const EventRecord& event) {
  const std::string count = until(event.detail, ":"), part = until(count, " of "), whole = after(count, " of ");
  const std::string name = bearer_of(event.target);
  if (whole.empty() || whole == "1") return {name, event.target, true};
  return {fmt::format("{} {}s", part == whole ? "all " + whole : count, name), event.target, part == whole};
}

/// "all 4 facility pumps, 2 of 8 towers": where all of a use are meant once, what else is counted of it are the same again.
std::string counted(const Events& events) {
  std::vector<Counted> each;
  for (const EventRecord* event : events) {
    Counted now = counted_of(*event);
    const auto is_known = [&](const Counted& known) {
      return known.words == now.words || (known.use == now.use && known.is_all);
    };
    const auto known = std::ranges::find_if(each, is_known);
    if (known != each.end()) {
      known->times += known->words == now.words ? 1 : 0;
      continue;
    }
    if (now.is_all) std::erase_if(each, [&](const Counted& part) { return part.use == now.use; });
    each.push_back(std::move(now));
  }
  std::vector<std::string> words;
  for (const Counted& one : each) words.push_back(one.words + (one.is_all || one.times == 1 ? "" : " several times"));
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string in_brackets(const std::string& text) { return text.empty() ? "" : " (" + text + ")"; }

/// The number at the begin of "128 nodes"; 1 where there is none.
std::size_t leading_number(const std::string& text) {
  std::size_t number = 1;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

std::vector<int> numbers_in(const std::string& name) {
  std::vector<int> numbers;
  const char *now = name.data(), *const end = now + name.size();
  while (now < end) {
    int number = 0;
    const auto [next, error] = std::from_chars(now, end, number);
    if (error == std::errc()) numbers.push_back(number);
    now = error == std::errc() ? next : now + 1;
  }
  return numbers;
}

/// Racks of an event: one by its name, of several "1280 nodes, row_1.rack_1 to row_8.rack_20; ..." the first and the last.
std::pair<std::vector<int>, std::vector<int>> racks_of(const EventRecord& event) {
  const std::string several = after(until(event.detail, ";"), ", ");
  if (several.empty()) return {numbers_in(event.target), numbers_in(event.target)};
  return {numbers_in(until(several, " to ")), numbers_in(after(several, " to "))};
}

/// May a rack be in two of them?
bool may_share_racks(const Events& events) {
  std::vector<std::pair<std::vector<int>, std::vector<int>>> spans;
  for (const EventRecord* event : events) spans.push_back(racks_of(*event));
  std::ranges::sort(spans);
  const auto meet = [](const auto& a, const auto& b) { return b.first <= a.second; };
  return std::ranges::adjacent_find(spans, meet) != spans.end();
}

/// "448 nodes of 72 racks start"; where some may be the same again "nodes of at least 40 racks start, 448 times in all".
std::string racks_words(const Events& events, const char* what) {
  std::size_t nodes = 0, racks = 0, most_racks = 0;
  std::set<std::string_view> single;
  for (const EventRecord* event : events) {
    const std::size_t here = leading_number(event->target);
    nodes += leading_number(event->detail);
    racks += here;
    most_racks = std::max(most_racks, here);
    if (here == 1) single.insert(event->target);
  }
  if (!may_share_racks(events)) return fmt::format("{} nodes of {} racks {}", nodes, racks, what);
  return fmt::format("nodes of {}{} {}, {} times in all", most_racks == 1 ? "" : "at least ",
                     count_text(std::max(most_racks, single.size()), "rack"), what, nodes);
}

/// Of racks whose air got too warm: target "160 racks" or the name of one, detail "1280 nodes, ...; inlet air at 45.79 degC, ...".
EventSummaryLine inlet_line(const Events& events, const char* what, Weight weight) {
  const EventRecord& first = *events.front();
  const std::string words = events.size() == 1 ? fmt::format("{} of {} {}", until(until(first.detail, ","), ";"),
                                                             display_name(first.target), what)
                                               : racks_words(events, what);
  return {.words = words + in_brackets(until(after(first.detail, "; "), ",")), .weight = weight};
}

/// Nodes count once, however often they went off.
EventSummaryLine shutdown_line(const Events& events) {
  const EventRecord& first = *events.front();
  const std::size_t nodes = node_count(events);
  std::string words =
      nodes == 1 ? fmt::format("node switched off by heat: {}{}", display_name(first.target), in_brackets(first.detail))
                 : fmt::format("{} nodes switched off by heat, first that of {}", nodes, display_name(first.target));
  if (nodes < events.size()) words += fmt::format(", {} times in all", events.size());
  return {.words = words, .weight = Weight::loss};
}

/// "row 2, rack 7 clogged to 50 % over 10 min": what an order moved, and to where.
std::string moved_words(const Events& events) {
  const EventRecord& first = *events.front();
  const std::string to = after(first.detail, " to "), what = who(events);
  if (to.empty()) return fmt::format("{} {}{}", what, first.kind, in_brackets(first.detail));
  if (first.kind == "stick") return what + (to == "free" ? " moves again" : " stuck at " + to);
  return fmt::format("{} {} to {}", what, first.kind == "clog" ? "clogged" : "set", to);
}

/// Kinds of events with which nodes go off, and power that nodes lose.
bool ends_work(const EventRecord& event) {
  return event.kind == "inlet_shutdown" || event.kind == "thermal_shutdown" ||
         (event.kind == "lost_power" && event.target == "node");
}

/// "row 1, rack 1: inlet air temperature 30.07 degC, limit 30 degC (hotter than ... allows); and 159 more": of this and of all events.
EventSummaryLine limit_line(const Events& events, const char* what, Weight weight) {
  const EventRecord& first = *events.front();
  std::string reported = limit_before_reason(without_more_parts(first.detail));
  std::ranges::replace(reported | std::views::take(until(reported, " ").size()), '_', ' ');  // the quantity
  reported = until(reported, "; at worst");  // the table of limits has it
  std::size_t others = 0;
  for (const EventRecord* event : events) others += parts_reported(event->detail) - (event == &first ? 1 : 0);
  if (others > 0) reported += fmt::format("; and {} more", others);
  return {.words = fmt::format("{} {}: {}", what, display_name(first.target), reported), .weight = weight};
}

/// What controls do by themselves, all the time.
bool is_control(const EventRecord& event) {
  static constexpr std::array<std::string_view, 6> kinds{"reset", "stage", "economiser", "transfer", "start", "stop"};
  return std::ranges::count(kinds, event.kind) > 0 && !is_of_scenario(event);
}

/// What jobs do, and what happens to them by chance.
bool is_of_job(const EventRecord& event) { return event.kind.starts_with("job_") || event.kind == "failure"; }

/// Is a target among them twice?
bool is_repeated(const Events& events) {
  std::set<std::string_view> targets;
  return !std::ranges::all_of(events, [&](const EventRecord* event) { return targets.insert(event->target).second; });
}

/// By the instant, " since UPS b tripped (air around it at 51.32 degC)": why power was lost then, where something tripped.
std::map<double, std::string> trips_by_time(std::span<const EventRecord> events) {
  std::map<double, Events> trips;
  for (const EventRecord& event : events) {
    if (event.kind != "tripped" && event.kind != "battery_empty") continue;
    Events& same = trips[event.time_s];
    if (same.empty() || same.front()->kind == event.kind) same.push_back(&event);
  }
  std::map<double, std::string> words;
  for (const auto& [time_s, same] : trips)
    words[time_s] = same.front()->kind == "battery_empty"
                        ? " since the battery of " + who(same) + " is empty"
                        : " since " + who(same) + " tripped" + in_brackets(until(same.front()->detail, ","));
  return words;
}

/// By the instant, ", pretraining stopped, back after 8 min": what failures did to the first job that stopped then.
std::map<double, std::string> stops_by_time(std::span<const EventRecord> events) {
  std::map<double, std::string> words;
  for (std::size_t k = 0; k < events.size(); ++k) {
    const EventRecord& stop = events[k];
    if (stop.kind != "job_stopped" || words.contains(stop.time_s)) continue;
    std::string& said = words[stop.time_s] = fmt::format(", {} stopped", display_name(stop.target));
    const auto back = std::ranges::find_if(events.subspan(k), [&](const EventRecord& event) {
      return event.kind == "job_resumed" && event.target == stop.target;
    });
    if (back != events.end()) said += ", back after " + format_quantity(back->time_s - stop.time_s, "s");
  }
  return words;
}

EventSummaryLine words_of(const Events& events, const std::string& since) {
  const EventRecord& first = *events.front();
  const std::string& kind = first.kind;
  const std::size_t count = events.size();
  if (kind == "thermal_shutdown") return shutdown_line(events);
  if (kind == "inlet_shutdown") return inlet_line(events, "switched off by warm inlet air", Weight::loss);
  if (kind == "inlet_slowdown") return inlet_line(events, "slowed down by warm inlet air", Weight::loss);
  if (kind == "node_start") return inlet_line(events, "start", Weight::notice);
  if (kind == "nodes_back") return inlet_line(events, "are back", Weight::notice);
  if (kind == "lost_power") return {.words = "no power" + since + ": " + counted(events), .weight = Weight::loss};
  for (const auto& [of, said] : {std::pair("power_back", "power back: "), {"held_up", "power supplies carry a gap: "}})
    if (kind == of) return {.words = said + counted(events), .weight = Weight::notice};
  if (kind == "limit_exceeded") return limit_line(events, "limit exceeded,", Weight::notice);
  if (kind == "limit_cleared") return limit_line(events, "back within its limit,", Weight::routine);
  if (kind == "first_throttle")
    return {.words = fmt::format("first GPU throttled: {}{}", display_name(first.target),
                                 in_brackets(after(first.detail, "die at "))),
            .weight = Weight::loss};
  const bool is_idle = std::ranges::all_of(events, [](const EventRecord* event) { return changes_nothing(*event); });
  const Weight order_weight = is_idle ? Weight::notice : Weight::cause;
  if (kind == "set" || kind == "stick" || kind == "clog") return {.words = moved_words(events), .weight = order_weight};
  if (const std::string lock = after(first.detail, "stays open while "); kind == "close" && !lock.empty())
    return {.words = fmt::format("{} stays open ({})", who(events), lock), .weight = Weight::notice};
  const auto phrase = std::ranges::find(event_phrases, kind, &EventPhrase::kind);
  if (phrase != event_phrases.end()) {
    std::string words = fmt::format(fmt::runtime(phrase->words), who(events));
    if (count == 1 && !first.detail.empty() && !is_of_scenario(first)) words += in_brackets(first.detail);
    if ((is_control(first) || is_of_job(first)) && is_repeated(events))
      words += fmt::format(", {} times in all", count);
    const Weight weight =
        (kind == "start" || kind == "stop") && !is_of_scenario(first) ? Weight::routine : phrase->weight;
    return {.words = words, .weight = weight == Weight::cause ? order_weight : weight};
  }
  std::string words = first.target.empty() ? kind : fmt::format("{}: {}", kind, who(events));
  std::ranges::replace(words | std::views::take(kind.size()), '_', ' ');
  if (count == 1 && !first.detail.empty() && !is_of_scenario(first)) words += in_brackets(first.detail);
  return {.words = words, .weight = is_of_scenario(first) ? order_weight : Weight::notice};
}

bool is_failure(const EventRecord& event) {
  static constexpr std::array<std::string_view, 6> kinds{"fail", "open", "stick", "clog", "slow", "failure"};
  return std::ranges::count(kinds, event.kind) > 0;
}

Consequence consequence_of(const EventSummaryLine& line, const EventRecord& first) {
  static constexpr std::array<std::string_view, 4> switching{"off_battery", "generator_on_load", "generator_off_load",
                                                             "power_back"};
  if (line.ends_work || (first.kind == "lost_power" && first.target == "fabric")) return Consequence::lost;
  if (line.slows_work) return Consequence::slowed;
  if (first.kind == "limit_exceeded") return Consequence::beyond_limits;
  if (std::ranges::count(switching, first.kind) > 0) return Consequence::switched;
  if (is_of_job(first)) return Consequence::none;  // orders of users and equipment come before single jobs
  return line.weight == Weight::loss ? Consequence::equipment_lost : Consequence::none;
}

/// "chiller" of "chiller_3".
std::string without_numbers(std::string name) {
  std::erase_if(name, [](char c) { return (c >= '0' && c <= '9') || c == '_'; });
  return name;
}

/// Orders of a scenario belong together where they are given at one time, limits where they are of one quantity; of a run in which controls act
/// much, all that they do with equipment of one kind; of one with many events of jobs, all of a kind.
bool belongs(const EventRecord& event, const Events& events, bool is_busy, bool has_many_jobs) {
  const EventRecord &first = *events.front(), &last = *events.back();
  if (event.kind != first.kind || is_of_scenario(event) != is_of_scenario(first)) return false;
  if (is_of_scenario(event)) {
    const bool go_alike = !is_moved(event) || after(event.detail, " to ") == after(first.detail, " to ");
    return event.time_s == first.time_s && go_alike;
  }
  if (has_many_jobs && is_of_job(event)) return true;
  if (event.kind.starts_with("limit_") && until(event.detail, " ") != until(first.detail, " ")) return false;
  if (is_busy && is_control(event)) return without_numbers(event.target) == without_numbers(first.target);
  return event.time_s - last.time_s <= together_s;
}

}  // namespace

std::vector<EventSummaryLine> event_summary(std::span<const EventRecord> events) {
  constexpr std::ptrdiff_t busy = 60, many_of_jobs = 12;
  const bool is_busy = std::ranges::count_if(events, is_control) > busy;
  const bool has_many_jobs = std::ranges::count_if(events, is_of_job) > many_of_jobs;
  const std::map<double, std::string> trips = trips_by_time(events), stops = stops_by_time(events);
  const auto since = [&](const EventRecord& event) {
    const auto trip = event.kind == "lost_power" ? trips.find(event.time_s) : trips.end();
    return trip == trips.end() ? std::string() : trip->second;
  };
  const auto joins = [&](const EventRecord& event, const Events& group) {
    return belongs(event, group, is_busy, has_many_jobs) && since(event) == since(*group.front());
  };
  std::vector<EventSummaryLine> event_lines;
  for (const Events& group : event_groups(events, joins)) {
    EventSummaryLine line = words_of(group, since(*group.front()));
    line.first_s = group.front()->time_s;
    const auto stop = group.front()->kind == "failure" ? stops.find(line.first_s) : stops.end();
    if (stop != stops.end()) line.words += stop->second;
    line.last_s = group.back()->time_s;
    line.event_count = group.size();
    line.is_failure = line.weight == Weight::cause && is_failure(*group.front());
    line.slows_work = slows_work(*group.front());
    line.ends_work = std::ranges::any_of(group, [](const EventRecord* event) { return ends_work(*event); });
    line.consequence = consequence_of(line, *group.front());
    line.is_order = line.weight == Weight::cause && is_of_scenario(*group.front());
    event_lines.push_back(std::move(line));
  }
  const auto order = [](const EventSummaryLine& line) { return std::pair(line.first_s, line.weight != Weight::cause); };
  std::ranges::stable_sort(event_lines, {}, order);
  return event_lines;
}

}  // namespace wattloop::twin
