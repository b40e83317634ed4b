// `hall.cooling` of a scenario: technology loops, facility water with towers, chilled water with chillers,
// doors, air.
#include "twin/scenario/sections/scenario_sections.hpp"

namespace wattloop::twin {

namespace {

Section loops_section(LoopsSpec& loops) {
  return {.key = "loops",
          .doc =
              "Technology cooling loops (TCS): coolant between the racks and their CDUs; one definition for all loops, "
              "or several by name.",
          .fields = field_refs(loops),
          .special = {name_key("on", "Name of the water system that cools the loops: facility, or a name of `water`.",
                               loops.on, loops.on_mention)},
          .device = {cdu_device(loops)},
          .device_name = &loops.cdu_name,
          .is_optional = true};
}

/// Technology loops, of one sort or of several by name.
Section all_loops(std::vector<LoopsSpec>& loops) {
  Section section = loops_section(loops.front());
  section.is_given = &loops.front().is_given;
  section.by_name = [&loops](const std::vector<std::string>& names) {
    loops.clear();
    return sections_by_name(loops, {"hall", "cooling", "loops"}, names, loops_section);
  };
  return section;
}

Section pumps_section(WaterPumpsSpec& pumps, std::string doc) {
  return {.key = "pumps",
          .doc = std::move(doc),
          .fields = field_refs(pumps),
          .device = {water_pump_device(pumps)},
          .device_name = &pumps.pump_name,
          .is_given = &pumps.is_given};
}

Section facility_section(FacilitySpec& facility) {
  Section pumps = pumps_section(facility.pumps, "Pumps from the towers to the CDUs.");
  pumps.is_optional = true;  // with towers they are needed: see check_consistency
  return {.key = "facility",
          .doc = "Facility water between the heat rejection and the CDUs and chillers.",
          .fields = field_refs(facility),
          .sections = {std::move(pumps),
                       {.key = "towers",
                        .doc = "Cells of wet cooling towers, all equal, each with its pump.",
                        .fields = field_refs(facility.towers),
                        .device = {cooling_tower_device(facility.towers)},
                        .device_name = &facility.towers.tower_name,
                        .is_given = &facility.towers.is_given,
                        .is_optional = true}},
          .is_given = &facility.is_given,
          .is_optional = true};
}

/// Water systems besides the facility water.
Section named_water_section(std::vector<FacilitySpec>& water) {
  return {.key = "water",
          .doc =
              "Further water systems by name, each with the keys of hall.cooling.facility; technology loops and "
              "chillers are connected to them by name.",
          .is_optional = true,
          .by_name = [&water](const std::vector<std::string>& names) {
            return sections_by_name(water, {"hall", "cooling", "water"}, names, facility_section);
          }};
}

Section rear_doors_section(DoorsSpec& doors) {
  return {
      .key = "rear_doors",
      .doc =
          "Rear-door heat exchangers, one on each rack; or several kinds of doors by name, which racks choose with "
          "`on: { door: NAME }`.",
      .fields = field_refs(doors),
      .special = {name_key(
          "on",
          "Name of the chilled water of their coils; `outside`: water from outside the model at a given temperature.",
          doors.on, doors.on_mention)},
      .device = {rear_door_device(doors)},
      .device_name = &doors.door_name,
      .is_given = &doors.is_given,
      .is_optional = true};
}

Section chilled_water_section(ChilledWaterSpec& water) {
  return {
      .key = "chilled_water",
      .doc =
          "Chilled-water plant for doors and air handlers, or several by name; without a plant the water of their "
          "coils has a given temperature.",
      .fields = field_refs(water),
      .sections = {pumps_section(water.pumps, "Pumps from the chillers to doors and air handlers."),
                   {.key = "chillers",
                    .doc = "Chillers that reject heat to the facility water; the load decides how many chillers run.",
                    .fields = field_refs(water.chillers),
                    .device = {chiller_device(water.chillers)},
                    .device_name = &water.chillers.chiller_name,
                    .is_given = &water.chillers.is_given,
                    .is_optional = true}},  // another part may make the water
      .special = {name_key("condenser", "Name of the water system of their condensers: facility, or a name of `water`.",
                           water.condenser, water.condenser_mention)},
      .is_given = &water.is_given,
      .is_optional = true};
}

/// One of them without a name, or several by name. The first is there to be read into; it is not given until it is said.
template <class Spec>
Section one_or_several(std::vector<Spec>& specs, Section (*section_of)(Spec&)) {
  if (specs.empty()) specs.resize(1);
  Section section = section_of(specs.front());
  section.by_name = [&specs, section_of](const std::vector<std::string>& names) {
    const FilePath path = Spec{}.path;
    specs.clear();
    return sections_by_name(specs, path, names, section_of);
  };
  return section;
}

}  // namespace

Section crahs_section(CrahsSpec& crahs, std::string doc) {
  return {.key = "crahs",
          .doc = std::move(doc),
          .fields = field_refs(crahs),
          .special = {name_key("on",
                               "Water of their coils: the name of a chilled water, or the name of rear doors whose "
                               "water comes from outside the model.",
                               crahs.on, crahs.on_mention)},
          .device = {crah_device(crahs)},
          .device_name = &crahs.crah_name,
          .is_given = &crahs.is_given};
}

Section humidity_section(HumiditySpec& humidity) {
  return {.key = "humidity",
          .doc = "Humidity control of the room; without it the humidity of the room follows the outdoor air.",
          .fields = field_refs(humidity),
          .is_given = &humidity.is_given,
          .is_optional = true};
}

namespace {

Section hall_crahs_section(CrahsSpec& crahs) {
  return crahs_section(crahs,
                       "Air handlers of the hall, on the water of the rear doors; in a hall with several rooms, the "
                       "air handlers of each room by its name.");
}

/// Air handlers of the one room, or of several by their names.
Section all_crahs(std::vector<CrahsSpec>& crahs) {
  Section section = hall_crahs_section(crahs.front());
  section.is_optional = true;
  section.by_name = [&crahs](const std::vector<std::string>& names) {
    crahs.clear();
    return sections_by_name(crahs, {"hall", "cooling", "crahs"}, names, hall_crahs_section);
  };
  return section;
}

Section room_section(RoomSpec& room) {
  return {.key = "room",
          .doc = "Air of the hall, or of several named rooms; assign racks to a room with `on: { room: ... }`.",
          .fields = field_refs(room),
          .sections = {humidity_section(room.humidity)}};
}

/// The one room of a hall, or several by name.
Section all_rooms(std::vector<RoomSpec>& rooms) {
  Section section = room_section(rooms.front());
  section.by_name = [&rooms](const std::vector<std::string>& names) {
    rooms.clear();
    return sections_by_name(rooms, {"hall", "cooling", "room"}, names, room_section);
  };
  return section;
}

}  // namespace

Section cooling_section(CoolingSpec& cooling) {
  return {
      .key = "cooling",
      .doc = "How heat leaves the hall.",
      .sections =
          {
              all_loops(cooling.loops),
              facility_section(cooling.water.front()),
              named_water_section(cooling.water),  // after the other: it makes room for more
              one_or_several(cooling.doors, rear_doors_section),
              one_or_several(cooling.chilled_water, chilled_water_section),
              all_crahs(cooling.crahs),
              all_rooms(cooling.rooms),
          },
  };
}

}  // namespace wattloop::twin
