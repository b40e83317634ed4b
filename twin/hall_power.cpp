// The one-line diagram of the hall: one utility feed, transformers, UPS and PDUs in a line; racks on the PDUs in turn,
// CDU pumps behind the UPS. Transformers stand outdoors, UPS and PDUs in the room.

#include <fmt/format.h>

#include "electrical/one_line.hpp"
#include "twin/plant_draft.hpp"

namespace wattloop::twin {

namespace {

constexpr int room = 0;

std::string pdu_bus(std::size_t number) { return fmt::format("pdu_{}.output", number + 1); }

void add_loads(const PlantDraft& draft, electrical::OneLineDiagram& diagram) {
  const HallParts& hall = draft.plant.hall;
  diagram.loads.resize(draft.plant.map.load_count);
  const auto pdus = static_cast<std::size_t>(draft.scenario.power.pdus);
  for (std::size_t r = 0; r < hall.racks.size(); ++r) {
    diagram.loads[hall.racks[r].load] = {hall.racks[r].name, {pdu_bus(r % pdus)}};
  }
  for (const MotorPart& motor : hall.motors) diagram.loads[motor.load] = {motor.name, {"ups_a.output"}};
}

}  // namespace

electrical::OneLineDiagram hall_one_line(const PlantDraft& draft) {
  using electrical::outdoors;
  const PowerSpec& spec = draft.scenario.power;
  electrical::OneLineDiagram diagram;
  diagram.rooms = static_cast<int>(draft.plant.hall.rooms.size());
  diagram.buses = {{"utility_a.bus"}, {"transformer_a.output"}, {"ups_a.output"}};
  diagram.sources = {{.name = "utility_a", .bus = "utility_a.bus"}};
  diagram.branches.push_back({.name = "transformer_a", .from = "utility_a.bus", .to = "transformer_a.output",
                              .equipment = spec.transformer, .modules = spec.transformers, .room = outdoors});
  diagram.branches.push_back({.name = "ups_a", .from = "transformer_a.output", .to = "ups_a.output",
                              .equipment = spec.ups, .modules = spec.ups_modules, .room = room});
  for (std::size_t p = 0; p < static_cast<std::size_t>(spec.pdus); ++p) {
    diagram.buses.push_back({pdu_bus(p)});
    diagram.branches.push_back({.name = fmt::format("pdu_{}", p + 1), .from = "ups_a.output", .to = pdu_bus(p),
                                .equipment = spec.pdu, .modules = 1, .room = room});
  }
  add_loads(draft, diagram);
  return diagram;
}

}  // namespace wattloop::twin
