#include "twin/ratings/rack_places.hpp"

#include <limits>
#include <string>
#include <string_view>
#include <unordered_map>

namespace wattloop::twin {

namespace {

constexpr std::string_view output_of_pdu = ".output";

void add_name(std::string& names, std::string_view name) { (names += names.empty() ? "" : " ") += name; }

/// "pdu_a_1" of its bus "pdu_a_1.output".
std::string_view feeder_named(std::string_view bus) {
  return bus.ends_with(output_of_pdu) ? bus.substr(0, bus.size() - output_of_pdu.size()) : bus;
}

}  // namespace

std::vector<ItemLabels> rack_places(const ItEquipment& it, const Topology& topology, std::span<const LayoutBox> boxes) {
  const std::size_t racks = it.racks.size();
  const std::vector<std::string> no_texts(racks);
  const std::vector<double> no_numbers(racks, std::numeric_limits<double>::quiet_NaN());
  std::vector<ItemLabels> places{{"row", "row in which it stands", no_texts, {}, ""},
                                 {"coolant_loop", "coolant loop that cools it", no_texts, {}, ""},
                                 {"pdu", "PDUs or buses that feed it", no_texts, {}, ""},
                                 {"x", "position of its centre", {}, no_numbers, "m"},
                                 {"y", "position of its centre", {}, no_numbers, "m"},
                                 {"gpu_count", "GPUs in it", {}, no_numbers, ""}};
  std::unordered_map<std::string_view, std::size_t> number;
  std::unordered_map<std::string_view, std::string_view> kinds;
  for (const TopologyPart& part : topology.parts) kinds.emplace(part.name, part.kind);
  for (std::size_t rack = 0; rack < racks; ++rack) {
    number.emplace(it.racks[rack].name, rack);
    places[5].numbers[rack] = static_cast<double>(it.gpus_in(rack));
  }
  for (const TopologyConnection& connection : topology.connections) {
    if (const auto fed = number.find(connection.to); fed != number.end() && connection.medium == "electricity")
      add_name(places[2].texts[fed->second], feeder_named(connection.from));
    const auto cooled = number.find(connection.from);
    if (cooled == number.end() || connection.medium != "heat") continue;
    const std::string_view kind = kinds[connection.to];
    if (kind == "row") add_name(places[0].texts[cooled->second], connection.to);
    if (kind == "coolant loop") add_name(places[1].texts[cooled->second], connection.to);
  }
  for (const LayoutBox& box : boxes) {
    const auto drawn = number.find(box.name);
    if (box.kind != "rack" || drawn == number.end()) continue;
    places[3].numbers[drawn->second] = box.centre_m[0];
    places[4].numbers[drawn->second] = box.centre_m[1];
  }
  return places;
}

}  // namespace wattloop::twin
