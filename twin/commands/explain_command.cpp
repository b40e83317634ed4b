#include "twin/commands/explain_command.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "twin/build/plant_builder.hpp"
#include "twin/ratings/part_list.hpp"
#include "twin/scenario/device_list.hpp"
#include "twin/scenario/explain.hpp"
#include "twin/scenario/json_schema.hpp"
#include "twin/scenario/scenario_reader.hpp"
#include "twin/study/study_topics.hpp"

namespace wattloop::twin {

namespace {

void print_parts(const ExplainOptions& options) {
  const std::vector<PartRow> parts = part_list(build_plant(read_scenario(options.scenario, options.overrides)));
  if (!options.is_json) {
    fmt::print("{}", part_table(parts));
    return;
  }
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const PartRow& part : parts) {
    json.push_back({{"name", part.name},
                    {"kind", part.kind},
                    {"on", part.hangs_on},
                    {"events", part.events},
                    {"limits", part.limits}});
    if (part.rated_w > 0.0) json.back()["rating"] = {{"value", part.rated_w}, {"unit", "W"}};
  }
  fmt::print("{}\n", json.dump(2));
}

}  // namespace

int explain_command(const ExplainOptions& options) {
  if (!options.scenario.empty()) {
    print_parts(options);
  } else if (options.is_schema) {
    fmt::print("{}", json_schema(study_topics()));
  } else if (options.is_markdown) {
    fmt::print("{}", scenario_reference_markdown(study_topics()));
  } else if (options.topic == "hardware") {
    fmt::print("{}", device_list_text());
  } else if (const auto device = find_device(options.topic)) {
    fmt::print("{}", device_text(*device));
  } else {
    fmt::print("{}", explain(options.topic, study_topics()));
  }
  return 0;
}

}  // namespace wattloop::twin
