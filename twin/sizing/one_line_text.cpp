#include "twin/sizing/one_line_text.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/units/units.hpp"
#include "electrical/tree_voltages.hpp"
#include "twin/scenario/specs/diagram_changes.hpp"

namespace wattloop::twin {

namespace {

class OneLineWriter {
 public:
  OneLineWriter(const Scenario& scenario, const Plant& plant)
      : power_(scenario.power),
        plant_(plant),
        tree_(plant.power_tree),
        voltage_v_(electrical::nominal_voltages(tree_)) {}

  std::string text() {
    std::string text = "  one_line:\n    buses:\n";
    for (std::size_t bus = 0; bus < tree_.bus_name.size(); ++bus)
      text += fmt::format("      {}: {}\n", tree_.bus_name[bus], format_quantity(voltage_v_[bus], "V"));
    text += "    sources:\n";
    for (std::size_t source = 0; source < tree_.source_name.size(); ++source) text += source_text(source);
    text += "    branches:\n";
    for (std::size_t branch = 0; branch < tree_.branch_name.size(); ++branch) text += branch_text(branch);
    return text + cords_text();
  }

 private:
  std::string bus(int number) const { return tree_.bus_name[static_cast<std::size_t>(number)]; }

  /// The block whose name a component has behind that of its kind: "a" of "ups_a_3".
  const PowerBlockSpec& block_of(const std::string& component) {
    const std::vector<PowerBlockSpec>& all = blocks();
    for (const PowerBlockSpec& block : all) {
      const std::string part = "_" + block.name;
      if (component.ends_with(part) || component.find(part + "_") != std::string::npos) return block;
    }
    return all.front();
  }
  const std::vector<PowerBlockSpec>& blocks() {
    if (blocks_.empty()) blocks_ = power_.blocks();
    return blocks_;
  }

  /// What a feed says that is not its default.
  static std::string feed_text(const electrical::UtilityFeed::Params& feed) {
    constexpr electrical::UtilityFeed::Params silent{};
    std::string text;
    for (const auto& field : electrical::UtilityFeed::Params::fields()) {
      const auto member = std::get<double electrical::UtilityFeed::Params::*>(field.member);
      if (feed.*member == silent.*member) continue;
      const std::string_view unit = field.info.unit == "V A" ? " VA" : field.info.unit == "1" ? "" : " W";
      text += fmt::format(", {}: {:.10g}{}", field.info.name, feed.*member, unit);
    }
    return text;
  }

  std::string source_text(std::size_t source) {
    const std::string& name = tree_.source_name[source];
    const GeneratorsSpec& generators = block_of(name).generators;
    std::string more;
    if (tree_.source_is_standby[source] != 0) {
      more = ", hardware: " + generators.generator_name + (generators.is_enabled ? "" : ", enabled: false");
    } else {
      more = feed_text(tree_.source_feed[source]);
    }
    return fmt::format("      {}: {{ bus: {}{} }}\n", name, bus(tree_.source_bus[source]), more);
  }

  std::string branch_text(std::size_t branch) {
    if (tree_.branch_bypassed[branch] != electrical::no_branch) return {};  // its UPS says it
    const std::string& name = tree_.branch_name[branch];
    std::string text = fmt::format("      {}: {{ from: {}, to: {}, hardware: {}", name, bus(tree_.branch_from[branch]),
                                   bus(tree_.branch_to[branch]), hardware(branch));
    if (tree_.branch_modules[branch] > 1) text += fmt::format(", modules: {}", tree_.branch_modules[branch]);
    if (tree_.branch_spare_modules[branch] != electrical::not_said)
      text += fmt::format(", redundant: {}", tree_.branch_spare_modules[branch]);
    if (tree_.branch_kind[branch] == electrical::Ups::kind) text += ups_text(name);
    if (tree_.branch_kind[branch] == electrical::Pdu::kind && power_has_rooms()) text += room_text(branch);
    return text + " }\n";
  }

  std::string hardware(std::size_t branch) {
    const PowerBlockSpec& block = block_of(tree_.branch_name[branch]);
    const std::string_view kind = tree_.branch_kind[branch];
    if (kind == electrical::Substation::kind) return block.substation_name;
    if (kind == electrical::Transformer::kind) return block.transformer_name;
    return kind == electrical::Ups::kind ? block.ups_name : block.pdu_name;
  }

  std::string ups_text(const std::string& name) {
    const PowerBlockSpec& block = block_of(name);
    std::string text;
    if (power_.rooms.is_given) text += ", room: " + block.name;
    if (block.ups_bypass != "static") text += ", bypass: " + block.ups_bypass;
    if (block.ups_batteries != "per_module") text += ", batteries: " + block.ups_batteries;
    return text;
  }

  bool power_has_rooms() const { return plant_.rooms.size() > 1 + power_.electrical_rooms().size(); }
  std::string room_text(std::size_t branch) const {
    return ", room: " + plant_.rooms[static_cast<std::size_t>(tree_.branch_room[branch])].name;
  }

  /// Loads that hang on the same buses, together, in the order of the first of them.
  std::string cords_text() const {
    std::string text = "  cords:\n";
    std::vector<bool> is_of_motor(tree_.load_name.size(), false);
    for (const MotorPart& motor : plant_.motors) is_of_motor[motor.load] = true;
    for (const bool are_motors : {false, true}) {
      std::vector<std::string> order;
      std::map<std::string, std::vector<std::string>> names_on;
      for (std::size_t load = 0; load < tree_.load_name.size(); ++load) {
        const bool is_of_door = tree_.load_name[load].ends_with(door_fans_suffix);
        if (is_of_motor[load] != are_motors || is_of_door) continue;
        const std::string on = on_text(load, are_motors);
        if (!names_on.contains(on)) order.push_back(on);
        names_on[on].push_back(tree_.load_name[load]);
      }
      for (const std::string& on : order)
        text += fmt::format("    - {{ {}: [{}], {} }}\n", are_motors ? "motors" : "racks",
                            fmt::join(names_on.at(on), ", "), on);
    }
    return text;
  }

  std::string on_text(std::size_t load, bool is_motor) const {
    const auto [first, second] = tree_.load_bus[load];
    std::string on = "buses: [" + bus(first) + (second == electrical::no_bus ? "" : ", " + bus(second)) + "]";
    if (!is_motor && tree_.load_transfers[load] != 0) on += ", static_switch: true";
    return on;
  }

  const PowerSpec& power_;
  const Plant& plant_;
  const electrical::PowerTree& tree_;
  const std::vector<double> voltage_v_;  ///< [buses]
  std::vector<PowerBlockSpec> blocks_;
};

}  // namespace

std::string one_line_text(const Scenario& scenario, const Plant& plant) {
  if (scenario.power.one_line.is_given) return {};
  return OneLineWriter(scenario, plant).text();
}

}  // namespace wattloop::twin
