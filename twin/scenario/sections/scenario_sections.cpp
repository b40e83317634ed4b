#include "twin/scenario/sections/scenario_sections.hpp"

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

SpecialKey door_key(RackHangsOn& on) {
  return name_key("door", "rear_doors, or rear doors by name; none for racks without doors.", on.door, on.door_mention);
}

Section network_section(NetworkSpec& network) {
  std::vector<FieldRef> fields = field_refs(network);
  for (const FieldRef& field : field_refs(network.tree)) fields.push_back(field);
  Section section{
      .key = "network",
      .doc = "The fabric between the nodes, a fat tree; its switches are in racks of their own.",
      .fields = std::move(fields),
      .sections =
          {{.key = "on",
            .doc =
                "Water, power and room of the network racks, by name; if there is only one, the key can be left out.",
            .special = {door_key(network.on),
                        names_key("room", "Rooms among which the network racks are divided equally: a name or a list.",
                                  network.rooms)},
            .is_optional = true}},
      .device = {switch_device(network)},
      .device_name = &network.switch_name,
      .is_given = &network.is_given,
      .is_optional = true};
  add_fabric_keys(network.fabric, section);
  return section;
}

void read_gpu_spread(const Node& value, UnitSpread& spread, Problems& problems) {
  if (value.is_scalar() && value.text == "none") {
    spread = UnitSpread::none();
    return;
  }
  if (!value.is_map()) {
    problems.add(problem_at(value, fmt::format("hall.racks.gpu_spread is {}, expected none or a map", describe(value)),
                            "write { resistance: 7 %, flow: 5 %, leakage: 10 % }"));
    return;
  }
  read_section(value, "hall.racks.gpu_spread", {.key = "gpu_spread", .fields = field_refs(spread)}, problems);
  for (const FieldRef& field : field_refs(spread)) {
    if (!(*std::get<double*>(field.target) > UnitSpread::largest_ratio)) continue;
    problems.add(problem_at(*find(value, field.info.name),
                            fmt::format("{} is a standard deviation of more than {:.0f} % of the mean", field.info.name,
                                        100.0 * UnitSpread::largest_ratio),
                            "write a smaller spread: with this spread the lowest values would be nearly 0"));
  }
}

SpecialKey gpu_spread_key(UnitSpread& spread) {
  return {.key = "gpu_spread",
          .doc = "Differences between GPUs, in classes that are drawn from the seed; without it all GPUs are equal.",
          .rows = field_table(field_refs(spread)),
          .read = [&spread](const Node& value, Problems& problems) { read_gpu_spread(value, spread, problems); }};
}

/// One number of rows, which share the racks evenly, or the racks of each.
void read_rows(const Node& value, std::vector<int>& rows, Problems& problems) {
  const auto read_count = [&](const Node& node) {
    int count = 0;
    if (read_field(node, {&count, {"rows", {}, Range::positive, "", {}}}, problems)) rows.push_back(count);
  };
  rows.clear();
  if (value.is_sequence() && value.items.empty())
    problems.add(problem_at(value, "rows is empty", "write the number of racks of each row: [20, 13]"));
  for (const Node& item : value.items) read_count(item);
  if (!value.is_sequence()) read_count(value);
  if (rows.empty()) rows.push_back(1);
}

SpecialKey rows_key(std::vector<int>& rows) {
  return {.key = "rows",
          .doc =
              "Number of rows among which the racks are divided evenly, 1 if not given; or a list with the number of "
              "racks of each row: [20, 13].",
          .read = [&rows](const Node& value, Problems& problems) { read_rows(value, rows, problems); }};
}

Section on_section(RackHangsOn& on) {
  return {
      .key = "on",
      .doc = "Power, cooling and room of these racks, by name; if there is only one, the key can be left out.",
      .special = {name_key("coolant", "Technology loops that supply their coolant.", on.coolant, on.coolant_mention),
                  door_key(on), name_key("room", "Room of the hall in which the racks are.", on.room, on.room_mention),
                  names_key(
                      "power",
                      "Power blocks among which their cords are divided: a name or a list; if not given, all blocks.",
                      on.power)},
      .is_optional = true,
      .former = {
          {"loop", "write coolant: NAME of a technology loop"},
          {"water", "write coolant: NAME of a technology loop: racks are connected to loops, and loops to water"},
          {"rear_doors", "write door: rear_doors"}}};
}

Section racks_section(RacksSpec& racks) {
  return {.key = "racks",
          .doc = "Racks of equal nodes; or several groups of such racks by name, each group in its own rows.",
          .fields = field_refs(racks),
          .sections = {on_section(racks.on)},
          .special = {rows_key(racks.rows), gpu_spread_key(racks.gpu_spread), group_workload_key(racks.workload)},
          .device = {node_device(racks.hardware)},
          .device_name = &racks.hardware.name};
}

Section all_racks(std::vector<RacksSpec>& racks) {
  Section section = racks_section(racks.front());
  section.by_name = [&racks](const std::vector<std::string>& names) {
    racks.clear();
    return sections_by_name(racks, {"hall", "racks"}, names, racks_section);
  };
  return section;
}

Section hall_section(Scenario& scenario) {
  return {
      .key = "hall",
      .doc = "Equipment of the hall.",
      .sections =
          {
              all_racks(scenario.racks),
              network_section(scenario.network),
              cooling_section(scenario.cooling),
          },
  };
}

Section record_section(ScenarioDraft& draft) {
  RecordSpec& record = draft.scenario.record;
  return {
      .key = "record",
      .doc = "Data that are written to the results file, and their recording intervals.",
      .fields = field_refs(record),
      .sections = {{
          .key = "gpus",
          .doc = "Recording of single GPUs.",
          .fields = {{&record.gpus_s,
                      FieldInfo{"every",
                                "s",
                                Range::positive,
                                "Recording interval of single GPUs. If it is not given, it is 10 min for more than "
                                "20000 GPUs; it is multiplied by the number of days of the run.",
                                {}}}},
          .special = {{.key = "fields",
                       .doc = "List of recorded fields: power, clock_fraction and the states of the GPU's unit kind; "
                              "`*` matches within a name.",
                       .read = [&draft](const Node& value, Problems&) { draft.gpu_fields = value; }}},
      }},
  };
}

}  // namespace

SpecialKey name_key(std::string key, std::string doc, std::string& name, Mention& mention) {
  const std::string of_key = key;
  return {
      .key = std::move(key),
      .doc = std::move(doc),
      .read = [of_key, &name, &mention](const Node& value, Problems& problems) {
        if (!value.is_scalar() || value.text.empty()) {
          problems.add(problem_at(value, fmt::format("{} is {}, expected a name", of_key, describe(value)),
                                  value.is_sequence() ? "write one name: only one connection is possible here" : ""));
          return;
        }
        name = value.text;
        mention = {value.place, value.excerpt};
      }};
}

Section scenario_section(ScenarioDraft& draft) {
  Scenario& scenario = draft.scenario;
  return {
      .key = "",
      .doc = "A scenario: a run of one hall.",
      .fields = head_fields(draft),
      .sections = {hall_section(scenario), power_section(scenario.power), record_section(draft)},
      .special = {workload_key(scenario.workload), jobs_key(scenario), weather_key(scenario.weather),
                  parts_key(scenario.parts), sequences_key(scenario.sequences, scenario.followed),
                  events_key(scenario.events), economics_key(scenario.economics)},
  };
}

}  // namespace wattloop::twin
