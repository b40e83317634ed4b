// The comparison of results files for programs.
#include <nlohmann/json.hpp>

#include "core/units/units.hpp"
#include "twin/commands/results/compare_json.hpp"
#include "twin/commands/results/summary_json.hpp"

namespace wattloop::twin {

namespace {

using Json = nlohmann::ordered_json;

Json json_of(const std::optional<std::string>& text) { return text ? Json(*text) : Json(nullptr); }

Json json_of(const FigureRow& row) {
  Json json{
      {"name", row.name}, {"unit", unit_in_files(row.unit)}, {"equal", row.is_equal()}, {"values", Json::array()}};
  for (const auto& value : row.of) {
    Json shown = nullptr;
    if (value) std::visit([&](const auto& held) { shown = held; }, value->value);
    json["values"].push_back(std::move(shown));
  }
  if (row.is_text()) return json;
  for (std::size_t k = 1; k < row.of.size(); ++k) {
    json["differences"].push_back(row.difference(k));
    json["difference_ratios"].push_back(row.difference_ratio(k));
  }
  return json;
}

Json json_of(const Divergence::Difference& moment) {
  return {{"time_s", moment.time_s}, {"item", moment.item}, {"a", moment.a}, {"b", moment.b}};
}

Json json_of(const Divergence& one) {
  return {{"table", one.table}, {"column", one.column},        {"unit", one.unit},         {"threshold", one.threshold},
          {"items", one.items}, {"first", json_of(one.first)}, {"most", json_of(one.most)}};
}

Json json_of(const std::optional<EventRecord>& event) {
  if (!event) return nullptr;
  return {{"time_s", event->time_s}, {"detail", event->detail}};
}

Json json_of(const EventDifference& one) {
  const EventRecord& event = one.a ? *one.a : *one.b;
  return {{"kind", event.kind}, {"target", event.target}, {"a", json_of(one.a)}, {"b", json_of(one.b)}};
}

Json json_of(const ScenarioDifference& one) {
  return {{"path", one.path}, {"a", json_of(one.a)}, {"b", json_of(one.b)}};
}

Json json_of(const Unshared& one) { return {{"what", one.what}, {"only_a", one.only_a}, {"only_b", one.only_b}}; }

Json json_of(const WorstRack& rack) {
  return {{"rack", rack.rack}, {"die_temperature", rack.die_k}, {"time_s", rack.time_s}};
}

template <class List>
Json list_of(const List& list) {
  Json json = Json::array();
  for (const auto& one : list) json.push_back(json_of(one));
  return json;
}

Json json_of(const ComparedFile& file, bool is_first) {
  Json json{{"file", file.file.string()}, {"title", file.title}, {"hottest_racks", list_of(file.racks)}};
  if (!file.verdicts.empty()) json["verdicts"] = Json::parse(verdicts_json(file.verdicts));
  if (!file.notes.empty()) json["notes"] = file.notes;
  if (is_first) return json;
  json["scenario"] = list_of(file.scenario);
  json["compared_quantities"] = file.series.columns;
  json["divergences"] = list_of(file.series.divergences);
  json["events"] = list_of(file.events);
  json["unshared"] = list_of(file.series.unshared);
  json["series_notes"] = file.series.notes;
  return json;
}

}  // namespace

std::string compare_json(const Comparison& comparison) {
  Json json{{"tolerance", {{"ratio", comparison.tolerances.ratio}, {"absolute", comparison.tolerances.absolute}}}};
  json["files"] = Json::array();
  for (const ComparedFile& file : comparison.files)
    json["files"].push_back(json_of(file, &file == &comparison.files.front()));
  json["figures"] = list_of(comparison.figures);
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace wattloop::twin
