// What names in `on:` mean, and what has nothing to hang on.
#include <algorithm>
#include <map>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/text/nearest.hpp"
#include "twin/document/other_place.hpp"
#include "twin/scenario/checks/coil_water.hpp"
#include "twin/scenario/checks/consistency_check.hpp"

namespace wattloop::twin {

namespace {

class Hangs {
 public:
  Hangs(const Node& root, const Scenario& scenario, ReadSoFar so_far, Problems& problems)
      : root_(root), scenario_(scenario), cooling_(scenario.cooling), so_far_(so_far), problems_(problems) {}

  void check() {
    know_names();
    for (const RacksSpec& racks : scenario_.racks) check(racks);
    for (const LoopsSpec& loops : cooling_.loops)
      check_name("technology loops", {loops.on, loops.on_mention}, {"water system", water_names_}, loops.path);
    for (const ChilledWaterSpec& water : cooling_.chilled_water) {
      if (water.chillers.is_given)
        check_name(is_one(water) ? "chillers" : "chillers of " + water.name, {water.condenser, water.condenser_mention},
                   {"water system", water_names_}, water.path);
    }
    check_rooms_of_handlers();
    check_rooms_of_network();
    if (scenario_.storage_racks) check(*scenario_.storage_racks);
    for (const DoorsSpec& doors : cooling_.doors) check(doors);
    if (scenario_.network.is_given) check_door("network racks", scenario_.network.on, {"hall", "network"});
    for (const CrahsSpec& crahs : cooling_.crahs) {
      if (crahs.is_given)
        check(crahs.name.empty() ? "air handlers" : "air handlers of " + crahs.name, crahs, crahs.path);
    }
    if (scenario_.power.rooms.is_given)
      check("air handlers of UPS rooms", scenario_.power.rooms.crahs, {"power", "rooms", "crahs"});
    if (so_far_ == ReadSoFar::names) return;
    check_unused();
    const bool has_handlers = cooling_.has_crahs() || scenario_.power.rooms.is_given;
    if (has_handlers && coil_names_.empty()) {
      refuse({"hall", "cooling"}, "air handlers have no water", "hall.cooling needs chilled_water, or rear_doors");
    }
  }

 private:
  void refuse(const FilePath& keys, std::string message, std::string hint) {
    problems_.add(problem_at(mention_of(root_, keys), std::move(message), std::move(hint)));
  }
  static std::string of(const RacksSpec& racks) { return racks.name.empty() ? "racks" : "racks of " + racks.name; }

  /// A name that something hangs on, and where it says so.
  struct Said {
    const std::string& name;
    const Mention& mention;
  };
  /// What it may be the name of.
  struct Known {
    const char* what;
    const std::vector<std::string>& names;
  };
  /// What a name is the name of, and where that stands.
  struct Thing {
    const char* what;
    FilePath path;
  };

  void know_names() {
    for (const LoopsSpec& loops : cooling_.loops) {
      loop_names_.push_back(loops.name.empty() ? "loops" : loops.name);
      things_[loop_names_.back()] = {"a technology loop", loops.path};
    }
    for (const FacilitySpec& water : cooling_.water) {
      water_names_.push_back(water.name);
      things_[water.name] = {"a water system", water.path};
    }
    for (const RacksSpec& racks : scenario_.racks)
      things_.try_emplace(racks.name, Thing{"a group of racks", racks.path});
    things_["chilled_water"] = {"the water of doors and air handlers", {"hall", "cooling", "chilled_water"}};
    things_["rear_doors"] = {"doors", {"hall", "cooling", "rear_doors"}};
    for (const ChilledWaterSpec& water : cooling_.chilled_water) {
      chilled_names_.push_back(water.name);
      things_.try_emplace(water.name, Thing{"a chilled water", water.path});
    }
    for (const DoorsSpec& doors : cooling_.doors) {
      door_names_.push_back(doors.name);
      things_.try_emplace(doors.name, Thing{"doors", doors.path});
    }
    for (const CoilWater& water : coil_waters(cooling_)) coil_names_.push_back(water.name);
    for (const PowerBlockSpec& block : scenario_.power.blocks()) {
      block_names_.push_back(block.name);
      things_.try_emplace(block.name, Thing{"a power block", {"power", "blocks", block.name}});
    }
    for (const RoomSpec& room : cooling_.rooms) {
      room_names_.push_back(room.name.empty() ? "room" : room.name);
      things_.try_emplace(room_names_.back(), Thing{"a room", room.path});
    }
  }

  /// Whether it is all there is of its sort, and has no name of its own.
  static bool is_one(const auto& spec) {
    return spec.path.back() == "chilled_water" || spec.path.back() == "rear_doors";
  }

