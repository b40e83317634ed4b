// Names that a scenario gives to what stands in its hall: each once, and none that equipment has.
#include <map>
#include <set>

#include <fmt/format.h>

#include "twin/document/other_place.hpp"
#include "twin/scenario/checks/consistency_check.hpp"

namespace wattloop::twin {

namespace {

/// Names that something else of a hall has, whatever the scenario says.
const std::set<std::string> words_of_halls{"facility", "chilled_water", "rear_doors", "towers", "chillers", "weather",
                                           "outdoors", "sky",           "feed",       "power",  "network"};

/// What equipment of a hall is called by, before a number or a letter.
const std::set<std::string> words_of_equipment{"loop",    "cdu",     "tower", "chiller",    "crah",        "row",
                                               "room",    "ups",     "pdu",   "utility",    "transformer", "substation",
                                               "network", "storage", "rack",  "electrical", "generator",   "cooler"};

class Names {
 public:
  Names(const Node& root, Problems& problems) : root_(root), problems_(problems) {}

  void add_loops(const LoopsSpec& loops) {
    if (loops.name.empty()) return;
    const Mention mention = mention_at(loops.path);
    add(loops.name, mention);
    for (int number = 1; loops.count > 1 && number <= loops.count; ++number)
      add(fmt::format("{}_{}", loops.name, number), mention);
  }

  /// A water, or doors.
  void add_named(const auto& spec) {
    if (spec.path.size() == 4) add(spec.name, mention_at(spec.path));
  }

  void add_room(const RoomSpec& room) {
    if (!room.name.empty()) add(room.name, mention_at(room.path));
  }

  /// Others than groups may be called so; parts may not, because they are reported beside them.
  void add_group(const RacksSpec& racks) {
    if (!racks.name.empty()) groups_.emplace(racks.name, mention_at(racks.path));
  }

  /// Whether equipment is called so is known when the hall is built.
  void add_part(const PartSpec& part) {
    const auto group = groups_.find(part.name);
    if (group != groups_.end()) return refuse(part.name, part.mention, &group->second);
    if (words_of_halls.contains(part.name)) return;
    const auto [known, is_new] = known_.emplace(part.name, part.mention);
    if (!is_new) refuse(part.name, part.mention, &known->second);
  }

 private:
  Mention mention_at(const FilePath& path) const {
    const Node& node = mention_of(root_, path);
    return {node.place, node.excerpt};
  }

  void add(const std::string& name, const Mention& mention) {
    if (words_of_halls.contains(name) || is_of_equipment(name)) return refuse(name, mention, nullptr);
    const auto [known, is_new] = known_.emplace(name, mention);
    if (!is_new) refuse(name, mention, &known->second);
  }

  void refuse(const std::string& name, const Mention& mention, const Mention* other) {
    const bool is_reported = last_.line == mention.place.line && last_.column == mention.place.column &&
                             last_.file == mention.place.file && mention.place.line > 0;
    if (is_reported) return;  // of many alike one is enough
    last_ = mention.place;
    std::string hint = "choose a name that is not used yet";
    if (other != nullptr) hint = fmt::format("in {}; ", other_place(other->place, mention.place)) + hint;
    problems_.add({mention.place, fmt::format("the hall has a '{}' already", name), std::move(hint), mention.excerpt});
  }

  const Node& root_;
  Problems& problems_;
  std::map<std::string, Mention> known_, groups_;
  Place last_;
};

}  // namespace

bool is_of_equipment(const std::string& name) {
  return name.find('_') != std::string::npos && words_of_equipment.contains(name.substr(0, name.find('_')));
}

void check_taken_names(const Node& root, const Scenario& scenario, Problems& problems) {
  Names names(root, problems);
  for (const LoopsSpec& loops : scenario.cooling.loops) names.add_loops(loops);
  for (const FacilitySpec& water : scenario.cooling.water) names.add_named(water);
  for (const ChilledWaterSpec& water : scenario.cooling.chilled_water) names.add_named(water);
  for (const DoorsSpec& doors : scenario.cooling.doors) names.add_named(doors);
  for (const RoomSpec& room : scenario.cooling.rooms) names.add_room(room);
  for (const RacksSpec& racks : scenario.racks) names.add_group(racks);
  for (const PartSpec& part : scenario.parts) names.add_part(part);
}

}  // namespace wattloop::twin
