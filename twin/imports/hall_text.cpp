#include "twin/imports/hall_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/text/quoted_text.hpp"
#include "core/units/units.hpp"
#include "twin/document/yaml_text.hpp"

namespace wattloop::twin {

namespace {

// Of the reference hall, by rack (scenarios/h100_10k.yaml): 5400 m3, 100 MJ/K, 70 kW/K and 12 m3 of coolant for 160 racks.
constexpr double room_m3 = 34.0, mass_kj_per_k = 625.0, mass_w_per_k = 440.0, coolant_l = 75.0;

std::string device_text(const RatedDevice& device) {
  std::string text = fmt::format("hardware: {}", device.hardware);
  if (device.rating > 0.0) {
    text += fmt::format(", with: {{ {}: {:.10g} {} }}", rating_key(device.kind), device.rating / 1e3,
                        device.kind == "transformer" ? "kVA" : "kW");
  }
  return text;
}

std::string racks_text(const ImportedHall& hall) {
  std::string text = "  racks:\n";
  for (const ImportedGroup& group : hall.groups) {
    // A list of one number would be a number of rows.
    const std::string rows = group.rows.size() == 1 ? "1" : fmt::format("[{}]", fmt::join(group.rows, ", "));
    std::string on = group.loop.empty() ? "" : fmt::format("coolant: {}, ", group.loop);
    on += fmt::format("power: [{}]", fmt::join(group.blocks, ", "));
    text += fmt::format("    {}: {{ count: {}, rows: {}, nodes: {}, hardware: {}, on: {{ {} }} }}\n", group.name,
                        group.racks.size(), rows, group.nodes, group.hardware, on);
  }
  return text;
}

std::string cooling_text(const ImportedHall& hall, std::size_t racks) {
  std::string text = "  cooling:\n";
  if (!hall.loops.empty()) text += "    loops:   # supply, volume and pressure: assumed\n";
  for (const ImportedLoop& loop : hall.loops) {
    text += fmt::format(
        "      {}: {{ cdus: {}, {}, supply_temperature: 32 degC, volume: {:g} L, differential_pressure: 80 kPa }}\n",
        loop.name, loop.cdus.count, device_text(loop.cdus), coolant_l * static_cast<double>(loop.racks));
  }
  const auto count = static_cast<double>(racks);
  if (!hall.loops.empty()) text += "    facility: { supply_temperature: 24 degC }   # assumed\n";
  return text +
         fmt::format(
             "    rear_doors: {{ hardware: rdhx_55kw, supply_temperature: 20 degC }}   # assumed\n"
             "    room: {{ volume: {:g} m3, mass_heat_capacity: {:g} kJ/K, mass_conductance: {:g} W/K }}   # assumed\n",
             room_m3 * count, mass_kj_per_k * count, mass_w_per_k * count);
}

std::string blocks_text(const ImportedHall& hall) {
  std::string text = fmt::format("power:\n  redundancy: {}\n  blocks:\n", hall.redundancy);
  for (const ImportedBlock& block : hall.blocks) {
    text += fmt::format("    {}:   # {}\n", block.name, comment_text(block.root));
    text += fmt::format("      transformers: {{ count: {}, {} }}\n", block.transformers.count,
                        device_text(block.transformers));
    if (block.generators.count > 0)
      text +=
          fmt::format("      generators: {{ count: {}, {} }}\n", block.generators.count, device_text(block.generators));
    text += block.ups.count == 0
                ? "      ups: none\n"
                : fmt::format("      ups: {{ modules: {}, {} }}\n", block.ups.count, device_text(block.ups));
    text += fmt::format("      pdus: {{ count: {}, {} }}\n", block.pdus.count, device_text(block.pdus));
  }
  return text;
}

/// Racks with the same PDUs in one entry.
std::string cords_text(const ImportedHall& hall) {
  std::vector<std::pair<std::vector<std::string>, std::vector<std::string>>> cords;
  for (const ImportedGroup& group : hall.groups) {
    for (const ImportedRack& rack : group.racks) {
      auto found = cords.begin();
      while (found != cords.end() && found->first != rack.pdus) ++found;
      if (found == cords.end()) found = cords.insert(cords.end(), {rack.pdus, {}});
      found->second.push_back(rack.name);
    }
  }
  std::string text = "  cords:\n";
  for (const auto& [pdus, racks] : cords)
    text += fmt::format("    - {{ pdus: [{}], racks: [{}] }}\n", fmt::join(pdus, ", "), fmt::join(racks, ", "));
  return text;
}

}  // namespace

std::string hall_text(const ImportedHall& hall, const std::string& title) {
  std::size_t racks = 0;
  for (const ImportedGroup& group : hall.groups) racks += group.racks.size();
  std::string text = fmt::format("{}. What the lists do not say is assumed, and marked so.\n#\n", imported_head);
  for (const std::string& note : hall.notes) text += fmt::format("# {}\n", comment_text(note));
  text += fmt::format(
      "format: 1\ntitle: {}\nduration: 1 h\nseed: 1\n\nworkload: {{ kind: training }}   # "
      "assumed\n\nhall:\n",
      yaml_text(without_environment(title)));
  text += racks_text(hall) + cooling_text(hall, racks) + "\n" + blocks_text(hall) + cords_text(hall);
  text += "\n# Racks here, and as they are listed: name, row, position.\n";
  for (const ImportedGroup& group : hall.groups) {
    for (const ImportedRack& rack : group.racks) {
      text += fmt::format("# {:<16} {}, {}, {}\n", rack.name, comment_text(rack.listed.name),
                          comment_text(rack.listed.row), rack.listed.position);
    }
  }
  return text;
}

}  // namespace wattloop::twin
