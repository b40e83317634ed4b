// `power.one_line` of a scenario: buses with their voltages, sources, branches, transfer switches and interlocks, by name. What
// contradicts itself is reported here; what follows from all of it together, when the hall is built.
#include <algorithm>
#include <cctype>
#include <limits>

#include <fmt/format.h>

#include "core/units/units.hpp"
#include "twin/document/map_reader.hpp"
#include "twin/scenario/sections/branch_breaker.hpp"
#include "twin/scenario/sections/one_line_rows.hpp"
#include "twin/scenario/sections/scenario_sections.hpp"

namespace wattloop::twin {

namespace {

using electrical::Branch;

Mention mention_of(const Node& node) { return {node.place, node.excerpt}; }

/// Letters, digits, _ and ., and a letter first.
bool is_component_name(const std::string& text) {
  return !text.empty() && std::isalpha(static_cast<unsigned char>(text.front())) != 0 &&
         std::ranges::all_of(text, [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '.'; });
}

/// A switch that loses nothing and carries anything.
electrical::Breaker::Params ideal_switch() {
  return {.rated_a = std::numeric_limits<double>::infinity(), .voltage_v = std::numeric_limits<double>::infinity()};
}

class OneLineReader {
 public:
  OneLineReader(OneLineSpec& spec, Problems& problems) : spec_(spec), problems_(problems) {}

  void read(const Node& map) {
    MapReader reader(map, "one_line", problems_);
    if (!reader.is_map()) return;
    spec_.is_given = true;
    each(reader.require("buses", "buses: { mv: 20 kV, lv_a: 415 V }"), "buses",
         [&](const Entry& entry) { read_bus(entry); });
    each(reader.require("sources", "sources: { utility: { bus: mv } }"), "sources",
         [&](const Entry& entry) { read_source(entry); });
    each(reader.require("branches", "branches: { transformer_a: { from: mv, to: lv_a, hardware: ... } }"), "branches",
         [&](const Entry& entry) { read_branch(entry); });
    each(reader.find("loads"), "loads", [&](const Entry& entry) { read_load(entry); });
    each(reader.find("transfers"), "transfers", [&](const Entry& entry) { read_transfer(entry); });
    each(reader.find("interlocks"), "interlocks", [&](const Entry& entry) { read_interlock(entry); });
    reader.report_unknown_keys();
  }

 private:
  template <class Read>
  void each(const Node* map, const char* key, Read read) {
    if (map == nullptr || map->is_null()) return;
    if (!map->is_map()) {
      problems_.add(problem_at(*map, fmt::format("{} is {}, expected a map by name", key, describe(*map))));
      return;
    }
    for (const Entry& entry : map->entries) {
      if (entry.value.is_null() && entry.value.is_taken_back) continue;
      if (is_component_name(entry.key.text)) {
        read(entry);
      } else {
        problems_.add(problem_at(entry.key, fmt::format("'{}' is not a valid name", entry.key.text),
                                 "begin with a letter and use letters, digits, _ and . only"));
      }
    }
  }

  /// A text that must be there.
  std::string name_in(MapReader& reader, const char* key, const char* hint, Mention& mention) {
    const Node* node = reader.require(key, hint);
    return node == nullptr ? std::string() : name_of(*node, mention);
  }
  std::string name_of(const Node& node, Mention& mention) {
    mention = mention_of(node);
    if (node.is_scalar() && !node.text.empty()) return node.text;
    problems_.add(problem_at(node, fmt::format("expected the name of a bus, found {}", describe(node))));
    return {};
  }

  template <class T>
  bool read_if(MapReader& reader, T& value, const FieldInfo& info) {
    const Node* node = reader.find(info.name);
    if (node == nullptr || node->is_null()) return false;
    read_field(*node, {&value, info}, problems_);
    return true;
  }

  void read_bus(const Entry& entry) {
    DrawnBus bus{entry.key.text, 0.0, mention_of(entry.key)};
    if (!entry.value.is_null())
      read_field(entry.value, {&bus.voltage_v, {"voltage", "V", Range::positive, {}, {}}}, problems_);
    else
      problems_.add(problem_at(entry.key, fmt::format("bus {} has no voltage", bus.name), "write lv_a: 415 V"));
    spec_.buses.push_back(std::move(bus));
  }

