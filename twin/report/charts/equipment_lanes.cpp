#include "twin/report/charts/equipment_lanes.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include "twin/drawings/names/display_name.hpp"
#include "twin/results/reader/disabled_generators.hpp"
#include "twin/results/reader/equipment_faults.hpp"
#include "twin/results/reader/records_at.hpp"

namespace wattloop::twin {

namespace {

constexpr std::string_view gpus = "GPUs";  ///< name of their lane

/// State of one item from its columns at a row.
using StateOf = std::function<LaneState(const std::vector<float>& values, const std::string& item)>;

struct History {
  std::vector<LaneSpan> spans;
  std::vector<std::string> items;  ///< that have it
};

bool is_same(const std::vector<LaneSpan>& a, const std::vector<LaneSpan>& b) {
  return std::ranges::equal(a, b, [](const LaneSpan& one, const LaneSpan& other) {
    return one.begin_s == other.begin_s && one.state == other.state && one.words == other.words;
  });
}

/// "cdu pump a" of "cdu_3.pump_a": only what is alike shares a lane.
std::string kind_of(const std::string& name) {
  std::string kind;
  std::ranges::copy_if(name, std::back_inserter(kind), [](char c) { return c < '0' || c > '9'; });
  return kind.substr(0, kind.find("pump") == std::string::npos ? kind.size() : kind.find("pump") + 4);
}

class Lanes {
 public:
  Lanes(const ResultsReader& results, double end_s) : results_(results), end_s_(end_s) {}

  /// Items of a table; `words` for a state where they are not the usual ones.
  void add(const std::string& group, const std::vector<std::string>& columns, const StateOf& state_of,
           const std::map<LaneState, std::string>& words = {}) {
    if (!results_.has_table(group)) return;
    if (!std::ranges::all_of(columns, [&](const std::string& name) { return results_.has_column(group, name); }))
      return;
    const TableSpec table = results_.table(group);
    std::vector<double> times_s = results_.times_s(group);
    const auto spec = std::ranges::find(table.columns, columns.front(), &ColumnSpec::name);
    if (spec->is_mean && times_s.size() > 1)
      std::shift_right(times_s.begin(), times_s.end(), 1);  // it begins before its row
    std::vector<std::vector<float>> values;
    for (const std::string& column : columns) values.push_back(results_.column(group, column));
    const std::size_t count = table.item_count();
    for (std::size_t item = 0; item < count; ++item) {
      const std::string name = item < table.items.size() ? table.items[item] : std::string(gpus);
      std::vector<LaneState> states;
      for (std::size_t row = 0; row < times_s.size(); ++row) {
        std::vector<float> at;
        for (const std::vector<float>& column : values) at.push_back(column[row * count + item]);
        states.push_back(state_of(at, name));
      }
      keep(name, lane_spans(times_s, states, end_s_), words);
    }
  }

  /// What is wrong with something of a part; each time it is, by itself.
  void add(const EquipmentFault& fault, double begin_s) {
    std::vector<LaneSpan> spans;
    if (fault.begin_s > begin_s) spans.push_back({begin_s, fault.begin_s, LaneState::runs, "sound"});
    spans.push_back({fault.begin_s, std::min(fault.end_s, end_s_), LaneState::failed, fault.words});
    if (fault.end_s < end_s_) spans.push_back({fault.end_s, end_s_, LaneState::runs, "sound"});
    const std::string name = fault.thing.empty() ? fault.part : fault.part + "." + fault.thing;
    keep(name, std::move(spans), {});
  }

  /// What may not start, in a run in which something changed that it could have stood in for.
  void add_disabled(const std::set<std::string, std::less<>>& items, double begin_s) {
    if (histories_.empty()) return;
    for (const std::string& item : items) keep(item, {{begin_s, end_s_, LaneState::disabled, {}}}, {});
  }

  /// Of those that change at one time in the order in which they were added, causes first; GPUs, which were added last, always.
  std::vector<Lane> take(std::size_t most) {
    std::ranges::stable_sort(histories_,
                             [](const History& a, const History& b) { return changes_s(a) < changes_s(b); });
    while (histories_.size() > most) {
      const auto last = std::ranges::find_if(histories_.rbegin(), histories_.rend(),
                                             [](const History& history) { return history.items.front() != gpus; });
      histories_.erase(std::next(last).base());
    }
    std::vector<Lane> lanes;
    for (History& history : histories_) lanes.push_back({display_names(history.items), std::move(history.spans)});
    return lanes;
  }

 private:
  /// That a UPS gives nothing while its switch is open or it has failed, which its lane says already.
  bool is_said_otherwise(const std::string& item, const std::vector<LaneSpan>& spans) const {
    const bool is_on_battery =
        std::ranges::any_of(spans, [](const LaneSpan& span) { return span.state == LaneState::on_battery; });
    return !is_on_battery && std::ranges::any_of(histories_, [&](const History& known) {
      return std::ranges::count(known.items, item) > 0;
    });
  }

