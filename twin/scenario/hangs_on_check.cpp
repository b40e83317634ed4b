// What names in `on:` mean, and what has nothing to hang on.
#include <algorithm>
#include <optional>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/nearest.hpp"
#include "twin/scenario/consistency_check.hpp"

namespace wattloop::twin {

namespace {

/// Names that something else of a hall has, whatever the scenario says.
const std::set<std::string> taken_names{"facility", "chilled_water", "rear_doors", "towers", "chillers", "weather",
                                        "outdoors", "sky",           "feed",       "power",  "network"};

/// What equipment of a hall is called by, before a number or a letter.
const std::set<std::string> words_of_equipment{
    "loop",    "cdu",         "tower",      "chiller", "crah", "row",        "room",      "ups",   "pdu",
    "utility", "transformer", "substation", "network", "rack", "electrical", "generator", "cooler"};

/// "cdu_1", "room_1", "ups_a": names that equipment has or may have.
bool is_of_equipment(const std::string& name) {
  return name.find('_') != std::string::npos && words_of_equipment.contains(name.substr(0, name.find('_')));
}

class Hangs {
 public:
  Hangs(const Node& root, const Scenario& scenario, Problems& problems)
      : root_(root), scenario_(scenario), cooling_(scenario.cooling), problems_(problems) {}

  void check() {
    for (const LoopsSpec& loops : cooling_.loops) loop_names_.push_back(loops.name.empty() ? "loops" : loops.name);
    for (const FacilitySpec& water : cooling_.water) water_names_.push_back(water.name);
    check_names();
    for (const RacksSpec& racks : scenario_.racks) check(racks);
    for (const LoopsSpec& loops : cooling_.loops)
      check_name("technology loops", loops.on, loops.on_mention, water_names_, "water system", loops.path);
    if (cooling_.chilled_water.chillers.is_given) {
      check_name("chillers", cooling_.chilled_water.condenser, cooling_.chilled_water.condenser_mention, water_names_,
                 "water system", {"hall", "cooling", "chilled_water"});
    }
    check_unused();
    const bool has_handlers = cooling_.crahs.is_given || scenario_.power.rooms.is_given;
    if (has_handlers && !cooling_.has_chilled()) {
      refuse({"hall", "cooling"}, "air handlers have no water", "hall.cooling needs chilled_water, or rear_doors");
    }
  }

 private:
  void refuse(const FilePath& keys, std::string message, std::string hint) {
    problems_.add(problem_at(mention_of(root_, keys), std::move(message), std::move(hint)));
  }
  static std::string of(const RacksSpec& racks) { return racks.name.empty() ? "racks" : "racks of " + racks.name; }

  /// Events know all of them by these names.
  void check_names() {
    std::set<std::string> known = taken_names;
    const auto add = [&](const std::string& name, const FilePath& path) {
      const bool is_free = !is_of_equipment(name) && known.insert(name).second;
      if (!is_free) refuse(path, fmt::format("the hall has a '{}' already", name), "a name that nothing else has");
    };
    for (const LoopsSpec& loops : cooling_.loops) {
      if (loops.name.empty()) continue;
      add(loops.name, loops.path);
      for (int number = 1; loops.count > 1 && number <= loops.count; ++number)
        add(fmt::format("{}_{}", loops.name, number), loops.path);
    }
    for (const FacilitySpec& water : cooling_.water) {
      if (water.path.size() == 4) add(water.name, water.path);
    }
  }

  /// A name that is given must be known; where it is not given, there must be exactly one.
  void check_name(const std::string& who, const std::string& name, const Mention& mention,
                  const std::vector<std::string>& known, const std::string& what, const FilePath& path) {
    if (name.empty()) {
      if (known.size() == 1) return;
      if (known.empty())
        return refuse(path, fmt::format("the {} have no {}", who, what), fmt::format("this hall has no {}", what));
      return refuse(path, fmt::format("the {} could hang on any {} of {}", who, what, known.size()),
                    fmt::format("say which: {}", fmt::join(known, ", ")));
    }
    if (std::ranges::find(known, name) != known.end()) return;
    const std::string near = nearest_hint(name, known);
    problems_.add({mention.place, fmt::format("there is no {} '{}'", what, name),
                   !near.empty()   ? near
                   : known.empty() ? fmt::format("this hall has no {}", what)
                                   : fmt::format("known: {}", fmt::join(known, ", ")),
                   mention.excerpt});
  }

