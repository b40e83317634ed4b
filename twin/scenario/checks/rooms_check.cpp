// Rooms of a hall: what stands in none of several, and what one has nothing of.
#include <algorithm>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "core/text/count_text.hpp"
#include "twin/scenario/checks/consistency_check.hpp"

namespace wattloop::twin {

namespace {

class Rooms {
 public:
  Rooms(const Node& root, const Scenario& scenario, Problems& problems)
      : root_(root), scenario_(scenario), cooling_(scenario.cooling), problems_(problems) {}

  void check() {
    if (cooling_.rooms.size() == 1) return;
    for (std::size_t room = 0; room < cooling_.rooms.size(); ++room) check_used(room);
    check_network();
    check_ups();
    const PowerSpec& power = scenario_.power;
    if (power.is_of_one_block()) check_pdus(power, {"power", "pdus"});
    for (const PowerBlockSpec& block : power.named_blocks) check_pdus(block, {"power", "blocks", block.name, "pdus"});
  }

 private:
  void refuse(const FilePath& keys, std::string message, std::string hint) {
    problems_.add(problem_at(mention_of(root_, keys), std::move(message), std::move(hint)));
  }

  /// Of storage racks; none: there are none.
  std::optional<std::size_t> room_of_storage() const {
    return scenario_.storage_racks ? room_number(cooling_, scenario_.storage_racks->room) : std::nullopt;
  }

  std::set<std::size_t> rooms_of_network() const {
    std::set<std::size_t> rooms;
    if (!scenario_.network.is_given) return rooms;
    for (const std::string& name : scenario_.network.rooms.names) {
      if (const auto room = room_number(cooling_, name)) rooms.insert(*room);
    }
    return rooms;
  }

  void check_used(std::size_t room) {
    const auto stands_there = [&](const RacksSpec& racks) { return room_number(cooling_, racks.on.room) == room; };
    const auto is_unknown = [&](const RacksSpec& racks) { return !room_number(cooling_, racks.on.room); };
    if (std::ranges::any_of(scenario_.racks, stands_there) || rooms_of_network().contains(room) ||
        room_of_storage() == room)
      return;
    if (std::ranges::any_of(scenario_.racks, is_unknown)) return;  // they may have been meant to
    refuse(cooling_.rooms[room].path, fmt::format("no racks are in room {}", cooling_.rooms[room].name),
           fmt::format("write `on: {{ room: {} }}` under a group of racks, or delete the room",
                       cooling_.rooms[room].name));
  }

  void check_network() {
    const NetworkSpec& network = scenario_.network;
    const auto named = rooms_of_network().size();
    if (network.is_given && static_cast<std::size_t>(std::max(network.racks, 0)) < named)
      refuse({"hall", "network", "on", "room"},
             fmt::format("{} of switches in {} rooms", count_text(network.racks, "rack"), named),
             "every room that is named needs at least one");
    for (const std::size_t room : rooms_of_network()) {
      if (scenario_.network.on.door != "none" && !cooling_.doors.empty()) continue;
      if (crahs_of(cooling_, room) != nullptr) continue;
      refuse({"hall", "network"},
             fmt::format("nothing cools the air of the network racks in {}", cooling_.rooms[room].name),
             fmt::format("{0} needs air handlers, crahs: {{ {0}: {{ ... }} }}, or the hall needs rear_doors",
                         cooling_.rooms[room].name));
    }
  }

  void check_ups() {
    const PowerSpec& power = scenario_.power;
    if (power.rooms.is_given || power.blocks_with_ups().empty()) return;
    refuse({"power"}, fmt::format("the hall has {} rooms, and no key gives the room of the UPS", cooling_.rooms.size()),
           "write power.rooms: { ... }, rooms of their own for the UPS, or `ups: none`");
  }

  /// Rooms of racks whose cords go to a block.
  void check_pdus(const PowerBlockSpec& block, const FilePath& path) {
    std::set<std::size_t> rooms = rooms_of_network();
    if (const auto room = room_of_storage()) rooms.insert(*room);
    for (const RacksSpec& racks : scenario_.racks) {
      const std::vector<std::string>& blocks = racks.on.power.names;
      const bool is_on = blocks.empty() || std::ranges::find(blocks, block.name) != blocks.end();
      const auto room = room_number(cooling_, racks.on.room);
      if (is_on && room) rooms.insert(*room);
    }
    const auto pdus = static_cast<std::size_t>(block.pdus);
    if (pdus >= rooms.size()) return;
    refuse(path, fmt::format("{} of block {} for racks in {} rooms", count_text(pdus, "PDU"), block.name, rooms.size()),
           "a PDU is in the room of its racks: write at least one PDU for each room, or a block for each room");
  }

  const Node& root_;
  const Scenario& scenario_;
  const CoolingSpec& cooling_;
  Problems& problems_;
};

}  // namespace

std::optional<std::size_t> room_number(const CoolingSpec& cooling, const std::string& name) {
  if (name.empty() && cooling.rooms.size() != 1) return std::nullopt;
  for (std::size_t room = 0; room < cooling.rooms.size(); ++room) {
    const std::string& own = cooling.rooms[room].name;
    if (name.empty() || name == (own.empty() ? "room" : own)) return room;
  }
  return std::nullopt;
}

const CrahsSpec* crahs_of(const CoolingSpec& cooling, std::size_t room) {
  for (const CrahsSpec& crahs : cooling.crahs) {
    if (crahs.is_given && room_number(cooling, crahs.name) == room) return &crahs;
  }
  return nullptr;
}

void check_rooms(const Node& root, const Scenario& scenario, Problems& problems) {
  Rooms(root, scenario, problems).check();
}

}  // namespace wattloop::twin
