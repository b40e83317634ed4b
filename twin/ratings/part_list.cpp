#include "twin/ratings/part_list.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "core/units.hpp"
#include "electrical/electrical_catalog.hpp"
#include "twin/ratings/rated_loads.hpp"

namespace wattloop::twin {

namespace {

const std::vector<std::string> failing{"fail", "restore"};

/// What may happen to equipment of the power tree.
std::vector<std::string> events_of(std::string_view kind) {
  std::vector<std::string> events;
  for (const PartEvent event : electrical::electrical_kind(kind).events) events.emplace_back(name_of(event));
  return events;
}

class Lister {
 public:
  explicit Lister(const Plant& plant) : plant_(plant), hall_(plant.hall) {
    for (const RatedLoad& load : rated_loads(plant)) rated_w_[load.name] = load.rated_w;
  }

  std::vector<PartRow> list() {
    add_racks();
    add_coolant();
    add_water();
    add_air();
    for (const NamedPart& part : plant_.named) {
      const bool has_motor = part.load != no_part;
      add(part.name, part.kind, has_motor ? with_cords(part.hangs_on, part.load) : part.hangs_on,
          has_motor ? failing : std::vector<std::string>{});
    }
    add_power();
    return std::move(rows_);
  }

 private:
  void add(std::string name, std::string kind, std::vector<std::string> hangs_on,
           std::vector<std::string> events = {}) {
    for (const SettingPart& setting : hall_.settings) {
      const std::size_t dot = setting.name.rfind('.');
      if (setting.name.substr(0, dot) == name) events.push_back("set " + setting.name.substr(dot + 1));
    }
    std::erase(hangs_on, "");
    const auto rated = rated_w_.find(name);
    rows_.push_back({std::move(name), std::move(kind), std::move(hangs_on), std::move(events),
                     rated == rated_w_.end() ? 0.0 : rated->second});
  }

  /// What carries a bus: the first of its branches and sources, as declared.
  std::string carrier_of(int bus) const {
    const electrical::PowerTree& tree = plant_.power_tree;
    for (std::size_t b = 0; b < tree.branch_name.size(); ++b) {
      if (tree.branch_to[b] == bus && tree.branch_normally_closed[b] != 0) return tree.branch_name[b];
    }
    for (std::size_t s = 0; s < tree.source_name.size(); ++s) {
      if (tree.source_bus[s] == bus && tree.source_is_standby[s] == 0) return tree.source_name[s];
    }
    return {};
  }

  std::vector<std::string> with_cords(std::vector<std::string> hangs_on, std::size_t load) const {
    for (const int bus : plant_.power_tree.load_bus[load]) {
      if (bus != electrical::no_bus) hangs_on.push_back(carrier_of(bus));
    }
    return hangs_on;
  }

  void add_motor(const MotorPart& motor, std::string kind, std::vector<std::string> hangs_on) {
    add(motor.name, std::move(kind), with_cords(std::move(hangs_on), motor.load), failing);
  }

  void add_racks() {
    for (const RackPart& rack : hall_.racks) {
      add(rack.name, "rack",
          with_cords({hall_.loops[rack.loop].name, hall_.chilled_water.name, hall_.rows[rack.row].name}, rack.load));
    }
    for (const NetworkRackPart& rack : hall_.network_racks) {
      add(rack.name, "network rack", with_cords({hall_.chilled_water.name, hall_.rows[rack.row].name}, rack.load));
    }
    for (const RowPart& row : hall_.rows) add(row.name, "row", {hall_.rooms.empty() ? "" : hall_.rooms.front().name});
  }

  void add_coolant() {
    for (const LoopPart& loop : hall_.loops) add(loop.name, "coolant loop", {hall_.facility.name});
    for (const CduPart& cdu : hall_.cdus) {
      add(cdu.name, "CDU", {hall_.loops[cdu.loop].name, hall_.facility.name},
          cdu.pumps.empty() ? std::vector<std::string>{} : failing);
    }
    for (const PumpPart& pump : hall_.pumps) add_motor(hall_.motors[pump.motor], "pump", {hall_.cdus[pump.cdu].name});
  }

  void add_water() {
    for (const WaterPart* water : {&hall_.facility, &hall_.chilled_water}) {
      if (water->name.empty()) continue;
      std::vector<std::string> source;
      if (water == &hall_.facility && !hall_.towers.empty()) source = {"towers"};
      if (water == &hall_.chilled_water && !hall_.chillers.empty()) source = {"chillers"};
      add(water->name, "water system",
          source.empty() && !is_own(*water) ? std::vector<std::string>{"held temperature"} : source);
      for (const std::size_t pump : water->pumps) add_motor(hall_.motors[pump], "pump", {water->name});
    }
    const bool has_door_setting = std::ranges::any_of(
        hall_.settings, [](const SettingPart& setting) { return setting.name.starts_with("rear_doors."); });
    if (has_door_setting && hall_.chilled_water.name != "rear_doors")
      add("rear_doors", "rear doors", {hall_.chilled_water.name});
    for (const TowerPart& tower : hall_.towers) {
      add_motor(hall_.motors[tower.motor], "tower cell", {hall_.facility.name, "weather"});
    }
    for (const ChillerPart& chiller : hall_.chillers) {
      add_motor(hall_.motors[chiller.motor], "chiller", {hall_.chilled_water.name, hall_.facility.name});
    }
  }