  /// On any racks: they share the air of the hall.
  bool has_doors() const {
    return cooling_.doors.is_given &&
           std::ranges::any_of(scenario_.racks, [](const RacksSpec& racks) { return racks.on.door != "none"; });
  }

  void check(const RacksSpec& racks) {
    const NodeHardware& node = racks.hardware;
    if (node.takes_coolant()) {
      check_name(of(racks), racks.on.coolant, racks.on.coolant_mention, loop_names_, "technology loop", racks.path);
    } else if (!racks.on.coolant.empty()) {
      const Mention& mention = racks.on.coolant_mention;
      problems_.add(
          {mention.place, fmt::format("node {} takes no coolant", node.name), "leave `coolant` out", mention.excerpt});
    }
    const std::string& door = racks.on.door;
    if (!door.empty() && door != "none") {
      std::vector<std::string> doors;
      if (cooling_.doors.is_given) doors.emplace_back("rear_doors");
      check_name(of(racks), door, racks.on.door_mention, doors, "door", racks.path);
    }
    check_power(racks);
    const bool is_air_cooled = cooling_.crahs.is_given || has_doors();
    if (node.airflow_kg_per_s > 0.0 && !is_air_cooled && scenario_.parts.empty()) {
      refuse(racks.path, fmt::format("nothing cools the air of the {}", of(racks)),
             "hall.cooling needs crahs or rear_doors");
    }
  }

  void check_power(const RacksSpec& racks) {
    std::vector<std::string> blocks;
    for (const PowerBlockSpec& block : scenario_.power.blocks()) blocks.push_back(block.name);
    const NamesSpec& on = racks.on.power;
    for (std::size_t k = 0; k < on.names.size(); ++k)
      check_name(of(racks), on.names[k], on.mentions[k], blocks, "block of power", racks.path);
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
        refuse(inside(loops.path, {"count"}), fmt::format("more loops ({}) than racks ({})", loops.count, *racks), {});
      const std::string name = loops.name.empty() ? "the technology loops cool" : loops.name + " cools";
      if (!is_used)
        refuse(loops.path, name + " no racks", "name it in `on: { coolant: ... }` of some, or leave it out");
    }
    for (const FacilitySpec& water : cooling_.water) {
      const bool is_used = std::ranges::any_of(
          cooling_.loops, [&](const LoopsSpec& loops) { return loops.on.empty() || loops.on == water.name; });
      const ChilledWaterSpec& chilled = cooling_.chilled_water;
      const bool is_condenser =
          chilled.chillers.is_given && (chilled.condenser.empty() || chilled.condenser == water.name);
      if (is_used || is_condenser || !scenario_.parts.empty()) continue;
      refuse(water.path, fmt::format("nothing hangs on the water of {}", water.name),
             "name it in `on:` of technology loops, or leave it out");
    }
  }

  const Node& root_;
  const Scenario& scenario_;
  const CoolingSpec& cooling_;
  Problems& problems_;
  std::vector<std::string> loop_names_, water_names_;
};

}  // namespace

const FacilitySpec* find_water(const CoolingSpec& cooling, const std::string& name) {
  if (name.empty()) return cooling.water.size() == 1 ? &cooling.water.front() : nullptr;
  const auto found = std::ranges::find(cooling.water, name, &FacilitySpec::name);
  return found == cooling.water.end() ? nullptr : &*found;
}

void check_hangs_on(const Node& root, const Scenario& scenario, Problems& problems) {
  Hangs(root, scenario, problems).check();
}

}  // namespace wattloop::twin
