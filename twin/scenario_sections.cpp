#include "twin/scenario_sections.hpp"

namespace wattloop::twin {

namespace {

/// Version first, then what people look for.
std::vector<FieldRef> head_fields(ScenarioDraft& draft) {
  std::vector<FieldRef> fields = field_refs(draft);
  const std::vector<FieldRef> scenario_fields = field_refs(draft.scenario);
  fields.insert(fields.begin() + 1, scenario_fields.begin(), scenario_fields.end());
  return fields;
}

Section cooling_section(CoolingSpec& cooling) {
  return {
      .key = "cooling",
      .doc = "How heat leaves the hall.",
      .sections =
          {
              {.key = "loops",
               .doc = "Technology loops: coolant between the racks and their coolant distribution units; all "
                      "alike.",
               .fields = field_refs(cooling.loops),
               .device = {cdu_device(cooling.loops)},
               .device_name = &cooling.loops.cdu_name},
              {.key = "facility",
               .doc = "Facility water on the other side of the coolant distribution units.",
               .fields = field_refs(cooling.facility)},
              {.key = "rear_doors",
               .doc = "Rear-door heat exchangers, one on each rack.",
               .fields = field_refs(cooling.doors),
               .device = {rear_door_device(cooling.doors)},
               .device_name = &cooling.doors.door_name},
              {.key = "room", .doc = "The air of the hall.", .fields = field_refs(cooling.room)},
          },
  };
}

Section hall_section(Scenario& scenario) {
  return {
      .key = "hall",
      .doc = "What stands in the hall.",
      .sections =
          {
              {.key = "racks",
               .doc = "Racks of equal nodes.",
               .fields = field_refs(scenario.racks),
               .device = {node_device(scenario.racks.hardware)},
               .device_name = &scenario.racks.hardware.name},
              cooling_section(scenario.cooling),
          },
  };
}

FieldRef number_of(int& count, std::string_view name, std::string_view doc) {
  return {&count, FieldInfo{name, {}, Range::positive, doc, {}}};
}

Section power_section(PowerSpec& power) {
  return {
      .key = "power",
      .doc = "The way from the utility feed to the racks; all devices of a kind share the load.",
      .sections =
          {
              {.key = "transformers",
               .doc = "Transformers from medium to low voltage.",
               .fields = {number_of(power.transformers, "count", "Transformers in parallel.")},
               .device = {transformer_device(power)},
               .device_name = &power.transformer_name},
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
          },
  };
}

Section record_section(ScenarioDraft& draft) {
  RecordSpec& record = draft.scenario.record;
  return {
      .key = "record",
      .doc = "What is written to the results, how often.",
      .fields = field_refs(record),
      .sections = {{
          .key = "gpus",
          .doc = "Single GPUs.",
          .fields = {{&record.gpus_s,
                      FieldInfo{"every", "s", Range::positive, "Interval of single GPUs.", {}}}},
          .special =
              {{.key = "fields",
                .doc =
                    "List of what is written: power, clock_fraction and the states of the GPU's unit kind.",
                .read = [&draft](const Node& value, Problems&) { draft.gpu_fields = value; }}},
      }},
  };
}

}  // namespace

Section scenario_section(ScenarioDraft& draft) {
  Scenario& scenario = draft.scenario;
  return {
      .key = "",
      .doc = "A run of one hall.",
      .fields = head_fields(draft),
      .sections = {hall_section(scenario), power_section(scenario.power), record_section(draft)},
      .special = {workload_key(scenario.workload), events_key(scenario.events)},
  };
}

}  // namespace wattloop::twin
