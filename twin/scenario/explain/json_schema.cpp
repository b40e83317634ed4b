#include "twin/scenario/explain/json_schema.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "twin/document/section.hpp"
#include "twin/scenario/sections/scenario_sections.hpp"

namespace wattloop::twin {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* number_and_unit = R"(^\s*[-+]?(\d|\.\d).*[^\d\s.].*$)";  // "45 degC", "1e3 W"
constexpr const char* ratio_text = R"(^\s*[-+]?(\d|\.\d)[\d.eE+-]*\s*%?\s*$)";

std::string described(const FieldRow& row) {
  std::string text = row.doc;
  if (!row.unit.empty() && row.unit != "text") text += fmt::format(" Unit: {}.", row.unit);
  if (!row.range.empty()) text += fmt::format(" Range: {}.", row.range);
  if (!row.default_value.empty()) text += fmt::format(" Default: {}.", row.default_value);
  return text;
}

std::vector<std::string> words(std::string_view choices) {
  std::vector<std::string> all;
  for (std::size_t at = 0; at <= choices.size();) {
    const std::size_t end = std::min(choices.find('|', at), choices.size());
    all.emplace_back(choices.substr(at, end - at));
    at = end + 1;
  }
  return all;
}

/// The bare value of a field.
Json bare_value(const FieldRef& field) {
  if (std::holds_alternative<bool*>(field.target)) return {{"type", "boolean"}};
  if (std::holds_alternative<int*>(field.target)) {
    Json count = {{"type", "integer"}};
    if (field.info.range == Range::positive) count["minimum"] = 1;
    if (field.info.range == Range::non_negative) count["minimum"] = 0;
    return count;
  }
  if (std::holds_alternative<std::string*>(field.target) || std::holds_alternative<std::string_view*>(field.target)) {
    if (field.info.choices.empty()) return {{"type", Json::array({"string", "number"})}};
    return {{"enum", words(field.info.choices)}};
  }
  if (field.info.unit == "1") return {{"type", Json::array({"number", "string"})}, {"pattern", ratio_text}};
  return {{"type", "string"}, {"pattern", number_and_unit}};
}

/// Also with its source, following a file, or taken back.
Json value_of(const FieldRef& field, const FieldRow& row) {
  Json any = Json::array({bare_value(field), {{"type", "object"}}, {{"type", "null"}}});
  return {{"description", described(row)}, {"anyOf", any}};
}

/// A key whose value has a form of its own, or one of a table for people.
Json free_value(const FieldRow& row) { return {{"description", described(row)}}; }

Json item_of(const std::vector<FieldRow>& rows) {
  Json properties = Json::object();
  for (const FieldRow& row : rows) properties[row.name] = free_value(row);
  return {{"type", "object"}, {"properties", properties}};
}

/// Events are a list; what has a table is a map of that, several of them by name, or a name.
Json special_value(const SpecialKey& special) {
  Json value = {{"description", special.doc}};
  if (special.rows.empty()) return value;
  const Json item = item_of(special.rows);
  if (special.key == "events") {
    value["type"] = Json::array({"array", "null"});
    value["items"] = item;
    value["items"]["additionalProperties"] = false;
    return value;
  }
  value["properties"] = item["properties"];
  value["additionalProperties"] = {{"anyOf", Json::array({item, Json::object()})}};
  return value;
}

Json map_of(const Section& section);

Json value_of(const Section& section) {
  Json any = Json::array({map_of(section), {{"type", "null"}}});
  if (section.is_none != nullptr) any.push_back({{"enum", {"none"}}});
  if (section.by_name) {
    const std::vector<Section> named = section.by_name({"name"});
    if (!named.empty()) {
      const Json one = {
          {"anyOf", Json::array({map_of(named.front()), {{"type", "null"}}})}};  // null removes what a base says
      Json several = {{"type", "object"}, {"minProperties", 1}, {"additionalProperties", one}};
      any.push_back(several);
    }
  }
  return {{"description", section.doc}, {"anyOf", any}};
}

void add_device(const Section& device, Json& properties) {
  properties["hardware"] = {{"description", fmt::format("Name of a `{}` of the library.", device.key)},
                            {"type", Json::array({"string", "object"})}};
  properties["with"] = map_of(device);
  properties["with"]["description"] =
      fmt::format("Single values of the `{}` that are different in this scenario.", device.key);
}

Json map_of(const Section& section) {
  Json properties = Json::object();
  if (!section.device.empty()) add_device(section.device.front(), properties);
  const std::vector<FieldRow> rows = field_table(section.fields);
  for (std::size_t f = 0; f < rows.size(); ++f) properties[rows[f].name] = value_of(section.fields[f], rows[f]);
  for (const Section& inner : section.sections) properties[inner.key] = value_of(inner);
  for (const SpecialKey& special : section.special) properties[special.key] = special_value(special);
  return {{"type", "object"}, {"properties", properties}, {"additionalProperties", false}};
}

Json study_map(std::span<const Topic> study) {
  Json map = item_of(study.front().rows);
  map["description"] = study.front().doc;
  map["required"] = Json::array();
  for (const FieldRow& row : study.front().rows)
    if (row.default_value == "required") map["required"].push_back(row.name);
  map["additionalProperties"] = false;
  for (const Topic& topic : study) {
    const std::string key = topic.name.substr(topic.name.find('.') + 1);
    if (topic.name == study.front().name || !map["properties"].contains(key)) continue;
    Json item = item_of(topic.rows);
    if (key == "changes") {  // by name
      item["additionalProperties"] = false;
      map["properties"][key]["additionalProperties"] = item;
    } else {
      map["properties"][key]["properties"] = item["properties"];
    }
  }
  return map;
}

/// What must be given may stand in the scenario that another one extends, so it is only asked for at the top.
Json scenario_map() {
  ScenarioDraft draft;
  draft.scenario.title = "name of the file";
  const Section root = scenario_section(draft);
  Json map = map_of(root);
  map["properties"]["extends"] = {{"description", "Scenario that this one differs from, relative to this file."},
                                  {"type", "string"}};
  Json needed = Json::array({"format"});
  for (const Section& inner : root.sections)
    if (is_required(inner)) needed.push_back(inner.key);
  for (const SpecialKey& special : root.special)
    if (special.is_required && special.or_else.empty()) needed.push_back(special.key);
  map["anyOf"] = {{{"required", {"extends"}}}, {{"required", needed}}};
  return map;
}

}  // namespace

std::string json_schema(std::span<const Topic> study) {
  const Json schema = {{"$schema", "http://json-schema.org/draft-07/schema#"},
                       {"title", "Wattloop scenario or study"},
                       {"if", {{"required", {"base"}}}},
                       {"then", study_map(study)},
                       {"else", scenario_map()}};
  return schema.dump(1) + "\n";
}

}  // namespace wattloop::twin