  void read_source(const Entry& entry) {
    MapReader reader(entry.value, entry.key.text, problems_);
    if (!reader.is_map()) return;
    DrawnSource drawn;
    drawn.source.name = entry.key.text;
    drawn.mention = mention_of(entry.key);
    drawn.source.bus = name_in(reader, "bus", "the bus that it feeds", drawn.at_bus);
    if (const Node* hardware = reader.find("hardware")) {
      if (const auto equipment = read_source_equipment(*hardware, drawn.hardware, problems_))
        drawn.source.equipment = *equipment;
      read_if(reader, drawn.is_enabled, {"enabled", {}, Range::any, {}, {}});
      drawn.source.normally_live = std::holds_alternative<electrical::UtilityFeed::Params>(drawn.source.equipment);
    } else {
      electrical::UtilityFeed::Params feed;
      read_fields(reader, field_refs(feed));
      check_feed(entry.value, feed, problems_);
      drawn.source.equipment = feed;
    }
    reader.report_unknown_keys();
    spec_.sources.push_back(std::move(drawn));
  }

  void read_load(const Entry& entry) {
    MapReader reader(entry.value, entry.key.text, problems_);
    if (!reader.is_map()) return;
    DrawnLoad load;
    load.name = entry.key.text;
    load.mention = mention_of(entry.key);
    load.bus = name_in(reader, "bus", "the bus that feeds it", load.at_bus);
    if (const Node* power = reader.require("power", "write power: 100 kW"))
      read_field(*power, {&load.power_w, {"power", "W", Range::positive, {}, {}}}, problems_);
    load.has_reactive = read_if(reader, load.reactive_va, {"reactive_power", "V A", Range::any, {}, {}});
    const Node* factor = reader.find("power_factor");
    if (factor != nullptr && load.has_reactive)
      problems_.add(problem_at(*factor, fmt::format("{} has both power_factor and reactive_power", load.name),
                               "delete one of the two"));
    else
      read_if(reader, load.power_factor, {"power_factor", "1", Range::positive_fraction, {}, {}});
    read_if(reader, load.constant_current_fraction, {"constant_current", "1", Range::fraction, {}, {}});
    read_if(reader, load.constant_impedance_fraction, {"constant_impedance", "1", Range::fraction, {}, {}});
    if (load.constant_current_fraction + load.constant_impedance_fraction > 1.0 + 1e-9)
      problems_.add(problem_at(
          entry.key, fmt::format("{}: constant_current and constant_impedance are more than 100 % together", load.name),
          "lower the shares: the share up to 100 % is constant power"));
    reader.report_unknown_keys();
    spec_.loads.push_back(std::move(load));
  }

  void read_branch(const Entry& entry) {
    MapReader reader(entry.value, entry.key.text, problems_);
    if (!reader.is_map()) return;
    DrawnBranch drawn;
    drawn.branch.name = entry.key.text;
    drawn.mention = mention_of(entry.key);
    read_ends(reader, drawn);
    read_equipment_of(reader, drawn);
    bool is_open = false;
    read_if(reader, is_open, {"open", {}, Range::any, {}, {}});
    drawn.branch.normally_closed = !is_open;
    read_rule(reader, drawn, is_open);
    const Node* breaker = reader.find("breaker");
    reader.report_unknown_keys();
    if (breaker != nullptr && !breaker->is_null()) add_breaker(*breaker, drawn, spec_, problems_);
    spec_.branches.push_back(std::move(drawn));
  }

  void read_ends(MapReader& reader, DrawnBranch& drawn) {
    const Node* between = reader.find("between");
    if (between == nullptr) {
      constexpr const char* hint =
          "write from: BUS, to: BUS; or, if the branch carries in both directions, between: [BUS, BUS]";
      drawn.branch.from = name_in(reader, "from", hint, drawn.at_from);
      drawn.branch.to = name_in(reader, "to", hint, drawn.at_to);
    } else {
      reader.redirect("from", "either from and to, or between");
      reader.redirect("to", "either from and to, or between");
      drawn.branch.goes_both_ways = true;
      if (!between->is_sequence() || between->items.size() != 2) {
        problems_.add(problem_at(*between, fmt::format("between is {}, expected two buses", describe(*between)),
                                 "write between: [lv_a, lv_b]"));
        return;
      }
      drawn.branch.from = name_of(between->items[0], drawn.at_from);
      drawn.branch.to = name_of(between->items[1], drawn.at_to);
    }
    if (drawn.branch.from == drawn.branch.to && !drawn.branch.from.empty())
      problems_.add({drawn.at_to.place,
                     fmt::format("{} leads from bus {} to itself", drawn.branch.name, drawn.branch.to),
                     "connect the branch to two different buses", drawn.at_to.excerpt});
  }

