// `power` of a scenario: the way from the utility feeds to the racks, and the rooms that its losses heat.
#include <algorithm>

#include "twin/scenario/scenario_sections.hpp"

namespace wattloop::twin {

namespace {

FieldRef number_of(int& count, std::string_view name, std::string_view doc) {
  return {&count, FieldInfo{name, {}, Range::positive, doc, {}}};
}

Section substation_section(PowerSpec& power) {
  return {.key = "substation",
          .doc = "One transformer from the utility's high voltage for each side.",
          .device = {transformer_device(power.substation)},
          .device_name = &power.substation_name,
          .is_given = &power.has_substation,
          .is_optional = true};
}

Section generators_section(GeneratorsSpec& generators) {
  return {.key = "generators",
          .doc = "Standby generators at the low voltage of each side, behind its transformers.",
          .fields = field_refs(generators),
          .device = {generator_device(generators)},
          .device_name = &generators.generator_name,
          .is_given = &generators.is_given,
          .is_optional = true};
}

Section rooms_section(ElectricalRoomsSpec& rooms) {
  std::vector<FieldRef> fields = field_refs(rooms.room);
  std::erase_if(fields, [](const FieldRef& field) { return field.info.name == "recirculation"; });
  return {.key = "rooms",
          .doc = "One room for the UPS of each side; without them the UPS stand in the hall.",
          .fields = std::move(fields),
          .sections = {crahs_section(rooms.crahs, "Air handlers of each room, on the water of the rear doors."),
                       humidity_section(rooms.room.humidity)},
          .is_given = &rooms.is_given,
          .is_optional = true};
}

}  // namespace

Section power_section(PowerSpec& power) {
  return {
      .key = "power",
      .doc =
          "The way from the utility feed to the racks; counts are those of one side, whose devices share its "
          "load.",
      .fields = field_refs(power),
      .sections =
          {
              substation_section(power),
              {.key = "transformers",
               .doc = "Transformers from medium to low voltage.",
               .fields = {number_of(power.transformers, "count", "Transformers in parallel.")},
               .device = {transformer_device(power.transformer)},
               .device_name = &power.transformer_name},
              generators_section(power.generators),
              {.key = "ups",
               .doc = "Uninterruptible power supplies.",
               .fields = {number_of(power.ups_modules, "modules", "Modules in parallel.")},
               .device = {ups_device(power)},
               .device_name = &power.ups_name},
              {.key = "pdus",
               .doc = "Power distribution units with their busways.",
               .fields = {number_of(power.pdus, "count", "Units; racks are shared out among them.")},
               .device = {pdu_device(power)},
               .device_name = &power.pdu_name},
              rooms_section(power.rooms),
          },
      .special = {cords_key(power.cords), absent_key(power.absent)},
  };
}

}  // namespace wattloop::twin
