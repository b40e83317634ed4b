#include "twin/scenario/scenario_sections.hpp"

#include <fmt/format.h>

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

void read_gpu_spread(const Node& value, UnitSpread& spread, Problems& problems) {
  if (value.is_scalar() && value.text == "none") {
    spread = UnitSpread::none();
    return;
  }
  if (!value.is_map()) {
    problems.add(problem_at(value, fmt::format("hall.racks.gpu_spread is {}, expected none or a map", describe(value)),
                            "{ resistance: 7 %, flow: 5 %, leakage: 10 % }"));
    return;
  }
  read_section(value, "hall.racks.gpu_spread", {.key = "gpu_spread", .fields = field_refs(spread)}, problems);
  for (const FieldRef& field : field_refs(spread)) {
    if (!(*std::get<double*>(field.target) > UnitSpread::largest_ratio)) continue;
    problems.add(problem_at(
        *find(value, field.info.name),
        fmt::format("{} is a spread of more than {:.0f} %", field.info.name, 100.0 * UnitSpread::largest_ratio),
        "the least of the units would have nearly nothing"));
  }
}

SpecialKey gpu_spread_key(UnitSpread& spread) {
  return {.key = "gpu_spread",
          .doc = "How far GPUs differ from each other, by classes that follow from the seed; none: not at all.",
          .rows = field_table(field_refs(spread)),
          .read = [&spread](const Node& value, Problems& problems) { read_gpu_spread(value, spread, problems); }};
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
               .special = {gpu_spread_key(scenario.racks.gpu_spread)},
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
                      FieldInfo{"every",
                                "s",
                                Range::positive,
                                "Interval of single GPUs; where it is not given, 10 min with more than 20000 GPUs.",
                                {}}}},
          .special = {{.key = "fields",
                       .doc = "List of what is written: power, clock_fraction and the states of the GPU's unit kind.",
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
      .special = {workload_key(scenario.workload), weather_key(scenario.weather), parts_key(scenario.parts),
                  events_key(scenario.events)},
  };
}

}  // namespace wattloop::twin