  void read_equipment_of(MapReader& reader, DrawnBranch& drawn) {
    drawn.branch.equipment = ideal_switch();
    const Node* hardware = reader.find("hardware");
    if (hardware != nullptr && !hardware->is_null()) {
      if (const auto equipment = read_equipment(*hardware, drawn.hardware, problems_))
        drawn.branch.equipment = *equipment;
      for (const char* key : {"resistance", "reactance", "rated_current"})
        reader.redirect(key, "delete this key: the hardware gives it; write with: { ... } to change its value");
    } else {
      read_impedance(reader, drawn);
    }
    reader.offer("with");
    read_if(reader, drawn.branch.modules, {"modules", {}, Range::positive, {}, {}});
    int redundant = 0;
    if (read_if(reader, redundant, {"redundant", {}, Range::non_negative, {}, {}}))
      drawn.branch.spare_modules = redundant;
    read_if(reader, drawn.room, {"room", {}, Range::any, {}, {}});
    read_length(reader, drawn);
    read_ups_keys(reader, drawn);
  }

  /// A line of which only the impedance is known: a cable of 1 m, at the voltage of its bus, without protection.
  void read_impedance(MapReader& reader, DrawnBranch& drawn) {
    electrical::Cable::Params line{.rated_a = std::numeric_limits<double>::infinity(),
                                   .voltage_v = 0.0,
                                   .resistance_ohm_per_m = 0.0,
                                   .reactance_ohm_per_m = 0.0,
                                   .length_m = 1.0,
                                   .time_multiplier_ratio = std::numeric_limits<double>::infinity()};
    const bool has_resistance =
        read_if(reader, line.resistance_ohm_per_m, {"resistance", "ohm", Range::positive, {}, {}});
    const bool has_reactance =
        read_if(reader, line.reactance_ohm_per_m, {"reactance", "ohm", Range::non_negative, {}, {}});
    const bool has_current = read_if(reader, line.rated_a, {"rated_current", "A", Range::positive, {}, {}});
    if (!has_resistance && (has_reactance || has_current))
      problems_.add({drawn.mention.place, fmt::format("{} has no resistance", drawn.branch.name),
                     "add the resistance of one conductor, for example resistance: 0.05 ohm", drawn.mention.excerpt});
    const auto bus = std::ranges::find(spec_.buses, drawn.branch.to, &DrawnBus::name);
    if (!has_resistance || bus == spec_.buses.end()) return;
    line.voltage_v = bus->voltage_v;
    drawn.branch.equipment = line;
    drawn.has_impedance = true;
  }

  void read_length(MapReader& reader, DrawnBranch& drawn) {
    auto* cable = std::get_if<electrical::Cable::Params>(&drawn.branch.equipment);
    if (cable == nullptr || drawn.has_impedance)
      return reader.redirect("length", "delete this key: only a cable has a length");
    read_if(reader, cable->length_m, {"length", "m", Range::positive, {}, {}});
    if (cable->length_m == 0.0)
      problems_.add({drawn.mention.place, fmt::format("cable {} has no length", drawn.branch.name),
                     "write length: 150 m", drawn.mention.excerpt});
  }

  void read_ups_keys(MapReader& reader, DrawnBranch& drawn) {
    const bool is_ups = std::holds_alternative<electrical::Ups::Params>(drawn.branch.equipment);
    if (!is_ups) {
      for (const char* key : {"bypass", "batteries"}) reader.redirect(key, "delete this key: only a UPS has it");
      return;
    }
    if (drawn.branch.goes_both_ways)
      problems_.add({drawn.mention.place, fmt::format("UPS {} carries in one direction only", drawn.branch.name),
                     "write from: BUS, to: BUS", drawn.mention.excerpt});
    std::string batteries = "per_module";
    read_if(reader, drawn.bypass, {"bypass", {}, Range::any, {}, "static|none"});
    read_if(reader, batteries, {"batteries", {}, Range::any, {}, "per_module|shared"});
    drawn.branch.shares_battery = batteries == "shared";
    drawn.branch.module_separator = ".module_";
  }

