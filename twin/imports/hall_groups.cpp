#include "twin/imports/hall_groups.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/text/letter_name.hpp"
#include "core/units/units.hpp"

namespace wattloop::twin {

namespace {

/// Small letters, digits and '_'; never a name that the hall gives itself.
std::string scenario_name(const std::string& listed) {
  std::string name = "circuit_";
  for (const char c : listed) {
    const auto letter = static_cast<unsigned char>(c);
    name += std::isalnum(letter) != 0 && letter < 128 ? static_cast<char>(std::tolower(letter)) : '_';
  }
  return name;
}

class Grouping {
 public:
  explicit Grouping(const HallTables& tables) : tables_(tables) { hall_.notes = tables.notes; }

  ImportedHall group() {
    add_loops();
    add_blocks();
    add_groups();
    choose_redundancy();
    compare_ratings();
    return std::move(hall_);
  }

 private:
  void note(std::string text) { hall_.notes.push_back(std::move(text)); }

  /// The device nearest in rating, where none is named.
  std::string hardware_of(const std::string& kind, const std::string& named, double rating) {
    if (!named.empty()) return named;
    const DeviceRating* best = nullptr;
    for (const DeviceRating& device : tables_.devices) {
      if (device.kind != kind || device.rating <= 0.0) continue;
      const auto distance = [&](const DeviceRating& one) { return std::abs(std::log(one.rating / rating)); };
      if (best == nullptr || distance(device) < distance(*best)) best = &device;
    }
    return best == nullptr ? std::string() : best->name;
  }

  /// What stands for all equipment of a list: the hardware of the first, the least rating.
  template <class Item>
  RatedDevice stand_in(const std::string& kind, const std::vector<const Item*>& items, const std::string& where,
                       double (*rating_of)(const Item&)) {
    RatedDevice all{.kind = kind};
    if (items.empty()) return all;
    all.hardware = hardware_of(kind, items.front()->hardware, rating_of(*items.front()));
    double least = 0.0;
    bool is_alike = true;
    for (const Item* item : items) {
      const DeviceRating* device = tables_.device(item->hardware);
      const double rating = rating_of(*item) > 0.0 ? rating_of(*item) : (device != nullptr ? device->rating : 0.0);
      is_alike = is_alike && item->hardware == items.front()->hardware && (least == 0.0 || rating == least);
      least = least == 0.0 ? rating : std::min(least, rating);
    }
    const DeviceRating* device = tables_.device(all.hardware);
    if (device != nullptr && device->rating != least) all.rating = least;
    if (items.front()->hardware.empty())
      note(fmt::format("{}: no hardware is listed; {} with the listed rating is used", where, all.hardware));
    if (!is_alike) {
      note(fmt::format("{}: hardware or ratings differ, which one group cannot have: all are {} of {}", where,
                       all.hardware, format_quantity(least, rating_unit(kind))));
    }
    return all;
  }

  void add_loops() {
    for (const ListedCdu& cdu : tables_.cdus) {
      if (std::ranges::find(hall_.loops, cdu.loop, &ImportedLoop::listed) != hall_.loops.end()) continue;
      std::vector<const ListedCdu*> of_loop;
      for (const ListedCdu& other : tables_.cdus) {
        if (other.loop == cdu.loop) of_loop.push_back(&other);
      }
      ImportedLoop loop{.name = scenario_name(cdu.loop), .listed = cdu.loop};
      while (std::ranges::find(hall_.loops, loop.name, &ImportedLoop::name) != hall_.loops.end()) loop.name += "x";
      loop.racks = static_cast<std::size_t>(std::ranges::count(tables_.racks, cdu.loop, &ListedRack::loop));
      loop.cdus = stand_in<ListedCdu>("cdu", of_loop, fmt::format("CDUs of loop {}", cdu.loop),
                                      [](const ListedCdu& one) { return one.rating_w; });
      loop.cdus.count = static_cast<int>(of_loop.size());
      if (loop.racks == 0) {
        note(fmt::format("loop {} cools no rack: the loop and its {} CDUs are left out", loop.listed, of_loop.size()));
        continue;
      }
      hall_.loops.push_back(std::move(loop));
    }
  }

  void add_blocks() {
    std::vector<const ListedPower*> roots;
    for (const ListedPower& one : tables_.power) {
      const ListedPower& root = tables_.root_of(one);
      if (one.kind == "pdu" && std::ranges::find(roots, &root) == roots.end()) roots.push_back(&root);
    }
    for (const ListedPower& one : tables_.power) {
      if (std::ranges::find(roots, &tables_.root_of(one)) == roots.end())
        note(fmt::format("{}: it feeds no PDU and is left out", one.name));
    }
    for (const ListedPower* root : roots) add_block(*root);
  }