  void check_rooms_of_handlers() {
    for (const CrahsSpec& crahs : cooling_.crahs) {
      if (!crahs.is_given) continue;
      const Node& section = mention_of(root_, crahs.path);
      const Mention mention{section.place, section.excerpt};
      if (!crahs.name.empty() || cooling_.rooms.size() == 1) {
        check_name("air handlers", {crahs.name, mention}, {"room", room_names_}, crahs.path);
      } else if (so_far_ == ReadSoFar::all) {
        refuse(
            crahs.path,
            fmt::format("the hall has {} rooms, and no key gives the room of the air handlers", cooling_.rooms.size()),
            fmt::format("write the air handlers by the name of the room: crahs: {{ {}: {{ ... }} }}",
                        fmt::join(room_names_, ": { ... }, ")));
      }
    }
  }

  void check_rooms_of_network() {
    const NamesSpec& rooms = scenario_.network.rooms;
    if (!scenario_.network.is_given) return;
    const FilePath path{"hall", "network"};
    if (rooms.names.empty()) check_name("network racks", {{}, {}}, {"room", room_names_}, path);
    check_names("network racks", "stand in room", rooms, {"room", room_names_}, path);
  }

  void check(const StorageRacksSpec& racks) {
    const FilePath path{"jobs", "storage"};
    check_name("storage racks", {racks.room, racks.room_mention}, {"room", room_names_}, path);
    check_door("storage racks", {.door = racks.door, .door_mention = racks.door_mention}, path);
    const auto room = room_number(cooling_, racks.room);
    const bool is_cooled = !room || find_doors(cooling_, racks.door) != nullptr || is_air_cooled(*room);
    if (so_far_ == ReadSoFar::all && !is_cooled)
      refuse(path, "nothing cools the air of the storage racks",
             fmt::format("{} needs air handlers (crahs), or the storage racks need rear doors",
                         cooling_.rooms[*room].called()));
  }

  /// A name that is given must be known; where it is not given, there must be exactly one.
  void check_name(const std::string& who, const Said& said, const Known& known, const FilePath& path) {
    const bool is_known = std::ranges::find(known.names, said.name) != known.names.end();
    if (is_known || (so_far_ == ReadSoFar::names && (said.name.empty() || known.names.empty()))) return;
    const char* what = known.what;
    if (!said.name.empty()) {
      is_any_unknown_[what] = true;
      problems_.add({said.mention.place, fmt::format("there is no {} '{}'", what, said.name), hint_for(said, known),
                     said.mention.excerpt});
    } else if (known.names.empty()) {
      refuse(path, fmt::format("the {} have no {}", who, what), fmt::format("this hall has no {}", what));
    } else if (known.names.size() > 1) {
      refuse(
          path,
          fmt::format("the hall has {} {}s, and no key connects the {} to one of them", known.names.size(), what, who),
          "write " + choices_of(who, known));
    }
  }

  /// "on: facility, or on: dry": the key of a name as its section has it.
  static std::string choices_of(std::string_view who, const Known& known) {
    const std::string_view what = known.what;
    const bool are_racks = who.starts_with("racks") || who == "network racks" || who == "storage racks";
    std::string key = what == "technology loop"          ? "coolant"
                      : what == "room" || what == "door" ? std::string(what)
                      : who.starts_with("chillers")      ? "condenser"
                                                         : "on";
    std::string text;
    for (const std::string& name : known.names) {
      text += text.empty() ? "" : ", or ";
      text += are_racks ? fmt::format("on: {{ {}: {} }}", key, name) : fmt::format("{}: {}", key, name);
    }
    return text;
  }

  /// What it is, where it is something else; else the nearest name.
  std::string hint_for(const Said& said, const Known& known) const {
    const auto other = things_.find(said.name);
    const Node* node = other != things_.end() ? find_path(root_, other->second.path) : nullptr;
    const std::string near = nearest_hint(said.name, known.names);
    const bool is_only_room = known.names == std::vector<std::string>{"room"} && cooling_.rooms.front().name.empty();
    const std::string names = is_only_room          ? "the hall has one room: delete the key `room`"
                              : known.names.empty() ? fmt::format("this hall has no {}", known.what)
                                                    : fmt::format("known: {}", fmt::join(known.names, ", "));
    if (node != nullptr)
      return fmt::format("'{}' is {}, in {}; {}", said.name, other->second.what,
                         other_place(node->place, said.mention.place), names);
    return near.empty() || is_only_room ? names : near;
  }

  /// On any racks of a room: they share its air.
  bool has_doors(std::size_t room) const {
    return !cooling_.doors.empty() && std::ranges::any_of(scenario_.racks, [&](const RacksSpec& racks) {
      return racks.on.door != "none" && room_number(cooling_, racks.on.room) == room;
    });
  }

  void check(const DoorsSpec& doors) {
    if (are_on_outside_water(cooling_, doors)) return;
    check_name(is_one(doors) ? "rear doors" : "doors of " + doors.name, {doors.on, doors.on_mention},
               {"chilled water", chilled_names_}, doors.path);
  }

