// `power.blocks` of a scenario: ways of power by name, alike or not, and what they and their redundancy must be together.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>

#include "core/text/nearest.hpp"
#include "twin/document/map_reader.hpp"
#include "twin/scenario/sections/scenario_sections.hpp"

namespace wattloop::twin {

namespace {

using Names = std::vector<std::string>;

std::string list_of(const Names& names) { return fmt::format("{}", fmt::join(names, ", ")); }

Names names_of(const PowerSpec& power) {
  Names names;
  for (const PowerBlockSpec& block : power.named_blocks) names.push_back(block.name);
  return names;
}

/// Names stand in those of equipment, between underscores and before numbers: "pdu_a_1".
bool is_block_name(const std::string& name) {
  const auto is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  return !name.empty() && is_letter(name.front()) &&
         std::ranges::all_of(name, [&](char c) { return is_letter(c) || is_digit(c); });
}

/// What a block says over what the block says that it is like: key by key, but a device as a whole.
void lay_over(Node& block, const Node& changes) {
  for (const auto& [key, change] : changes.entries) {
    Node* below = find(block, key.text);
    if (below == nullptr || find(change, "hardware") == nullptr) continue;
    std::erase_if(below->entries, [](const Entry& entry) { return entry.key.text == "hardware"; });
  }
  merge_over(block, changes);
}

class BlocksReader {
 public:
  BlocksReader(const Node& map, PowerSpec& power, Problems& problems) : map_(map), power_(power), problems_(problems) {
    for (const Entry& entry : map.entries) {
      if (!entry.value.is_null()) names_.push_back(entry.key.text);
    }
  }

  void read() {
    if (names_.empty())
      problems_.add(problem_at(map_, "blocks: no block is given", "write blocks: { a: { ... }, b: { like: a } }"));
    for (const Entry& entry : map_.entries) {
      if (!entry.value.is_null()) read_block(entry);
    }
  }

 private:
  void read_block(const Entry& entry) {
    const std::string& name = entry.key.text;
    if (!is_block_name(name))
      problems_.add(problem_at(
          entry.key, fmt::format("'{}' is not a valid name of a block", name),
          "write small letters and digits, as in a, b, c2, reserve; the equipment is named after the block: pdu_a_1"));
    PowerBlockSpec block;
    block.name = name;
    Problems found;
    if (const std::optional<Node> whole = whole_block(name, found)) {
      read_section(*whole, "power.blocks." + name, {.key = name, .sections = equipment_sections(block)}, found);
      for (const auto& [key, value] : whole->entries) refuse_lost_changes(key, value, found);
    } else {
      refuse_unknown_keys(*find(map_, name), block, found);
    }
    for (const Problem& problem : found.all()) add_once(problem);
    power_.named_blocks.push_back(std::move(block));
  }

  /// As far as a block is read that is like none.
  void refuse_unknown_keys(const Node& written, PowerBlockSpec& block, Problems& found) {
    MapReader reader(written, "power.blocks." + block.name, found);
    reader.offer("like");
    for (const Section& section : equipment_sections(block)) reader.offer(section.key);
    reader.report_unknown_keys();
  }

  /// `with:` is gone where there was a device for it.
  void refuse_lost_changes(const Node& key, const Node& value, Problems& found) {
    if (const Node* with = find(value, "with"))
      found.add(problem_at(*with,
                           fmt::format("{}: `with` changes a device, but no `hardware` is given beside it", key.text),
                           "write hardware: NAME, with: { ... }"));
  }

  /// With all that it has from others; nothing, with a problem, where that leads nowhere.
  std::optional<Node> whole_block(const std::string& name, Problems& found) {
    const Node& written = *find(map_, name);
    const Node* like = find(written, "like");
    if (like == nullptr || like->is_null()) return written;
    if (!like->is_scalar() || find(map_, like->text) == nullptr || find(map_, like->text)->is_null()) {
      found.add(problem_at(*like, fmt::format("like: there is no block {}", describe(*like)),
                           nearest_hint(like->text, others_than(name))));
      return std::nullopt;
    }
    open_.push_back(name);
    if (std::ranges::find(open_, like->text) != open_.end()) {
      open_.push_back(like->text);
      found.add(problem_at(
          *like, fmt::format("like: these blocks refer to each other in a circle: {}", fmt::join(open_, ", like ")),
          "describe one of these blocks without `like`"));
      open_.clear();
      return std::nullopt;
    }
    std::optional<Node> block = whole_block(like->text, found);
    if (!open_.empty()) open_.pop_back();
    if (!block) return std::nullopt;
    Node changes = written;
    std::erase_if(changes.entries, [](const Entry& entry) { return entry.key.text == "like"; });
    lay_over(*block, changes);
    return block;
  }

  Names others_than(const std::string& name) const {
    Names others = names_;
    std::erase(others, name);
    return others;
  }