  void add_block(const ListedPower& root) {
    ImportedBlock block{.name = letter_name(hall_.blocks.size()), .root = root.name};
    const auto add = [&](const std::string& kind, RatedDevice& device) {
      std::vector<const ListedPower*> of_kind;
      int count = 0;
      for (const ListedPower& one : tables_.power) {
        if (one.kind != kind || &tables_.root_of(one) != &root) continue;
        of_kind.push_back(&one);
        if (kind == "pdu") pdu_names_[one.name] = fmt::format("pdu_{}_{}", block.name, count + 1);
        count += one.count;
      }
      device = stand_in<ListedPower>(kind, of_kind, fmt::format("{} behind {}", kind, root.name),
                                     [](const ListedPower& one) { return one.rating; });
      device.count = count;
      if (kind == "ups" && of_kind.size() > 1)
        note(
            fmt::format("{} UPS downstream of {} share its load as modules; the scenario does not contain which UPS "
                        "feeds which PDU",
                        of_kind.size(), root.name));
    };
    add("transformer", block.transformers);
    add("generator", block.generators);
    add("ups", block.ups);
    add("pdu", block.pdus);
    if (block.transformers.count == 0) {
      const double load_w = std::max(rated(block.ups), rated(block.pdus));
      block.transformers = {.kind = "transformer", .hardware = hardware_of("transformer", {}, load_w), .count = 1};
      note(fmt::format("no transformer behind {}: {} is assumed", root.name, block.transformers.hardware));
    }
    block_of_[root.name] = block.name;
    hall_.blocks.push_back(std::move(block));
  }

  double rated(const RatedDevice& device) const {
    const DeviceRating* of = tables_.device(device.hardware);
    return device.count * (device.rating > 0.0 ? device.rating : of == nullptr ? 0.0 : of->rating);
  }

  const std::string& block_of_pdu(const std::string& pdu) const {
    return block_of_.at(tables_.root_of(*tables_.equipment(pdu)).name);
  }

  /// PDUs of a rack, as listed: both, unless they are behind one block.
  std::vector<std::string> cords_of(const ListedRack& rack) {
    std::vector<std::string> cords;
    for (const std::string& feed : {rack.feed_a, rack.feed_b}) {
      if (!feed.empty()) cords.push_back(feed);
    }
    if (cords.size() == 2 && block_of_pdu(cords[0]) == block_of_pdu(cords[1])) {
      note(fmt::format("rack {}: both feeds, {} and {}, have the same source; the scenario has one cord for it, on {}",
                       rack.name, cords[0], cords[1], cords[0]));
      cords.pop_back();
    }
    return cords;
  }

  void add_groups() {
    using Key = std::tuple<std::string, int, std::string, std::vector<std::string>>;
    std::vector<Key> keys;
    std::map<Key, std::vector<const ListedRack*>> members;
    for (const ListedRack& rack : tables_.racks) {
      std::vector<std::string> blocks;
      for (const std::string& pdu : cords_of(rack)) blocks.push_back(block_of_pdu(pdu));
      cords_[rack.name] = blocks.size();
      std::ranges::sort(blocks);
      const Key key{rack.hardware, rack.nodes, rack.loop, blocks};
      if (!members.contains(key)) keys.push_back(key);
      members[key].push_back(&rack);
    }
    std::size_t row = 0;
    for (const Key& key : keys) add_group(key, members[key], row);
    note_rows();
  }