  void read_rule(MapReader& reader, DrawnBranch& drawn, bool is_open) {
    std::string closes = "by_hand";
    const bool is_said = read_if(reader, closes, {"closes", {}, Range::any, {}, "by_hand|when_one_is_dead"});
    drawn.closes_by_itself = closes == "when_one_is_dead";
    if (is_said && !is_open) {
      problems_.add(problem_at(*reader.find("closes"), fmt::format("{} is closed already", drawn.branch.name),
                               "write open: true for a branch that closes automatically"));
    }
    if (drawn.closes_by_itself) {
      read_if(reader, drawn.closes_after_s, {"after", "s", Range::non_negative, {}, {}});
      read_if(reader, drawn.returns_after_s, {"returns_after", "s", Range::non_negative, {}, {}});
    } else {
      for (const char* key : {"after", "returns_after"})
        reader.redirect(key, "this key needs open: true and closes: when_one_is_dead");
    }
  }

  /// Two branches into one bus: the first carries, the second while the first cannot.
  void read_transfer(const Entry& entry) {
    MapReader reader(entry.value, entry.key.text, problems_);
    if (!reader.is_map()) return;
    DrawnBranch leg;
    leg.mention = mention_of(entry.key);
    leg.branch.to = name_in(reader, "to", "the bus behind the switch", leg.at_to);
    leg.closes_after_s = 0.0;
    leg.returns_after_s = 10.0;
    read_equipment_of(reader, leg);
    read_if(reader, leg.closes_after_s, {"after", "s", Range::non_negative, {}, {}});
    read_if(reader, leg.returns_after_s, {"returns_after", "s", Range::non_negative, {}, {}});
    const Node* from = reader.require("from", "write from: [preferred bus, alternate bus]");
    reader.report_unknown_keys();
    if (from == nullptr) return;
    if (!from->is_sequence() || from->items.size() != 2) {
      problems_.add(problem_at(*from, fmt::format("from is {}, expected two buses", describe(*from)),
                               "write from: [preferred bus, alternate bus]"));
      return;
    }
    for (const std::size_t k : {0, 1}) {
      leg.branch.name = entry.key.text + (k == 0 ? ".preferred" : ".alternate");
      leg.branch.from = name_of(from->items[k], leg.at_from);
      leg.branch.normally_closed = k == 0;
      leg.closes_by_itself = k == 1;
      spec_.branches.push_back(leg);
    }
    if (same_content(from->items[0], from->items[1]))
      problems_.add(problem_at(
          from->items[1], fmt::format("{} chooses between {} and the same bus", entry.key.text, from->items[1].text)));
  }

  void read_interlock(const Entry& entry) {
    MapReader reader(entry.value, entry.key.text, problems_);
    if (!reader.is_map()) return;
    DrawnInterlock lock{entry.key.text, {}, 1, mention_of(entry.key)};
    if (const Node* of = reader.require("of", "write of: [main_a, main_b, tie]"))
      read_names(*of, lock.members, problems_);
    if (const Node* most = reader.require("at_most", "write at_most: 2, for three branches"))
      read_field(*most, {&lock.most_closed, {"at_most", {}, Range::positive, {}, {}}}, problems_);
    const int members = static_cast<int>(lock.members.names.size());
    if (members < 2)
      problems_.add(problem_at(
          entry.key, fmt::format("interlock {} names {}", lock.name, members == 0 ? "no branch" : "only one branch"),
          "name two branches or more"));
    else if (lock.most_closed >= members)
      problems_.add(problem_at(
          entry.key,
          fmt::format("interlock {} has no effect: it allows {} of {} branches", lock.name, lock.most_closed, members),
          fmt::format("write at_most: {} or less", members - 1)));
    reader.report_unknown_keys();
    spec_.interlocks.push_back(std::move(lock));
  }

  OneLineSpec& spec_;
  Problems& problems_;
};

}  // namespace

SpecialKey one_line_key(OneLineSpec& spec) {
  return {.key = "one_line",
          .doc =
              "The one-line diagram, instead of the equipment of `power` and of `blocks`: maps by name, and `cords` of "
              "all racks and motors.",
          .rows = one_line_rows(),
          .read = [&spec](const Node& map, Problems& problems) { OneLineReader(spec, problems).read(map); }};
}

}  // namespace wattloop::twin