  /// What is wrong with a block is wrong with all that are like it.
  void add_once(const Problem& problem) {
    const auto is_same = [&](const Problem& other) {
      return other.place.file == problem.place.file && other.place.line == problem.place.line &&
             other.place.column == problem.place.column && other.hint == problem.hint;
    };
    if (std::ranges::any_of(reported_, is_same)) return;
    reported_.push_back(problem);
    problems_.add(problem);
  }

  const Node& map_;
  PowerSpec& power_;
  Problems& problems_;
  Names names_;
  Names open_;  ///< blocks on the way from the one that is read to those that it is like
  std::vector<Problem> reported_;
};

/// Where a key of `power` is written, else the map.
const Node& place_of(const Node& map, std::string_view key) {
  const Node* node = find(map, key);
  return node != nullptr && !node->is_null() ? *node : map;
}

bool is_written(const Node& map, std::string_view key) { return &place_of(map, key) != &map; }

void check_reserve(const Node& map, const PowerSpec& power, Problems& problems) {
  const Names names = names_of(power);
  if (power.redundancy != "block") {
    if (is_written(map, "reserve"))
      problems.add(problem_at(
          place_of(map, "reserve"), fmt::format("redundancy: {} has no reserve", power.redundancy),
          "write redundancy: block, with which the reserve takes the load of a block that fails; or delete reserve"));
  } else if (!is_written(map, "reserve")) {
    problems.add(
        problem_at(place_of(map, "redundancy"), "redundancy: block needs 'reserve'",
                   fmt::format("write reserve: NAME, the block that takes the load of a block that fails, one of {}",
                               list_of(names))));
  } else if (std::ranges::find(names, power.reserve) == names.end()) {
    problems.add(problem_at(place_of(map, "reserve"), fmt::format("reserve: there is no block '{}'", power.reserve),
                            nearest_hint(power.reserve, names)));
  } else if (names.size() < 2) {
    problems.add(problem_at(place_of(map, "blocks"), "redundancy: block needs two blocks or more, there is 1",
                            "give one block that feeds racks, and the reserve"));
  }
}

void check_count(const Node& map, const PowerSpec& power, Problems& problems) {
  const Names names = names_of(power);
  const auto refuse = [&](const char* needs, const char* hint) {
    problems.add(problem_at(place_of(map, "redundancy"),
                            fmt::format("redundancy: {} needs {}, but there {} {}: {}", power.redundancy, needs,
                                        names.size() == 1 ? "is" : "are", names.size(), list_of(names)),
                            hint));
  };
  if (power.redundancy == "2N" && names.size() != 2)
    refuse("two blocks",
           names.size() > 2 ? "distributed connects cords to pairs of three or more blocks" : "b: { like: a }");
  if (power.redundancy == "distributed" && names.size() < 3) refuse("three blocks or more", "for two blocks write 2N");
}

}  // namespace

SpecialKey blocks_key(PowerSpec& power) {
  return {.key = "blocks",
          .doc =
              "Power blocks by name, instead of the equipment of `power` itself: a map; each block has the keys that "
              "`power` has for one side.",
          .rows = {{"utility", "map", "none", "", "As `power.utility`."},
                   {"substation", "map", "none", "", "As `power.substation`."},
                   {"transformers", "map", "required", "", "As `power.transformers`."},
                   {"generators", "map", "none", "", "As `power.generators`."},
                   {"ups", "map", "required", "", "As `power.ups`, or `none`."},
                   {"pdus", "map", "required", "", "As `power.pdus`."},
                   {"like", "text", "none", "",
                    "Name of another block that this block is equal to, except for the keys given here."}},
          .read = [&power](const Node& map, Problems& problems) {
            if (map.is_map()) return BlocksReader(map, power, problems).read();
            problems.add(problem_at(map, fmt::format("blocks is {}, expected a map by name", describe(map)),
                                    "write blocks: { a: { ... }, b: { like: a } }"));
          }};
}

void check_blocks(const Node& map, const PowerSpec& power, Problems& problems) {
  if (!is_written(map, "blocks")) {
    for (const char* key : {"redundancy", "reserve"}) {
      if (is_written(map, key))
        problems.add(problem_at(place_of(map, key), fmt::format("{} needs blocks, and the hall has none", key),
                                "without blocks write topology: single or topology: 2N"));
    }
    return;
  }
  if (is_written(map, "topology"))
    problems.add(problem_at(place_of(map, "topology"),
                            "topology and 'blocks' both describe the power tree: keep one of them",
                            "delete topology: with blocks, `redundancy` gives how loads are shared among blocks; to "
                            "remove the topology of the extended file, write `topology: null`"));
  if (!power.has_named_blocks()) return;
  check_reserve(map, power, problems);
  check_count(map, power, problems);
  const Names with_ups = power.blocks_with_ups();
  if (with_ups.empty() && power.rooms.is_given)
    problems.add(problem_at(place_of(map, "rooms"), "rooms are for UPS, and no block has any"));
}

}  // namespace wattloop::twin