  template <class Key>
  void add_group(const Key& key, std::vector<const ListedRack*> racks, std::size_t& row) {
    const auto& [hardware, nodes, loop, blocks] = key;
    ImportedGroup group{.name = fmt::format("group_{}", hall_.groups.size() + 1),
                        .hardware = hardware,
                        .loop = {},
                        .nodes = nodes,
                        .blocks = blocks,
                        .rows = {},
                        .racks = {}};
    if (!loop.empty()) group.loop = std::ranges::find(hall_.loops, loop, &ImportedLoop::listed)->name;
    std::vector<std::string> rows;
    for (const ListedRack* rack : racks) {
      if (std::ranges::find(rows, rack->row) == rows.end()) rows.push_back(rack->row);
    }
    for (const std::string& listed_row : rows) {
      std::vector<const ListedRack*> in_row;
      std::ranges::copy_if(racks, std::back_inserter(in_row),
                           [&](const ListedRack* rack) { return rack->row == listed_row; });
      std::ranges::stable_sort(in_row, {}, &ListedRack::position);
      ++row;
      std::size_t place = 0;
      for (const ListedRack* rack : in_row) {
        ImportedRack imported{.listed = *rack, .name = fmt::format("row_{}.rack_{}", row, ++place), .pdus = {}};
        for (const std::string& feed : {rack->feed_a, rack->feed_b}) {
          if (!feed.empty() && imported.pdus.size() < cords_.at(rack->name))
            imported.pdus.push_back(pdu_names_.at(feed));
        }
        group.racks.push_back(std::move(imported));
      }
      group.rows.push_back(in_row.size());
      rows_of_[listed_row].push_back(row);
    }
    hall_.groups.push_back(std::move(group));
  }

  void note_rows() {
    std::map<std::string, std::vector<int>> positions;
    for (const ListedRack& rack : tables_.racks) positions[rack.row].push_back(rack.position);
    std::set<std::size_t> lengths;
    for (auto& [row, taken] : positions) {
      std::ranges::sort(taken);
      lengths.insert(taken.size());
      if (taken.back() - taken.front() + 1 > static_cast<int>(taken.size()))
        note(fmt::format("row {}: free positions between racks are left out, racks are side by side", row));
      if (rows_of_[row].size() > 1)
        note(fmt::format("row {}: it has racks of several groups; each group gets its own rows: {}", row,
                         fmt::join(rows_of_[row], ", ")));
    }
    if (lengths.size() > 1)
      note(fmt::format("rows have different lengths, {} to {} racks", *lengths.begin(), *lengths.rbegin()));
  }

  void choose_redundancy() {
    const bool is_any_dual = std::ranges::any_of(cords_, [](const auto& rack) { return rack.second == 2; });
    hall_.redundancy = !is_any_dual ? "single" : hall_.blocks.size() == 2 ? "2N" : "distributed";
    note(fmt::format("power.redundancy: {}, from the feeds of racks; motors follow it", hall_.redundancy));
  }

  double nameplate_w(const ListedRack& rack) const { return rack.nodes * tables_.device(rack.hardware)->rating; }

  void warn(const std::string& what, double rated_w, double load_w, const std::string& of) {
    if (rated_w >= load_w) return;
    hall_.warnings.push_back(fmt::format("the rating of {} is {}, less than the sum of the nameplates of {}: {}", what,
                                         format_quantity(rated_w, "W"), of, format_quantity(load_w, "W")));
  }

  void compare_ratings() {
    for (const ListedPower& one : tables_.power) {
      if (one.kind != "pdu" && one.kind != "ups" && one.kind != "transformer") continue;
      const DeviceRating* device = tables_.device(one.hardware);
      const double rating = one.rating > 0.0 ? one.rating : device == nullptr ? 0.0 : device->rating;
      double load_w = 0.0;
      for (const ListedRack& rack : tables_.racks) {
        if (hangs_on(rack.feed_a, one.name) || hangs_on(rack.feed_b, one.name)) load_w += nameplate_w(rack);
      }
      warn(fmt::format("{} {}", one.kind, one.name), rating * one.count, load_w, "all racks with a cord behind it");
    }
    for (const ImportedLoop& loop : hall_.loops) {
      double load_w = 0.0;
      for (const ListedRack& rack : tables_.racks) load_w += rack.loop == loop.listed ? nameplate_w(rack) : 0.0;
      warn(fmt::format("loop {}", loop.listed), rated(loop.cdus), load_w, "its racks, with what goes to air,");
    }
  }

  bool hangs_on(const std::string& feed, const std::string& name) const {
    for (const ListedPower* at = tables_.equipment(feed); at != nullptr; at = tables_.equipment(at->upstream)) {
      if (at->name == name) return true;
    }
    return false;
  }

  const HallTables& tables_;
  ImportedHall hall_;
  std::map<std::string, std::string> pdu_names_, block_of_;  ///< by listed names, of PDUs and of roots
  std::map<std::string, std::size_t> cords_;                 ///< of a rack
  std::map<std::string, std::vector<std::size_t>> rows_of_;  ///< of the scenario, by listed row
};

}  // namespace

ImportedHall group_hall(const HallTables& tables) { return Grouping(tables).group(); }

}  // namespace wattloop::twin