  static double changes_s(const History& history) { return history.spans.size() < 2 ? 0.0 : history.spans[1].begin_s; }

  void keep(const std::string& item, std::vector<LaneSpan> spans, const std::map<LaneState, std::string>& words) {
    const bool is_reported_anyway =
        spans.front().state == LaneState::failed || spans.front().state == LaneState::disabled;
    if (spans.size() < 2 && !is_reported_anyway) return;
    if (is_said_otherwise(item, spans)) return;
    for (LaneSpan& span : spans) {
      const auto said = words.find(span.state);
      if (said != words.end()) span.words = said->second;
    }
    const auto same = std::ranges::find_if(histories_, [&](const History& known) {
      return kind_of(known.items.front()) == kind_of(item) && is_same(known.spans, spans);
    });
    if (same == histories_.end())
      histories_.push_back({std::move(spans), {item}});
    else
      same->items.push_back(item);
  }

  const ResultsReader& results_;
  double end_s_;
  std::vector<History> histories_;
};

constexpr float off = 0.0F, on = 1.0F, failed = 2.0F;  ///< of the columns `state`

LaneState motor_state(const std::vector<float>& values, const std::string&) {
  if (!std::isfinite(values[0])) return LaneState::not_recorded;
  if (values[0] >= failed) return LaneState::failed;
  return values[0] < on ? LaneState::stands : LaneState::runs;  // though it may still coast or has just begun to turn
}

/// Of UPS: what batteries give, and what they and the input give together.
LaneState battery_state(const std::vector<float>& values, const std::string&) {
  constexpr float gives_w = 1.0F;
  if (!std::isfinite(values[0])) return LaneState::not_recorded;
  if (values[0] > gives_w) return LaneState::on_battery;
  return values[1] > gives_w ? LaneState::runs : LaneState::off;
}

LaneState mode_state(const std::vector<float>& values, const std::string&) {
  if (!std::isfinite(values[0])) return LaneState::not_recorded;
  if (values[0] == off) return LaneState::stands;
  return values[0] == on ? LaneState::partly : LaneState::runs;
}

/// Of `gpu_count` GPUs in all; 0 where that is not known.
LaneState gpu_state(const std::vector<float>& values, std::size_t gpu_count) {
  if (!std::isfinite(values[0] + values[1])) return LaneState::not_recorded;
  if (gpu_count > 0 && values[1] >= static_cast<float>(gpu_count)) return LaneState::off;
  if (values[1] > 0.0F) return LaneState::off_in_part;
  return values[0] > 0.0F ? LaneState::slowed : LaneState::runs;
}

std::set<std::string> standby_sets(const ResultsReader& results) {
  std::set<std::string> names;
  if (results.has_table("generators")) {
    const TableSpec table = results.table("generators");
    names.insert(table.items.begin(), table.items.end());
  }
  return names;
}

}  // namespace

std::vector<Lane> equipment_lanes(const ResultsReader& results, std::size_t most) {
  if (!results.has_table("facility")) return {};
  const std::vector<double> times_s = results.times_s("facility");
  if (times_s.empty()) return {};
  Lanes lanes(results, std::max(times_s.back(), results.summary_number("simulated_time").value_or(0.0)));
  const std::set<std::string> standby = standby_sets(results);
  lanes.add("breakers", {"state"},
            [&](const std::vector<float>& values, const std::string& name) {
              if (!std::isfinite(values[0])) return LaneState::not_recorded;
              if (values[0] >= failed) return LaneState::failed;
              if (values[0] >= on) return LaneState::runs;
              return standby.contains(name) ? LaneState::stands : LaneState::off;
            },
            {{LaneState::off, "open"}});
  lanes.add("ups", {"battery_power", "power"}, battery_state, {{LaneState::off, "off"}});
  lanes.add_disabled(disabled_generators(results), times_s.front());
  for (const EquipmentFault& fault : equipment_faults(results)) lanes.add(fault, times_s.front());
  lanes.add("motors", {"state"}, motor_state);
  lanes.add("economisers", {"mode"}, mode_state,
            {{LaneState::stands, "mechanical"}, {LaneState::partly, "partial"}, {LaneState::runs, "full"}});
  const std::size_t gpu_count = results.layout_count("gpu");
  lanes.add("facility", {"throttled_gpus", std::string(down_gpus_column(results, "facility"))},
            [&](const std::vector<float>& values, const std::string&) { return gpu_state(values, gpu_count); },
            {{LaneState::off, "all down"}, {LaneState::slowed, "some throttled"}, {LaneState::runs, "all work"}});
  return lanes.take(most);
}

std::string equipment_lanes_picture(const ResultsReader& results) {
  const std::vector<double> times_s =
      results.has_table("facility") ? results.times_s("facility") : std::vector<double>();
  if (times_s.empty()) return {};
  const std::vector<Lane> lanes = equipment_lanes(results);
  return in_both_widths([&](DrawingWidth width) { return swim_lanes(lanes, times_s.front(), times_s.back(), width); });
}

}  // namespace wattloop::twin
