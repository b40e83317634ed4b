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

Section network_section(NetworkSpec& network) {
  std::vector<FieldRef> fields = field_refs(network);
  for (const FieldRef& field : field_refs(network.tree)) fields.push_back(field);
  return {.key = "network",
          .doc = "The fabric between the nodes, a fat tree: its switches in racks with doors of their own.",
          .fields = std::move(fields),
          .device = {switch_device(network)},
          .device_name = &network.switch_name,
          .is_given = &network.is_given,
          .is_optional = true};
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
              network_section(scenario.network),
              cooling_section(scenario.cooling),
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
                      FieldInfo{"every", "s", Range::positive, "Interval of single GPUs; where it is not given, 10 min with more than 20000 GPUs.", {}}}},
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
      .special = {workload_key(scenario.workload), weather_key(scenario.weather),
                  events_key(scenario.events)},
  };
}

}  // namespace wattloop::twin
