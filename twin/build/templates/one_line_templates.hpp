// What the templates of power share: UPS with their rooms and bypasses, the diagram as drawn.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "electrical/one_line.hpp"
#include "twin/build/templates/templates.hpp"

namespace wattloop::twin {

using electrical::OneLineDiagram;

/// Modules of one UPS and the room whose air takes their loss.
struct UpsInRoom {
  std::string name;
  electrical::Ups::Params module;
  int modules = 1;
  std::size_t room = 0;  ///< in `Diagram::rooms`
};

/// The room of that name in `Diagram::rooms`; the first where there is none.
std::size_t room_called(const Diagram& diagram, const std::string& name);
/// The room of a UPS of a diagram as drawn.
std::size_t room_of_ups(const Diagram& diagram, const PowerSpec& power, const DrawnBranch& ups);
/// All of them, in the order in which their branches are added.
std::vector<UpsInRoom> ups_in_rooms(const Diagram& diagram, const PowerSpec& power);

/// Adds a UPS with its bypass. Its loss warms the room, or its electronics (declare_ups_heat), which are numbered behind the rooms.
void add_ups(OneLineDiagram& one_line, electrical::Branch ups, std::size_t room, bool has_bypass);

/// Rooms that equipment names and that are not there.
void check_rooms_of_drawn(const Diagram& diagram, const PowerSpec& power, Problems& problems);

/// Buses, sources and branches of `power.one_line` (twin/build/templates/template_one_line.cpp).
void add_drawn(const Diagram& diagram, const PowerSpec& power, OneLineDiagram& one_line);
/// The model of voltages, unless `flow` is `watts`. Transformers whose ratio is not that of their buses are reported.
void declare_voltages(Diagram& diagram, const PowerSpec& power, Problems& problems);
/// Loads besides racks and motors, behind all others.
void declare_site_loads(Diagram& diagram, const OneLineSpec& spec);
/// Generators at each bus, and switches that close by themselves.
void declare_drawn_standby(Diagram& diagram, const OneLineSpec& spec);
void declare_switch_rules(Diagram& diagram, const OneLineSpec& spec);

}  // namespace wattloop::twin
