#include "viz/hall/condition.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <string_view>

#include "twin/drawings/names/display_name.hpp"
#include "twin/report/events/boxes_beyond.hpp"
#include "twin/results/reader/disabled_generators.hpp"
#include "twin/results/reader/equipment_faults.hpp"
#include "twin/results/reader/openings.hpp"
#include "twin/results/reader/records_at.hpp"
#include "viz/drawing/page_words.hpp"
#include "viz/hall/scene.hpp"

namespace wattloop::viz {
namespace {

// docs/results_format.md: states of motors and of switches.
constexpr float off = 0.0F, failed = 2.0F;

using States = twin::PartStates;

/// Shares of each rack's GPUs whose nodes are down, and that are throttled.
void mark_racks(Scene& scene, const twin::ResultsReader& results, std::span<const twin::LayoutBox> layout) {
  const std::string down(twin::down_gpus_column(results, "racks"));
  const std::vector<float> off_gpus = values_at(results, "racks", down, scene.time_s),
                           throttled_gpus = values_at(results, "racks", "throttled_gpus", scene.time_s);
  std::map<std::string, double, std::less<>> gpus;
  for (const twin::LayoutBox& box : layout)
    if (box.kind == "gpu") gpus[box.name.substr(0, box.name.find(".node_"))] += 1.0;
  std::size_t rack = 0;
  const auto share = [&](const std::vector<float>& of, const std::string& name) {
    const double all = gpus[name];
    return rack < of.size() && all > 0.0 ? std::clamp(double(of[rack]) / all, 0.0, 1.0) : 0.0;
  };
  for (SceneBox& shown : scene.boxes) {
    if (shown.box.kind != "rack") continue;
    shown.off_fraction = share(off_gpus, shown.box.name);
    shown.throttled_fraction = share(throttled_gpus, shown.box.name);
    ++rack;
  }
}

std::string verb(std::size_t count, const char* one, const char* several) { return count == 1 ? one : several; }

/// "both feeds are open": what stands between the utility and the hall.
void add_power(std::vector<std::string>& wrong, const States& switches) {
  std::vector<std::string> open, all, broken;
  for (const auto& [name, state] : switches) {
    const bool is_feed = name.starts_with("utility") || name.starts_with("feed");
    if (is_feed) all.push_back(name);
    if (is_feed && state != 1.0F) open.push_back(name);
    if (!is_feed && state == failed) broken.push_back(name);
  }
  if (!open.empty()) {
    const std::string feeds = all.size() == 1 ? "the utility feed is"
                              : open.size() == all.size()
                                  ? all.size() == 2 ? "both utility feeds are" : "all utility feeds are"
                                  : twin::display_names(open) + verb(open.size(), " is", " are");
    wrong.push_back(feeds + " open");
  }
  if (!broken.empty()) wrong.push_back(twin::display_names(broken) + " failed");
}

/// "UPS a tripped": what is open and was opened; a source that rests or a tie that no one touched is nothing wrong.
void add_opened(std::vector<std::string>& wrong, const twin::ResultsReader& results, double time_s,
                const States& switches) {
  std::map<std::string, std::vector<std::string>, std::greater<>> names;  // by how, what tripped first
  for (const auto& [name, how] : twin::openings_at(results, time_s)) {
    const auto state = switches.find(name);
    const bool is_feed = name.starts_with("utility") || name.starts_with("feed");
    if (!is_feed && state != switches.end() && state->second == off) names[how].push_back(name);
  }
  for (const auto& [how, of] : names)
    wrong.push_back(twin::display_names(of) + (how == "open" ? verb(of.size(), " is open", " are open") : " " + how));
}

/// "UPS a and b on battery", "UPS a: battery empty".
void add_batteries(std::vector<std::string>& wrong, const twin::ResultsReader& results, double time_s) {
  if (!results.has_table("ups")) return;
  constexpr float gives_w = 1.0F, empty = 1e-3F;
  const std::vector<std::string> names = results.table("ups").items;
  const std::vector<float> battery_w = values_at(results, "ups", "battery_power", time_s),
                           power_w = values_at(results, "ups", "power", time_s),
                           charge = values_at(results, "ups", "state_of_charge", time_s);
  std::vector<std::string> giving, drained;
  for (std::size_t i = 0; i < std::min(names.size(), battery_w.size()); ++i) {
    if (battery_w[i] > gives_w) giving.push_back(names[i]);
    const bool is_dead = i < power_w.size() && i < charge.size() && power_w[i] <= gives_w && charge[i] <= empty;
    if (is_dead) drained.push_back(names[i]);
  }
  if (!giving.empty()) wrong.push_back(twin::display_names(giving) + " on battery");
  if (!drained.empty())
    wrong.push_back(twin::display_names(drained) + verb(drained.size(), ": battery empty", ": batteries empty"));
}

void add_broken_machines(std::vector<std::string>& wrong, const States& motors) {
  std::vector<std::string> broken;
  for (const auto& [name, state] : motors)
    if (state == failed) broken.push_back(name);
  if (!broken.empty()) wrong.push_back(twin::display_names(broken) + " failed");
}

void add_idle_machines(std::vector<std::string>& wrong, const Scene& scene) {
  std::vector<std::string> idle, dead;
  for (const SceneBox& shown : scene.boxes) {
    if (shown.box.kind == "cdu" && shown.condition == Condition::idle) idle.push_back(shown.box.name);
    if (shown.condition == Condition::dead) dead.push_back(shown.box.name);
  }
  if (!dead.empty()) wrong.push_back(twin::display_names(dead) + " without power");
  if (!idle.empty()) wrong.push_back(twin::display_names(idle) + verb(idle.size(), " is idle", " are idle"));
}

/// Why nodes that firmware did not switch off may be down: some had failed in this run.
const char* down_words(const twin::ResultsReader& results, double time_s) {
  const std::vector<twin::EventRecord> events = results.events();
  const bool have_failed = std::ranges::any_of(
      events, [&](const twin::EventRecord& event) { return event.kind == "failure" && event.time_s <= time_s; });
  return have_failed ? "down (failed, booting or without power)" : "without power or booting";
}

void add_consequences(std::vector<std::string>& wrong, const Scene& scene, const twin::ResultsReader& results) {
  std::vector<std::string> still;
  for (const LoopNow& loop : scene.loops)
    if (loop.is_still) still.push_back(loop.name);
  if (!still.empty()) wrong.push_back("no flow in " + twin::display_names(still));
  const std::string dies = results.has_column("facility", "shut_down_gpus") ? "facility" : "racks";
  const auto count = [&](std::string_view column) {
    double sum = 0.0;
    for (const float value : values_at(results, dies, std::string(column), scene.time_s))
      if (std::isfinite(value)) sum += value;
    return sum;
  };
  const double off_gpus = count("shut_down_gpus"), down_gpus = count(twin::down_gpus_column(results, dies));
  for (const auto& [gpus, words] : {std::pair(off_gpus, "off"),
                                    {down_gpus - off_gpus, down_words(results, scene.time_s)},
                                    {count("throttled_gpus"), "throttled"}})
    if (gpus >= 0.5) wrong.push_back(fmt::format("{:.0f} {} {}", gpus, gpus < 1.5 ? "GPU" : "GPUs", words));
}

/// "Tower 1: fan stopped", "row 2, rack 7: coolant clogged to 50 %".
void add_faults(Scene& scene, const twin::ResultsReader& results) {
  const std::vector<twin::EquipmentFault> faults = twin::equipment_faults_at(results, scene.time_s);
  std::set<std::pair<std::string, std::string>> reported;
  for (const twin::EquipmentFault& fault : faults) {
    if (!reported.insert({fault.part, fault.words}).second) continue;
    std::vector<std::string> things;  // "UPS a: module 1 to 3 out"
    for (const twin::EquipmentFault& one : faults)
      if (one.part == fault.part && one.words == fault.words) things.push_back(one.thing);
    const std::string thing = twin::display_names(things);
    scene.wrong.push_back(twin::display_name(fault.part) + (thing.empty() ? " " : ": " + thing + " ") + fault.words);
  }
}

/// The worst of it where nothing else is wrong or there is but one, else how many.
void add_limits(std::vector<std::string>& wrong, const twin::LimitsBeyond& beyond) {
  const bool is_named = wrong.empty() || beyond.count == 1;
  if (beyond.count > 0 && is_named) wrong.push_back(with_degrees(beyond.worst));
  const std::size_t rest = beyond.count - (beyond.count > 0 && is_named ? 1 : 0);
  if (rest == 0) return;
  const char* more = is_named ? "more " : "";
  wrong.push_back(fmt::format("{} {}{} exceeded now", rest, more, verb(rest, "limit", "limits")));
}

}  // namespace

void read_conditions(Scene& scene, const twin::ResultsReader& results, std::span<const twin::LayoutBox> layout) {
  const States motors = twin::states_at(results, "motors", scene.time_s),
               switches = twin::states_at(results, "breakers", scene.time_s);
  const twin::PartConditions conditions(results, scene.time_s);
  const auto disabled = twin::disabled_generators(results);
  const twin::BoxesBeyond beyond = twin::boxes_beyond(twin::exceeded_limits_at(results, scene.time_s), layout);
  constexpr std::array<std::string_view, 7> without{"rack", "network_rack", "storage_rack", "node",
                                                    "gpu",  "supply_pipe",  "return_pipe"};
  for (SceneBox& shown : scene.boxes) {
    const bool has_motors = std::ranges::find(without, shown.box.kind) == without.end();
    shown.condition = has_motors ? conditions.of(shown.box.name) : conditions.by_faults(shown.box.name);
    shown.is_disabled = disabled.contains(shown.box.name);
    if (const auto found = beyond.find(shown.box.name); found != beyond.end())
      shown.beyond = with_degrees(found->second);
  }
  mark_racks(scene, results, layout);
  add_power(scene.wrong, switches);
  add_broken_machines(scene.wrong, motors);
  add_faults(scene, results);
  add_opened(scene.wrong, results, scene.time_s, switches);
  add_batteries(scene.wrong, results, scene.time_s);
  add_idle_machines(scene.wrong, scene);
  add_consequences(scene.wrong, scene, results);
  add_limits(scene.wrong, twin::limits_beyond_at(results, scene.time_s));
}

}  // namespace wattloop::viz
