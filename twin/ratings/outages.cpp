// What `wattloop check` takes out, one at a time: a machine of those that there are several of, a block of several, modules that are to spare, the feeds.

#include <algorithm>
#include <array>
#include <map>
#include <ranges>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/parts/fault_setting.hpp"
#include "twin/planning/events/fault_events.hpp"
#include "twin/ratings/nameplate_hall.hpp"
#include "twin/ratings/part_list.hpp"
#include "twin/ratings/power/redundant_parts.hpp"
#include "twin/ratings/rated_loads.hpp"

namespace wattloop::twin {

namespace {

using Names = std::vector<std::string>;
using OutageKind = Outage::Kind;

/// Which outage is reported where several are as bad: the one nearest to the racks; kinds that are not here come last.
constexpr std::array<std::string_view, 6> nearest_to_racks{"CDU", "air handler", "chiller", "tower cell", "pump", ""};

EventSpec event(EventSpec::Kind kind, Names targets) {
  EventSpec spec;
  spec.kind = kind;
  spec.targets = std::move(targets);
  return spec;
}

EventSpec fail(Names targets) { return event(EventSpec::Kind::fail, std::move(targets)); }
EventSpec open(Names targets) { return event(EventSpec::Kind::open, std::move(targets)); }

void add_machine(const std::string& name, std::vector<Outage>& list) {
  list.push_back({OutageKind::machine, name, {fail({name})}});
}

/// Parts of a kind and a rating that hang on the same, so that one stands for each.
struct Alike {
  std::string first;
  std::string place;         ///< with others of its kind, whatever their rating
  std::size_t served = 0;    ///< parts that hang on what they hang on
  bool is_of_water = false;  ///< of one by name, which no other stands for
};

std::map<std::string, Alike> alike_parts(const Plant& plant, std::map<std::string, std::size_t>& count_at) {
  std::set<std::string> failing, waters;
  std::map<std::string, std::size_t> hanging;
  for (const NamedPart& part : plant.named) {
    if (!part.motors.empty()) failing.insert(part.name);
    if (part.kind == "water system") waters.insert(part.name);
    for (const std::string& on : part.hangs_on) ++hanging[on];
  }
  std::map<std::string, double> rated_w;
  for (const RatedLoad& load : rated_loads(plant)) rated_w[load.name] = load.rated_w;
  std::map<std::string, Alike> found;
  for (const NamedPart& part : plant.named) {
    const auto fails = [&](const std::string& on) { return failing.contains(on); };
    if (part.motors.empty() || std::ranges::any_of(part.hangs_on, fails)) continue;
    const std::string place = fmt::format("{} on {}", part.kind, fmt::join(part.hangs_on, ", "));
    ++count_at[place];
    const std::size_t served = part.hangs_on.empty() ? 0 : hanging.at(part.hangs_on.front());
    const bool is_of_water = !part.hangs_on.empty() && waters.contains(part.hangs_on.front());
    found.try_emplace(fmt::format("{} of {} W", place, rated_w[part.name]),
                      Alike{part.name, place, served, is_of_water});
  }
  return found;
}

/// Of machines that share their work one of each rating; of loops that are alike one of the fullest, because the others carry less. Parts
/// of machines fail with them.
void add_machines(const Plant& plant, std::vector<Outage>& list) {
  std::map<std::string, std::size_t> count_at;
  const std::map<std::string, Alike> by_place = alike_parts(plant, count_at);
  std::map<std::string, const Alike*> fullest;  // of places that differ in numbers alone
  for (const auto& [place, alike] : by_place) {
    if (count_at.at(alike.place) < 2) continue;
    const std::string rating = place.substr(alike.place.size());
    const Alike*& known = fullest[(alike.is_of_water ? alike.place : without_numbers(alike.place)) + rating];
    if (known == nullptr || alike.served > known->served) known = &alike;
  }
  std::set<std::string> out;
  for (const auto& [places, alike] : fullest) out.insert(alike->first);
  for (const std::string_view kind : nearest_to_racks) {
    for (const NamedPart& part : plant.named) {
      const bool is_of_kind =
          kind.empty() ? std::ranges::find(nearest_to_racks, part.kind) == nearest_to_racks.end() : part.kind == kind;
      if (is_of_kind && out.contains(part.name)) add_machine(part.name, list);
    }
  }
}

/// Valves of CDUs and of coils, where the water through them is pumped here.
void add_open_valves(const Plant& plant, std::vector<Outage>& list) {
  Names valves;
  for (const NamedPart& part : plant.named) {
    if (part.kind != "CDU" && part.kind != "air handler") continue;
    const std::string position = fmt::format("{}.valve.{}", part.name, stuck_at.name);
    const bool is_control_valve =
        std::ranges::find(plant.settings, position, &SettingPart::name) != plant.settings.end();
    if (is_control_valve && system_named(plant, part.hangs_on.back()).is_own()) valves.push_back(position);
  }
  if (valves.empty()) return;
  EventSpec spec = event(EventSpec::Kind::set, valves);
  spec.to_si = 1.0;
  list.push_back({OutageKind::valves, std::string(open_valves), {spec}});
}

/// All feeds, or all but one.
Names feeds_of(const electrical::PowerTree& tree, std::string_view without = {}) {
  Names names;
  for (std::size_t source = 0; source < tree.source_name.size(); ++source) {
    const std::string& name = tree.source_name[source];
    if (tree.source_is_standby[source] == 0 && name != without) names.push_back(name);
  }
  return names;
}

/// Each block on which loads hang that hang on others, too; and then the feeds of those.
void add_blocks(const Plant& plant, bool are_standby, std::vector<Outage>& list) {
  for (const BlockPart& block : plant.blocks) {
    const EventSpec lost = fail(block.members);
    const Names others = feeds_of(plant.power_tree, block.feed);
    list.push_back({OutageKind::side, block.text, {lost}});
    if (!are_standby || others.empty()) continue;
    const std::string feeds = others.size() == 1 ? fmt::format("feed {}", others.front().substr(8)) : "the other feeds";
    list.push_back({OutageKind::feeds, fmt::format("{}, {}", block.text, feeds), {lost, open(others)}});
  }
}

/// As many modules as are to spare, of each branch of which that is said; of others one, where what they carry without it follows from a loop.
void add_modules(const Plant& plant, std::vector<Outage>& list) {
  const electrical::PowerTree& tree = plant.power_tree;
  const std::vector<std::uint8_t> is_in_loop = branches_in_loops(plant);
  for (std::size_t branch = 0; branch < tree.branch_name.size(); ++branch) {
    const int all = tree.branch_modules[branch];
    const bool is_said = tree.branch_spare_modules[branch] != electrical::not_said;
    const int spare = is_said ? tree.branch_spare_modules[branch] : is_in_loop[branch] != 0 && all > 1 ? 1 : 0;
    if (spare < 1) continue;
    const auto first = tree.module_name.begin() + static_cast<std::ptrdiff_t>(tree.branch_first_module[branch]);
    const Names out(first, first + spare);
    list.push_back(
        {OutageKind::module,
         spare == 1 ? out.front() : fmt::format("{} of {} modules of {}", spare, all, tree.branch_name[branch]),
         {fail(out)}});
  }
}

void add_power(const Plant& plant, std::vector<Outage>& list) {
  const electrical::PowerTree& tree = plant.power_tree;
  const Names feeds = feeds_of(tree);
  const std::string all_feeds = feeds.size() > 2 ? "all feeds" : feeds.size() > 1 ? "both feeds" : "the feed";
  const auto is_enabled = [](const StandbyPart& part) { return part.is_enabled; };
  const bool are_standby = std::ranges::any_of(plant.standby, is_enabled);
  if (are_standby) list.push_back({OutageKind::feeds, all_feeds, {open(feeds)}});
  for (const StandbyPart& part : plant.standby) {
    const std::string& first = tree.source_name[part.sources.front()];
    if (!part.is_enabled || part.sources.size() == 1) continue;
    list.push_back({OutageKind::start, fmt::format("{}, {}", all_feeds, first), {open(feeds), fail({first})}});
  }
  add_blocks(plant, are_standby, list);
  for (const std::string& name : redundant_parts(plant)) add_machine(name, list);
  add_modules(plant, list);
}

}  // namespace

std::string with_out(std::string_view out) {
  if (out == Outage{}.text) return {};
  return out == open_valves ? fmt::format("with {}, ", out) : fmt::format("with {} out, ", out);
}

std::string with_any_out(const std::vector<std::string>& outs, std::size_t most_named) {
  std::vector<std::string> ways, out;
  for (const std::string& text : outs) {
    if (text != Outage{}.text && text != open_valves) out.push_back(text);
  }
  if (std::ranges::count(outs, Outage{}.text) > 0) ways.emplace_back("with nothing out");
  if (!out.empty()) {
    std::string named = fmt::format("{}", fmt::join(out | std::views::take(most_named), " or "));
    if (out.size() > most_named) named += fmt::format(" or any of {} more", out.size() - most_named);
    ways.push_back(fmt::format("with {} out", named));
  }
  if (std::ranges::count(outs, open_valves) > 0) ways.push_back(fmt::format("with {}", open_valves));
  const bool is_whole = out.empty() && ways.size() == 1 && outs.front() == Outage{}.text;
  return ways.empty() || is_whole ? std::string() : fmt::format("{}, ", fmt::join(ways, ", or "));
}

std::vector<Outage> outages(const Plant& plant) {
  std::vector<Outage> list{Outage{}};
  add_power(plant, list);
  add_machines(plant, list);
  add_open_valves(plant, list);
  return list;
}

}  // namespace wattloop::twin