  void check(const std::string& who, const CrahsSpec& crahs, const FilePath& path) {
    if (crahs.on.empty() && coil_names_.empty()) return;  // one problem for all of them is reported elsewhere
    check_name(who, {crahs.on, crahs.on_mention}, {"chilled water", coil_names_}, path);
  }

  void check_door(const std::string& who, const RackHangsOn& on, const FilePath& path) {
    const bool is_any = on.door.empty() && door_names_.size() < 2;  // the one that there is, or none
    if (!is_any && on.door != "none") check_name(who, {on.door, on.door_mention}, {"door", door_names_}, path);
  }

  void check(const RacksSpec& racks) {
    const NodeHardware& node = racks.hardware;
    if (node.takes_coolant() || so_far_ == ReadSoFar::names) {
      check_name(of(racks), {racks.on.coolant, racks.on.coolant_mention}, {"technology loop", loop_names_}, racks.path);
    } else if (!racks.on.coolant.empty()) {
      const Mention& mention = racks.on.coolant_mention;
      problems_.add({mention.place, fmt::format("node {} takes no coolant", node.name), "delete the key `coolant`",
                     mention.excerpt});
    }
    check_door(of(racks), racks.on, racks.path);
    check_power(racks);
    check_name(of(racks), {racks.on.room, racks.on.room_mention}, {"room", room_names_}, racks.path);
    const auto room = room_number(cooling_, racks.on.room);
    if (node.airflow_kg_per_s > 0.0 && so_far_ == ReadSoFar::all && room && !is_air_cooled(*room)) {
      const std::string& name = cooling_.rooms[*room].name;
      refuse(racks.path, fmt::format("nothing cools the air of the {}", of(racks)),
             name.empty()
                 ? "hall.cooling needs crahs or rear_doors"
                 : fmt::format("{0} needs air handlers, crahs: {{ {0}: {{ ... }} }}, or racks with doors", name));
    }
  }

  /// By air handlers, doors, or parts that stand in its air.
  bool is_air_cooled(std::size_t room) const {
    const auto is_in_air = [&](const PortSpec& port) { return port.to.empty() && is_in_room(port.from, room); };
    return crahs_of(cooling_, room) != nullptr || has_doors(room) ||
           std::ranges::any_of(scenario_.parts,
                               [&](const PartSpec& part) { return std::ranges::any_of(part.ports, is_in_air); });
  }

  /// Whether a name is that of the air of a room, or of an aisle in it.
  bool is_in_room(const std::string& name, std::size_t room) const {
    if (cooling_.rooms.size() == 1 && name.starts_with("row_")) return true;
    int row = 0;
    for (const RacksSpec& racks : scenario_.racks) {
      for (std::size_t k = 0; k < racks.row_sizes().size(); ++k) {
        const bool is_there = name.starts_with(fmt::format("row_{}.", ++row));
        if (is_there) return room_number(cooling_, racks.on.room) == room;
      }
    }
    const std::string called = cooling_.rooms[room].called();
    return name == called || name.starts_with(called + ".") || (called == "room_1" && name.starts_with("room_"));
  }

  /// Names of a list, each of which may stand there once: `hang`: "name block".
  void check_names(const std::string& who, std::string_view hang, const NamesSpec& on, const Known& known,
                   const FilePath& path) {
    for (std::size_t k = 0; k < on.names.size(); ++k) {
      const auto first = std::ranges::find(on.names, on.names[k]) - on.names.begin();
      if (static_cast<std::size_t>(first) == k) {
        check_name(who, {on.names[k], on.mentions[k]}, known, path);
        continue;
      }
      const Mention& again = on.mentions[k];
      const std::string place = other_place(on.mentions[static_cast<std::size_t>(first)].place, again.place);
      problems_.add({again.place, fmt::format("the {} {} '{}' twice", who, hang, on.names[k]),
                     fmt::format("first in {}: name each {} once", place, hang.substr(hang.rfind(' ') + 1)),
                     again.excerpt});
    }
  }

  void check_power(const RacksSpec& racks) {
    check_names(of(racks), "name block", racks.on.power, {"power block", block_names_}, racks.path);
  }

  /// Racks of the largest group on these loops, which share it; none: nothing hangs on them.
  std::optional<int> racks_on(std::size_t loops) const {
    std::optional<int> count;
    for (const RacksSpec& racks : scenario_.racks) {
      const bool is_on = racks.on.coolant.empty() || racks.on.coolant == loop_names_[loops];
      if (racks.hardware.takes_coolant() && is_on) count = std::max(count.value_or(0), racks.count);
    }
    return count;
  }

