// `events:` of a scenario: what fails, is restored, opened, closed or set, and when. Whether the components exist is
// checked when the plant is built.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/parts/fault_setting.hpp"
#include "core/tables/local_time.hpp"
#include "core/text/nearest.hpp"
#include "twin/document/named_file.hpp"
#include "twin/parts/part_catalog.hpp"
#include "twin/scenario/sections/scenario_sections.hpp"
#include "twin/scenario/specs/gpu_watts.hpp"
#include "twin/scenario/specs/settings.hpp"

namespace wattloop::twin {

namespace {

constexpr FieldInfo at_info{
    "at",
    "s",
    Range::non_negative,
    "Time after the start; or a local time, 18:00 or 2026-07-15T18:00: the event is at the next such time.",
    {}};
constexpr FieldInfo every_info{
    "every", "s", Range::positive, "Time after which the event is repeated, until the end of the run.", {}};
constexpr FieldInfo over_info{"over",
                              "s",
                              Range::positive,
                              "Duration of the ramp to the new value; if it is not given, the value changes at once.",
                              {}};
constexpr FieldInfo position_info{"at_position",
                                  "1",
                                  Range::fraction,
                                  "Position at which the valve is stuck; if it is not given, its present position.",
                                  {}};
constexpr FieldInfo clog_info{"to", "1", Range::fraction, "Share of the passage that stays open.", {}};
constexpr FieldInfo slow_info{"to",
                              "1",
                              Range::positive_fraction,
                              "Clock of a slow GPU divided by full clock, or bandwidth of a slow part of the fabric "
                              "divided by its full bandwidth.",
                              {}};
constexpr FieldInfo for_info{
    "for", "s", Range::positive, "Time after which the event is undone; if it is not given, the event stays.", {}};

struct Action {
  std::string_view key;
  EventSpec::Kind kind;
  std::string_view doc;
};

constexpr std::array actions{
    Action{"fail", EventSpec::Kind::fail,
           "Components that fail: a name or a list; `*` matches within a name. `RACK.fans`: the fans of all nodes in "
           "the rack. A node, `row_1.rack_3.node_2`, or one of its GPUs: the whole node is off until it is restored, "
           "and its job stops. Parts of a modelled fabric: `leaf_12`, `spine_3.to_core_1`, `rail_5`, `node_7.rail_5`."},
    Action{"restore", EventSpec::Kind::restore, "Components that work again and return to their normal position."},
    Action{
        "open", EventSpec::Kind::open,
        "Feeds, generators, transformers, UPS, PDUs and racks that are switched off: they deliver or draw no power."},
    Action{"close", EventSpec::Kind::close,
           "Parts that are switched on again, as under `open`; a part that failed stays open until it is restored."},
    Action{"set", EventSpec::Kind::set, "COMPONENT.SETTING that changes; give `to` or `by`, too."},
    Action{"stick", EventSpec::Kind::set,
           "Valves that are stuck, at `at_position` or, if it is not given, at their present position."},
    Action{"clog", EventSpec::Kind::set,
           "Exchangers, coils, towers and racks whose passages are clogged: at the same pressure drop they pass `to` "
           "of the flow."},
    Action{"slow", EventSpec::Kind::slow,
           "GPUs by name, `row_1.rack_3.node_2.gpu_5`, that compute at `to` of full clock; the other GPUs of the job "
           "wait for them. Or parts of a modelled fabric, `leaf_12`, `spine_3.to_core_1`, `node_7.nvlink_5`, that have "
           "`to` of their bandwidth."},
    Action{
        "drain", EventSpec::Kind::drain,
        "Nodes, `row_1.rack_3.node_2`, or racks to drain: they get no new jobs of the queue; running jobs continue."},
    Action{"resume", EventSpec::Kind::resume, "Drained nodes or racks that get jobs again."},
};

std::vector<FieldRow> event_rows() {
  const auto time_row = [](const FieldInfo& info, std::string default_value) {
    double seconds = required;
    const std::array field{FieldRef{&seconds, info}};
    FieldRow row = field_table(field).front();
    row.default_value = std::move(default_value);
    return row;
  };
  std::vector<FieldRow> rows{time_row(at_info, "required")};
  for (const Action& action : actions) {
    rows.push_back({std::string(action.key), "text", "one of these", "", std::string(action.doc)});
  }
  rows.push_back({"to", "of the setting", "to or by", "",
                  "New value of a setting; with `clog`, the open share of the passage; with `slow`, the clock divided "
                  "by full clock."});
  rows.push_back({"follow", "map", "none", "",
                  "With `set: gpus.power`: `{ file: watts.csv }`, a file with a column `t_s` (seconds after the event) "
                  "and one column of watts for each GPU."});
  rows.push_back({"by", "of the setting", "to or by", "", "Change of a setting; a change of a temperature is in K."});
  rows.push_back({"at_position", "1", "none", "0 to 1", std::string(position_info.doc)});
  rows.push_back(time_row(over_info, "none"));
  rows.push_back(time_row(every_info, "none"));
  rows.push_back(time_row(for_info, "none"));
  return rows;
}

std::optional<double> read_number(MapReader& reader, const FieldInfo& info) {
  const Node* value = reader.find(info.name);
  double number = required;
  if (value == nullptr || !read_field(*value, {&number, info}, reader.problems())) return std::nullopt;
  return number;
}

void add_target(const Node& node, EventSpec& event, Problems& problems) {
  if (node.is_scalar() && !node.text.empty()) {
    event.targets.push_back(node.text);
    event.target_mentions.push_back({node.place, node.excerpt});
  } else {
    problems.add(problem_at(node, fmt::format("expected the name of a component, found {}", describe(node))));
  }
}

/// What `stick` and `clog` bring; nullptr for `set`.
const FaultSetting* fault_of_event(std::string_view key) {
  const auto found = std::ranges::find(fault_settings, key, &FaultSetting::event);
  return found == fault_settings.end() ? nullptr : &*found;
}

/// The one action that the event says; null, with a problem, where it is not one.
const Node* read_action(MapReader& reader, EventSpec& event, const FaultSetting*& fault) {
  const Node* found = nullptr;
  int count = 0;
  for (const Action& action : actions) {
    const Node* node = reader.find(action.key);
    if (node == nullptr) continue;
    ++count;
    found = node;
    event.kind = action.kind;
    fault = action.kind == EventSpec::Kind::set ? fault_of_event(action.key) : nullptr;
  }
  if (count == 1) return found;
  reader.problems().add(problem_at(reader.node(), count == 0 ? "event does nothing" : "event does several things",
                                   "write one of: fail, restore, open, close, set, stick, clog, slow, drain, resume"));
  return nullptr;
}

/// Valves that stick and passages that clog are settings of their own (core/parts/fault_setting.hpp).
void read_fault(MapReader& reader, const FaultSetting& fault, EventSpec& event) {
  for (std::string& target : event.targets) target += fmt::format(".{}", fault.name);
  if (fault.name == stuck_at.name) {
    event.to_si = read_number(reader, position_info);
    return;
  }
  event.over_s = read_number(reader, over_info).value_or(0.0);
  if (reader.require("to", std::string(clog_info.doc)) != nullptr) event.to_si = read_number(reader, clog_info);
}

/// The nearest setting; of a setting that is named without its component, how to name it.
std::string hint_for_setting(const std::string& target, const std::string& name) {
  const std::vector<std::string> names = setting_names();
  if (find_setting(name) != nullptr) return fmt::format("write the component, too: COMPONENT.{}", name);
  const std::array of_all_gpus{std::string(gpu_power_setting)};  // no setting of a component
  if (target.starts_with("gpu") && !nearest(target, of_all_gpus).empty()) return nearest_hint(target, of_all_gpus);
  const std::string setting = nearest(name, names), component = target.substr(0, target.size() - name.size());
  return setting.empty() ? nearest_hint(name, names) : fmt::format("did you mean '{}{}'?", component, setting);
}

/// The setting that all targets of a `set` event have in common; null, with a problem, where there is none.
const FieldInfo* setting_of(const Node& node, const EventSpec& event, Problems& problems) {
  const FieldInfo* common = nullptr;
  for (const std::string& target : event.targets) {
    const std::size_t dot = target.rfind('.');
    const std::string name = dot == std::string::npos ? target : target.substr(dot + 1);
    const FieldInfo* setting = dot == std::string::npos ? nullptr : find_setting(name);
    if (setting == nullptr) {
      problems.add(problem_at(node, fmt::format("'{}' is not a setting", target), hint_for_setting(target, name)));
      return nullptr;
    }
    if (common != nullptr && common != setting) {
      problems.add(problem_at(node, "all targets of one event must have the same setting"));
      return nullptr;
    }
    common = setting;
  }
  return common;
}

constexpr double coldest_k = 233.15, hottest_k = 373.15, largest_change_k = 100.0;

/// Of a temperature that is set, or of a change of one.
bool is_plausible(double kelvin, bool is_whole) {
  return is_whole ? kelvin >= coldest_k && kelvin <= hottest_k : std::abs(kelvin) <= largest_change_k;
}

/// `to` and `by`, in the unit of the setting.
void read_change(MapReader& reader, const Node& target, EventSpec& event) {
  const Node* to = reader.find("to");
  const Node* by = reader.find("by");
  Problems& problems = reader.problems();
  if ((to == nullptr) == (by == nullptr)) {
    problems.add(problem_at(reader.node(),
                            to == nullptr ? "the event `set` has no value" : "event has both 'to' and 'by'",
                            "write one of: to (the new value), by (the change)"));
    return;
  }
  const FieldInfo* setting = setting_of(target, event, problems);
  if (setting == nullptr) return;
  FieldInfo info = *setting;
  info.name = to != nullptr ? "to" : "by";
  if (by != nullptr) {
    info.range = Range::any;
    if (info.unit == "K") info.unit = temperature_difference;
  }
  double value = required;
  const Node& written = to != nullptr ? *to : *by;
  if (!read_field(written, {&value, info}, problems)) return;
  if (setting->unit == "K" && !is_plausible(value, to != nullptr)) {
    problems.add(
        problem_at(written, fmt::format("{}: no set-point of coolant, water or air can have this value", info.name),
                   to != nullptr ? "write a value between -40 degC and 100 degC" : "write a change of at most 100 K"));
    return;
  }
  (to != nullptr ? event.to_si : event.by_si) = value;
}

/// In whole per cent.
void read_slow_clock(MapReader& reader, EventSpec& event) {
  event.to_si = read_number(reader, slow_info);
  const double percent = 100.0 * event.to_si.value_or(1.0);
  if (std::abs(percent - std::round(percent)) < 1e-9 && percent > 0.5) return;
  reader.problems().add(problem_at(
      *reader.find("to"),
      "to: write the clock of a slow GPU, or the bandwidth of a slow part, as a whole percentage of its full value",
      "for example 75 %; at least 1 %"));
}

/// The times of an event of `gpus.power`, which are rows of a file; the first is left to the event itself.
void read_gpu_power(MapReader& reader, EventSpec& event, std::vector<GpuWatts>& rows) {
  Problems& problems = reader.problems();
  if (!event.at_clock.empty())
    problems.add(
        problem_at(*reader.find("at"),
                   "gpus.power: the event needs a time after the start, because the seconds of the file count from it",
                   "write at: 0 s"));
  const Node* follow = reader.require(follow_key, "write follow: { file: watts.csv }");
  if (follow == nullptr) return;
  MapReader of_file(*follow, follow_key, problems);
  if (!of_file.is_map() || of_file.require("file", "file: a CSV file, relative to the file that names it") == nullptr)
    return;
  if (const auto file = find_named_file(*follow, "file", "file of watts", problems))
    rows = read_gpu_watts(*file, {follow->place, follow->excerpt}, problems);
  of_file.report_unknown_keys();
}

EventSpec read_event(const Node& map, std::vector<GpuWatts>& rows, Problems& problems) {
  EventSpec event;
  event.place = map.place;
  event.excerpt = map.excerpt;
  MapReader reader(map, "event", problems);
  if (!reader.is_map()) return event;
  if (const Node* at = reader.require("at", std::string(at_info.doc))) {
    if (parse_time_of_day(at->text) || parse_local_time(at->text)) {
      event.at_clock = at->text;
    } else {
      event.at_s = read_number(reader, at_info).value_or(0.0);
    }
  }
  const FaultSetting* fault = nullptr;
  if (const Node* target = read_action(reader, event, fault)) {
    for (const Node& item : target->items) add_target(item, event, problems);
    if (!target->is_sequence()) add_target(*target, event, problems);
    if (target->is_sequence() && target->items.empty()) {
      problems.add(problem_at(*target, "expected the name of a component, found an empty list"));
    }
    if (fault != nullptr) {
      read_fault(reader, *fault, event);
    } else if (event.kind == EventSpec::Kind::slow) {
      if (reader.require("to", std::string(slow_info.doc)) != nullptr) read_slow_clock(reader, event);
    } else if (event.kind == EventSpec::Kind::set && target->is_scalar() && target->text == gpu_power_setting) {
      read_gpu_power(reader, event, rows);
      reader.report_unknown_keys();
      return event;
    } else if (event.kind == EventSpec::Kind::set) {
      read_change(reader, *target, event);
      event.over_s = read_number(reader, over_info).value_or(0.0);
    }
  }
  event.every_s = read_number(reader, every_info);
  event.for_s = read_number(reader, for_info);
  reader.report_unknown_keys();
  return event;
}

void read_events(const Node& list, std::vector<EventSpec>& events, Problems& problems) {
  if (!list.is_sequence()) {
    problems.add(problem_at(list, fmt::format("events is {}, expected a list of events", describe(list))));
    return;
  }
  for (const Node& item : list.items) {
    std::vector<GpuWatts> rows;
    EventSpec event = read_event(item, rows, problems);
    const double begin_s = event.at_s;
    for (const GpuWatts& row : rows) {
      event.at_s = begin_s + row.at_s;
      event.gpu_w = row.each_w;
      event.gpu_names = row.gpus;
      events.push_back(event);
    }
    if (rows.empty()) events.push_back(std::move(event));
  }
}

}  // namespace

std::span<const FieldInfo> all_settings() {
  static const std::vector<FieldInfo> all = [] {
    std::vector<FieldInfo> list(settings.begin(), settings.end());
    for (const PartKind& kind : part_kinds()) {
      if (!kind.written) continue;
      for (const PartSetting& setting : kind.written->settings) {
        if (setting.is_of_system) continue;
        if (std::ranges::find(list, setting.info.name, &FieldInfo::name) == list.end()) list.push_back(setting.info);
      }
    }
    return list;
  }();
  return all;
}

const FieldInfo* find_setting(std::string_view name) {
  const auto all = all_settings();
  const auto found = std::ranges::find(all, name, &FieldInfo::name);
  return found == all.end() ? nullptr : &*found;
}

NumberLimits setting_limits(const FieldInfo& setting) {
  return setting.unit == "K" ? NumberLimits{coldest_k, hottest_k} : number_limits(setting);
}

std::vector<std::string> setting_names() {
  std::vector<std::string> names;
  for (const FieldInfo& setting : all_settings()) names.emplace_back(setting.name);
  return names;
}

SpecialKey events_key(std::vector<EventSpec>& events) {
  return {.key = "events",
          .doc = "Events and their times.",
          .rows = event_rows(),
          .read = [&events](const Node& list, Problems& problems) { read_events(list, events, problems); }};
}

}  // namespace wattloop::twin
