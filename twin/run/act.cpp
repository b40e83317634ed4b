#include "twin/run/act.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/numbers/clock_grid.hpp"
#include "core/parts/fault_setting.hpp"
#include "core/tables/local_time.hpp"
#include "core/text/printable.hpp"
#include "core/text/problem.hpp"
#include "core/units/units.hpp"
#include "twin/build/floor/rack_plan.hpp"
#include "twin/document/document.hpp"
#include "twin/document/override.hpp"
#include "twin/run/hall_run.hpp"
#include "twin/scenario/sections/scenario_sections.hpp"
#include "twin/scenario/specs/settings.hpp"

namespace wattloop::twin {

namespace {

constexpr std::size_t longest_act = 10000;  // characters; no event is nearly as long
constexpr double day_s = 86400.0;
const char* const place_of_acts = "act";

/// Mistakes of an act have no file: their place is the act itself.
[[noreturn]] void refuse(std::vector<Problem> problems) {
  for (Problem& problem : problems) {
    problem.place = {place_of_acts, 0, 0};
    problem.excerpt.clear();
  }
  throw InputError(std::move(problems), "the act");
}

[[noreturn]] void refuse(std::string message, std::string hint) {
  refuse({{{place_of_acts, 0, 0}, std::move(message), std::move(hint), {}}});
}

/// The shortest text that reads back to the same number.
std::string now_text(double now_s) { return fmt::format("{} s", now_s); }

/// Line breaks and tabs may be in an event; no other control character has a meaning there, and YAML would report each in another way.
void check_characters(std::string_view text, std::string_view what) {
  const auto is_control = [](char c) {
    return (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\r' && c != '\t') || c == 0x7f;
  };
  constexpr std::size_t longest_shown = 200;
  if (std::ranges::any_of(text, is_control))
    refuse(fmt::format("{} has a control character: '{}'", what, printable(text.substr(0, longest_shown))),
           "plain text, without NUL and other control characters");
}

Node scalar_of(std::string_view text) {
  Node node;
  node.kind = Node::Kind::scalar;
  node.text = text;
  return node;
}

void put_first(Node& map, const char* key, std::string_view value) {
  map.entries.insert(map.entries.begin(), Entry{scalar_of(key), scalar_of(value)});
}

/// Of a time of day that is past on the first day of the run: when the clock shows it next.
std::optional<double> next_day_s(const Scenario& base, std::string_view at, double now_s) {
  const std::optional<double> time_of_day = parse_time_of_day(at);
  if (!time_of_day || !parse_local_time(base.start)) return {};
  double next_s = LocalClock(base.start).next_time_of_day_s(*time_of_day);
  if (next_s >= now_s) return {};
  while (next_s < now_s) next_s += day_s;
  return next_s;
}

void put_time(Node& event, double at_s) {
  std::erase_if(event.entries, [](const Entry& entry) { return entry.key.text == "at"; });
  put_first(event, "at", now_text(at_s));
}

/// The event as a node, with its time.
Node event_of(const Scenario& base, std::string_view act, double now_s) {
  if (act.size() > longest_act)
    refuse(fmt::format("the act has {} characters, which is too long", act.size()),
           "an event is one short map: fail: NAME");
  check_characters(act, "the act");
  if (act.find(':') == std::string_view::npos)
    refuse("the act is not an event", "write a colon after the name of the event: fail: NAME");
  Problems problems;
  Node root;
  root.kind = Node::Kind::map;
  apply_override(root, event_override(std::string(act)), problems);
  if (!problems.empty() && act.find_first_of("[]{}*") != std::string_view::npos)
    refuse("the act cannot be read", "write names with brackets or stars in quotes: fail: \"NAME_[12].*\"");
  if (!problems.empty()) refuse(problems.all());
  const Node* list = find(root, "events");
  if (list == nullptr || list->items.size() != 1 || !list->items.front().is_map())
    refuse("the act is not an event", "one map: fail: NAME; set: NAME.SETTING, to: 36 degC, over: 5 min");
  Node event = list->items.front();
  const Node* at = find(event, "at");
  if (at == nullptr) {
    put_first(event, "at", now_text(now_s));
  } else if (const auto next_s = next_day_s(base, at->text, now_s)) {
    put_time(event, *next_s);
  }
  return event;
}

bool clogs(const EventSpec& event) {
  return std::ranges::any_of(event.targets, [](const std::string& target) {
    const FaultSetting* fault = fault_in(target).fault;
    return fault != nullptr && fault->name == clogged_passage.name;
  });
}

/// Racks that clog have a branch of their own from the start, so that no act can make others clog.
void check_branches(const Scenario& base, const std::vector<EventSpec>& events) {
  if (std::ranges::none_of(events, clogs)) return;
  Scenario added = base;
  std::ranges::copy(events, std::back_inserter(added.events));
  if (clogged_racks(added) == clogged_racks(base)) return;
  refuse("a rack that clogs needs a branch of its own from the start of the run",
         "write the event in the scenario, or name the rack there in a `clog` at the end of the run");
}

/// What the event means in `base`; nothing of it before `from_s`.
std::vector<EventSpec> events_of(const Scenario& base, Node event, double from_s) {
  Node list;
  list.kind = Node::Kind::sequence;
  list.items.push_back(std::move(event));
  Problems problems;
  Scenario timed;  // what times follow from, and nothing else of `base`, which may be large
  timed.start = base.start;
  timed.duration_s = base.duration_s;
  events_key(timed.events).read(list, problems);
  if (problems.empty()) place_events(timed, problems);
  for (EventSpec& spec : timed.events) {
    if (on_clock_s(from_s) == spec.at_s)
      spec.at_s = std::max(spec.at_s, from_s);  // a run may stand between two microseconds
    if (spec.at_s < from_s)
      problems.add({{},
                    fmt::format("the event at {} is in the past", format_quantity(spec.at_s, "s")),
                    fmt::format("the run is at {}", format_quantity(from_s, "s")),
                    {}});
    if (spec.at_s > base.duration_s)
      problems.add({{},
                    fmt::format("the event at {} is after the end of the run", format_quantity(spec.at_s, "s")),
                    fmt::format("it ends at {}", format_quantity(base.duration_s, "s")),
                    {}});
  }
  if (!problems.empty()) refuse(problems.all());
  check_branches(base, timed.events);
  return std::move(timed.events);
}

/// As an item of a list, on lines of its own.
std::string text_of(const Node& event) { return document_text(event); }

Node node_of(const std::string& event) {
  Problems problems;
  Node node = read_document_text(event, place_of_acts, problems);
  if (!problems.empty()) refuse(problems.all());
  return node;
}

/// Where a run of the scenario begins: events before that are those of the run that it begins from.
double begin_of(const Scenario& base) { return base.begin_at ? base.begin_at->at_s : 0.0; }

/// Mistakes in targets get the place of acts, too.
template <class Step>
void with_place_of_acts(const Step& step) {
  try {
    step();
  } catch (const InputError& error) {
    refuse(error.problems());
  }
}

}  // namespace

Act read_act(const Scenario& base, std::string_view act, double now_s) {
  Node event = event_of(base, act, now_s);
  if (find(event, follow_key) != nullptr)
    refuse("write the file of watts in the scenario",
           "in a running hall, set them by an array: set(\"gpus.power\", array)");
  std::string text = text_of(event);
  return {events_of(base, std::move(event), now_s), std::move(text)};
}

Act read_set(const Scenario& base, std::string_view setting, std::string_view value, double now_s) {
  if (value.size() > longest_act) refuse(fmt::format("a value of {} characters", value.size()), "36 degC");
  check_characters(value, "the value");
  Node event;
  event.kind = Node::Kind::map;
  put_first(event, "to", value);
  put_first(event, "set", setting);
  put_first(event, "at", now_text(now_s));
  std::vector<EventSpec> events = events_of(base, event, now_s);
  return {std::move(events), text_of(event)};
}

Act act_of_watts(const GpuWatts& watts) {
  EventSpec event;
  event.at_s = watts.at_s;
  event.kind = EventSpec::Kind::set;
  event.targets = {gpu_power_setting};
  event.gpu_w = watts.each_w;
  return {{std::move(event)}, {}};
}

Act read_again(const Scenario& base, const std::string& text) { return {events_of(base, node_of(text), 0.0), text}; }

void add_act(HallRun& run, const Act& act) {
  with_place_of_acts([&] { run.add_events(act.events); });
}

void check_act(HallRun& run, const Act& act) {
  with_place_of_acts([&] { run.check_events(act.events); });
}

std::string text_with_acts(const Scenario& base, const std::vector<std::string>& events,
                           const std::string& watts_file) {
  Problems problems;
  Node root = read_document_text(base.resolved_text, base.file, problems);
  for (const std::string& event : events) apply_change(root, {"events", node_of(event), true}, problems);
  if (!watts_file.empty()) {
    Node file, event;
    file.kind = event.kind = Node::Kind::map;
    put_first(file, "file", watts_file);
    event.entries.push_back(Entry{scalar_of(follow_key), std::move(file)});
    put_first(event, "set", gpu_power_setting);
    put_first(event, "at", now_text(begin_of(base)));
    apply_change(root, {"events", node_of(text_of(event)), true}, problems);
  }
  problems.throw_if_any(base.file);
  return document_text(root);
}

std::string watts_text(const Scenario& base, const Plant& plant, const std::vector<GpuWatts>& watts) {
  std::vector<std::string> names;
  for (const RackGroup& group : plant.it.groups) {
    const std::vector<std::string>& gpus = plant.groups[group.gpu_units]->unit_names;
    names.insert(names.end(), gpus.begin(), gpus.end());
  }
  std::vector<GpuWatts> since_begin = watts;
  for (GpuWatts& row : since_begin) row.at_s -= begin_of(base);
  return gpu_watts_text(names, since_begin);
}

std::optional<NumberLimits> limits_of_input(std::string_view setting) {
  const std::size_t dot = setting.rfind('.');
  const FieldInfo* info = dot == std::string_view::npos ? nullptr : find_setting(setting.substr(dot + 1));
  if (info == nullptr) return {};
  return setting_limits(*info);
}

}  // namespace wattloop::twin