  void check_unused() {
    for (std::size_t l = 0; l < cooling_.loops.size(); ++l) {
      const std::optional<int> racks = racks_on(l);
      const bool is_used = racks.has_value();
      const LoopsSpec& loops = cooling_.loops[l];
      if (is_used && loops.count > *racks)
        refuse(inside(loops.path, {"count"}),
               fmt::format("there are more loops ({}) than racks ({})", loops.count, *racks),
               "every loop needs at least one rack: give fewer loops");
      const std::string name = loops.name.empty() ? "the technology loops" : loops.name;
      if (!is_used && !is_any_unknown_["technology loop"])
        refuse(loops.path, "no racks are connected to " + name,
               fmt::format("write `on: {{ coolant: {} }}` under a group of racks, or delete the loop",
                           loops.name.empty() ? "NAME" : name));
    }
    for (const FacilitySpec& water : cooling_.water) {
      const bool is_used = std::ranges::any_of(
          cooling_.loops, [&](const LoopsSpec& loops) { return loops.on.empty() || loops.on == water.name; });
      const bool is_condenser = std::ranges::any_of(cooling_.chilled_water, [&](const ChilledWaterSpec& chilled) {
        return chilled.chillers.is_given && (chilled.condenser.empty() || chilled.condenser == water.name);
      });
      if (is_used || is_condenser || is_any_unknown_["water system"] || is_joined(water.name)) continue;
      refuse(water.path, fmt::format("nothing is connected to the water of {}", water.name),
             fmt::format("write `on: {}` under technology loops, or delete this water", water.name));
    }
    check_unused_chilled();
  }

  bool is_joined(const std::string& water) const {
    return std::ranges::any_of(scenario_.parts, [&](const PartSpec& part) {
      return std::ranges::any_of(part.ports, [&](const PortSpec& port) {
        return port.from.starts_with(water + ".") || port.to.starts_with(water + ".");
      });
    });
  }

  /// Of several by name; the only one may be there for what comes later.
  void check_unused_chilled() {
    const auto hangs = [&](const CrahsSpec& crahs, bool is_given, const ChilledWaterSpec& water) {
      return is_given && (crahs.on.empty() || crahs.on == water.name);
    };
    for (const ChilledWaterSpec& water : cooling_.chilled_water) {
      const bool has_doors = std::ranges::any_of(
          cooling_.doors, [&](const DoorsSpec& doors) { return doors.on.empty() || doors.on == water.name; });
      const ElectricalRoomsSpec& rooms = scenario_.power.rooms;
      const auto hang = [&](const CrahsSpec& crahs) { return hangs(crahs, crahs.is_given, water); };
      const bool is_used =
          has_doors || std::ranges::any_of(cooling_.crahs, hang) || hangs(rooms.crahs, rooms.is_given, water);
      if (is_one(water) || is_used || is_any_unknown_["chilled water"] || is_joined(water.name)) continue;
      refuse(water.path, fmt::format("nothing is connected to the water of {}", water.name),
             fmt::format("write `on: {}` under rear_doors or crahs, or delete this water", water.name));
    }
    for (const DoorsSpec& doors : cooling_.doors) {
      const auto have = [&](const RackHangsOn& on) { return on.door.empty() || on.door == doors.name; };
      const bool is_of_storage = scenario_.storage_racks &&
                                 (scenario_.storage_racks->door.empty() || scenario_.storage_racks->door == doors.name);
      const bool is_used = (scenario_.network.is_given && have(scenario_.network.on)) || is_of_storage ||
                           std::ranges::any_of(scenario_.racks, [&](const RacksSpec& racks) { return have(racks.on); });
      if (is_one(doors) || is_used || is_any_unknown_["door"]) continue;
      refuse(doors.path, fmt::format("no racks use the rear doors {}", doors.name),
             fmt::format("write `on: {{ door: {} }}` under a group of racks, or delete these doors", doors.name));
    }
  }

  const Node& root_;
  const Scenario& scenario_;
  const CoolingSpec& cooling_;
  const ReadSoFar so_far_;
  Problems& problems_;
  std::vector<std::string> loop_names_, water_names_, chilled_names_, coil_names_, door_names_, block_names_,
      room_names_;
  std::map<std::string, Thing> things_;
  std::map<std::string, bool> is_any_unknown_;  ///< by what it should be the name of: others may have been meant
};

}  // namespace

const FacilitySpec* find_water(const CoolingSpec& cooling, const std::string& name) {
  if (name.empty()) return cooling.water.size() == 1 ? &cooling.water.front() : nullptr;
  const auto found = std::ranges::find(cooling.water, name, &FacilitySpec::name);
  return found == cooling.water.end() ? nullptr : &*found;
}

void check_hangs_on(const Node& root, const Scenario& scenario, ReadSoFar so_far, Problems& problems) {
  Hangs(root, scenario, so_far, problems).check();
}

}  // namespace wattloop::twin
