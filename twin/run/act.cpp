#include "twin/run/act.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/text/problem.hpp"
#include "core/units/units.hpp"
#include "twin/build/floor/rack_plan.hpp"
#include "twin/document/document.hpp"
#include "twin/document/override.hpp"
#include "twin/scenario/sections/scenario_sections.hpp"
#include "twin/scenario/specs/settings.hpp"

namespace wattloop::twin {

namespace {

constexpr std::size_t longest_act = 10000;  // characters; no event is nearly as long
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

/// The event as a node, with its time.
Node event_of(std::string_view act, double now_s) {
  if (act.size() > longest_act)
    refuse(fmt::format("an act of {} characters", act.size()), "an event is one short map: fail: NAME");
  if (act.find(':') == std::string_view::npos) refuse("the act is no event", "a colon behind what happens: fail: NAME");
  Problems problems;
  Node root;
  root.kind = Node::Kind::map;
  apply_override(root, event_override(std::string(act)), problems);
  if (!problems.empty() && act.find_first_of("[]{}*") != std::string_view::npos)
    refuse("the act cannot be read", "names with brackets or stars in quotes: fail: \"NAME_[12].*\"");
  if (!problems.empty()) refuse(problems.all());
  const Node* list = find(root, "events");
  if (list == nullptr || list->items.size() != 1 || !list->items.front().is_map())
    refuse("the act is no event", "one map: fail: NAME; set: NAME.SETTING, to: 36 degC, over: 5 min");
  Node event = list->items.front();
  if (find(event, "at") != nullptr) return event;
  Node key = event;
  key.kind = Node::Kind::scalar;
  key.entries.clear();
  Node value = key;
  key.text = "at";
  value.text = fmt::format("{} s", now_s);  // the shortest text that reads back to the same number
  event.entries.insert(event.entries.begin(), Entry{std::move(key), std::move(value)});
  return event;
}

/// `base` with these events besides its own; none of them before `from_s`.
Scenario with_events(const Scenario& base, std::vector<Node> items, double from_s) {
  Node list;
  list.kind = Node::Kind::sequence;
  list.items = std::move(items);
  Problems problems;
  Scenario added = base;
  added.events.clear();
  events_key(added.events).read(list, problems);
  if (problems.empty()) place_events(added, problems);
  for (const EventSpec& event : added.events) {
    if (event.at_s < from_s)
      problems.add({{},
                    fmt::format("an event at {}: that time is past", format_quantity(event.at_s, "s")),
                    fmt::format("the run is at {}", format_quantity(from_s, "s")),
                    {}});
    if (event.at_s > base.duration_s)
      problems.add({{},
                    fmt::format("an event at {}: the run is over then", format_quantity(event.at_s, "s")),
                    fmt::format("it ends at {}", format_quantity(base.duration_s, "s")),
                    {}});
  }
  if (!problems.empty()) refuse(problems.all());
  Scenario scenario = base;
  std::ranges::move(added.events, std::back_inserter(scenario.events));
  std::ranges::stable_sort(scenario.events, {}, &EventSpec::at_s);
  if (clogged_racks(scenario) != clogged_racks(base))
    refuse("a rack that clogs has a branch of its own from the start of a run",
           "put the event into the scenario, or name the rack there in a `clog` at the end of the run");
  return scenario;
}

/// As an item of a list, on lines of its own.
std::string text_of(const Node& event) { return document_text(event); }

Node node_of(const std::string& event) {
  Problems problems;
  Node node = read_document_text(event, place_of_acts, problems);
  if (!problems.empty()) refuse(problems.all());
  return node;
}

}  // namespace

ActedScenario with_act(const Scenario& now, std::string_view act, double now_s) {
  Node event = event_of(act, now_s);
  std::string text = text_of(event);
  return {with_events(now, {std::move(event)}, now_s), std::move(text)};
}

std::string text_with_acts(const Scenario& base, const std::vector<std::string>& events) {
  Problems problems;
  Node root = read_document_text(base.resolved_text, base.file, problems);
  for (const std::string& event : events) apply_change(root, {"events", node_of(event), true}, problems);
  problems.throw_if_any(base.file);
  return document_text(root);
}

Scenario with_acts(const Scenario& base, const std::vector<std::string>& events) {
  if (events.empty()) return base;
  std::vector<Node> items;
  for (const std::string& event : events) items.push_back(node_of(event));
  return with_events(base, std::move(items), 0.0);
}

bool may_be_set(std::string_view setting) {
  const std::size_t dot = setting.rfind('.');
  return dot != std::string_view::npos && find_setting(setting.substr(dot + 1)) != nullptr;
}

}  // namespace wattloop::twin
