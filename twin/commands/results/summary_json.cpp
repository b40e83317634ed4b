#include "twin/commands/results/summary_json.hpp"

#include <nlohmann/json.hpp>

#include "core/units/units.hpp"

namespace wattloop::twin {

namespace {

nlohmann::ordered_json json_of(const Verdict& verdict) {
  const KpiLimit& limit = verdict.limit;
  nlohmann::ordered_json json{
      {"limit", limit.text},    {"name", limit.name},        {"relation", sign_of(limit.relation)},
      {"bound", limit.bound},   {"value", verdict.value},    {"unit", unit_in_files(limit.si_unit)},
      {"held", verdict.is_met}, {"margin", verdict.margin()}};
  if (!verdict.can_be_judged()) json["reason"] = verdict.reason;
  return json;  // what is not a number is null
}

nlohmann::ordered_json json_of(const LimitRecord& limit) {
  return {{"part", limit.part},
          {"quantity", limit.quantity},
          {"unit", unit_in_files(limit.unit)},
          {"limited_by", limit.limited_by},
          {"beyond", limit.beyond},
          {"allowed", limit.limit},
          {"worst", limit.worst},
          {"worst_time_s", limit.worst_time_s},
          {"first_time_s", limit.first_time_s},
          {"duration_s", limit.duration_s}};
}

nlohmann::ordered_json json_of(const EventRecord& event) {
  return {{"time_s", event.time_s}, {"kind", event.kind}, {"target", event.target}, {"detail", event.detail}};
}

}  // namespace

std::string summary_json(const RunEnd& end) {
  nlohmann::ordered_json json{{"schema_version", summary_json_version}};
  for (const NamedValue& one : end.about) {
    if (one.name == "title" || one.name == "scenario_file" || one.name == "seed")
      std::visit([&](const auto& value) { json[one.name] = value; }, one.value);
  }
  if (!end.results.empty()) json["results"] = end.results.string();
  for (const NamedValue& figure : end.figures) {
    nlohmann::ordered_json& shown = json[figure.name];
    std::visit(
        [&](const auto& value) {
          shown = {{"value", value}, {"unit", unit_in_files(figure.unit)}};
        },
        figure.value);
    if (!figure.reason.empty()) shown["reason"] = figure.reason;
  }
  json["limits"] = nlohmann::ordered_json::array();
  for (const LimitRecord& limit : end.limits) json["limits"].push_back(json_of(limit));
  json["events"] = nlohmann::ordered_json::array();
  for (const EventRecord& event : end.events) json["events"].push_back(json_of(event));
  for (const Verdict& verdict : end.verdicts) json["verdicts"].push_back(json_of(verdict));
  return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace);  // names of files are any bytes
}

std::string verdicts_json(std::span<const Verdict> verdicts) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const Verdict& verdict : verdicts) json.push_back(json_of(verdict));
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace wattloop::twin