  void add_air() {
    for (const RoomPart& room : hall_.rooms) add(room.name, "room", {});
    for (const CrahPart& crah : hall_.crahs) {
      add_motor(hall_.motors[crah.motor], "air handler", {hall_.rooms[crah.room].name, hall_.chilled_water.name});
    }
  }

  void add_power() {
    const electrical::PowerTree& tree = plant_.power_tree;
    for (std::size_t s = 0; s < tree.source_name.size(); ++s) {
      add(tree.source_name[s], std::string(tree.source_kind[s]), {}, events_of(tree.source_kind[s]));
    }
    for (std::size_t b = 0; b < tree.branch_name.size(); ++b) {
      add(tree.branch_name[b], std::string(tree.branch_kind[b]), {carrier_of(tree.branch_from[b])},
          events_of(tree.branch_kind[b]));
    }
  }

  const Plant& plant_;
  const HallParts& hall_;
  std::map<std::string, double> rated_w_;
  std::vector<PartRow> rows_;
};

/// The name with all its numbers left out: what parts that are alike have in common.
std::string without_numbers(const std::string& text) {
  std::string common;
  for (const char c : text) {
    if (std::isdigit(static_cast<unsigned char>(c)) == 0)
      common += c;
    else if (common.empty() || common.back() != '#')
      common += '#';
  }
  return common;
}

std::string joined(const std::vector<std::string>& texts) { return fmt::format("{}", fmt::join(texts, ", ")); }

/// Parts that differ in numbers alone.
struct Alike {
  std::vector<const PartRow*> parts;

  const PartRow& first() const { return *parts.front(); }
  const PartRow& last() const { return *parts.back(); }
};

bool are_alike(const PartRow& a, const PartRow& b) {
  return a.kind == b.kind && a.events == b.events && a.rated_w == b.rated_w &&
         without_numbers(a.name) == without_numbers(b.name) &&
         without_numbers(joined(a.hangs_on)) == without_numbers(joined(b.hangs_on));
}

/// "pdu_a_1 to pdu_a_8", "loop_1" where both are the same.
std::string range_text(const std::string& first, const std::string& last) {
  return first == last ? first : first + " to " + last;
}

/// The one number in a name; none where there are more, or none.
std::optional<int> only_number(const std::string& name) {
  const auto is_digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
  const auto begin = std::ranges::find_if(name, is_digit), end = std::find_if_not(begin, name.end(), is_digit);
  if (begin == name.end() || std::find_if(end, name.end(), is_digit) != name.end()) return std::nullopt;
  return std::stoi(std::string(begin, end));
}

/// The names as a range, one by one where numbers are left out between.
std::string names_text(const Alike& alike) {
  const auto first = only_number(alike.first().name), last = only_number(alike.last().name);
  if (first && last && static_cast<std::size_t>(*last - *first) + 1 != alike.parts.size()) {
    std::vector<std::string> names;
    for (const PartRow* part : alike.parts) names.push_back(part->name);
    return joined(names);
  }
  return range_text(alike.first().name, alike.last().name);
}

std::string hangs_on_text(const Alike& alike) {
  std::vector<std::string> texts;
  for (std::size_t k = 0; k < alike.first().hangs_on.size(); ++k)
    texts.push_back(range_text(alike.first().hangs_on[k], alike.last().hangs_on[k]));
  return joined(texts);
}

}  // namespace

std::vector<PartRow> part_list(const Plant& plant) { return Lister(plant).list(); }

std::string part_table(const std::vector<PartRow>& parts) {
  std::vector<Alike> groups;
  for (const PartRow& part : parts) {
    const auto alike = std::ranges::find_if(groups, [&](const Alike& group) { return are_alike(group.first(), part); });
    if (alike == groups.end()) {
      groups.push_back({{&part}});
    } else {
      alike->parts.push_back(&part);
    }
  }
  std::string text = fmt::format("{} parts; those that differ in their numbers alone are one line\n", parts.size());
  std::string kind;
  for (const Alike& alike : groups) {
    const PartRow& part = alike.first();
    if (part.kind != kind) text += fmt::format("\n{}\n", part.kind);
    kind = part.kind;
    text += fmt::format("  {}", names_text(alike));
    if (alike.parts.size() > 1) text += fmt::format(" ({})", alike.parts.size());
    text += '\n';
    if (!part.hangs_on.empty()) text += fmt::format("    on      {}\n", hangs_on_text(alike));
    if (part.rated_w > 0.0) text += fmt::format("    rating  {}\n", format_quantity(part.rated_w, "W"));
    if (!part.events.empty()) text += fmt::format("    events  {}\n", joined(part.events));
  }
  return text;
}

}  // namespace wattloop::twin
