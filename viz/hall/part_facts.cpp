#include "viz/hall/part_facts.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "core/units/units.hpp"
#include "twin/drawings/names/display_name.hpp"
#include "twin/results/reader/equipment_faults.hpp"
#include "viz/drawing/page_words.hpp"

namespace wattloop::viz {
namespace {

constexpr float off = 0.0F, failed = 2.0F;  // of the columns `state`

constexpr double nothing_kg_per_s = 1e-3, nothing_w = 1.0;  // what a standing machine moves by rounding

/// The part whose records belong to a box.
std::string reported_by(const twin::LayoutBox& box) {
  for (const char* kind : {"supply_pipe", "return_pipe", "busway", "rear_door"})
    if (box.kind == kind) return box.parent;
  return box.name;
}

bool is_count(const std::string& column) { return column.ends_with("_gpus"); }
bool is_plain_ratio(const std::string& column) { return column == "cop" || column == "pue" || column == "mode"; }

std::string value_text(const twin::ColumnSpec& column, double value) {
  if (!std::isfinite(value)) return "n/a";
  if ((column.unit == "kg/s" && std::abs(value) < nothing_kg_per_s) ||
      (column.unit == "W" && std::abs(value) < nothing_w))
    value = 0.0;
  if (column.unit != "1" && !column.unit.empty()) return with_degrees(format_quantity(value, column.unit));
  if (is_count(column.name)) return fmt::format("{:.0f}", value);
  if (is_plain_ratio(column.name)) return fmt::format("{:.2f}", value);
  return fmt::format("{:.1f} %", 100.0 * value);
}

std::string state_words(const std::string& group, float state) {
  if (state == failed) return "failed";
  if (state == off) return group == "breakers" ? "open" : "off";
  return group == "breakers" ? "closed" : "ordered to run";
}

/// What is wrong, and what is as it should be.
struct Facts {
  std::vector<PartFact> wrong{}, sound{};
};

/// One item of a table; `of`: what it is of the part, "pump a".
void add_item(Facts& facts, const twin::ResultsReader& results, const twin::TableSpec& table, std::size_t item,
              const std::string& of, double time_s) {
  for (const twin::ColumnSpec& column : table.columns) {
    const std::vector<float> values = values_at(results, table.group, column.name, time_s);
    if (item >= values.size()) continue;
    const bool is_state = column.name == "state", is_wrong = is_state && values[item] == failed;
    const std::string what = is_state ? of : of + (of.empty() ? "" : " ") + twin::display_name(column.name);
    const std::string text =
        is_state ? state_words(table.group, values[item]) : value_text(column, double(values[item]));
    (is_wrong ? facts.wrong : facts.sound).push_back({what.empty() ? "state" : what, text, is_wrong});
  }
}

/// GPUs are numbered, in the order of the layout.
std::size_t number_of_gpu(const twin::ResultsReader& results, const std::string& name) {
  std::size_t number = 0;
  for (const twin::LayoutBox& box : results.layout()) {
    if (box.name == name) break;
    number += box.kind == "gpu";
  }
  return number;
}

/// Of a part and of what it holds: "pump a" of "cdu_1.pump_a".
void add_recorded(Facts& facts, const twin::ResultsReader& results, const twin::LayoutBox& box, const std::string& part,
                  double time_s) {
  for (const std::string& group : results.tables()) {
    const twin::TableSpec table = results.table(group);
    if (group == "gpus" && box.kind == "gpu") add_item(facts, results, table, number_of_gpu(results, part), "", time_s);
    for (std::size_t item = 0; group != "gpus" && item < table.items.size(); ++item) {
      const std::string& name = table.items[item];
      const bool is_below = name.starts_with(part + ".") && (group == "motors" || group == "breakers");
      if (name == part || is_below)
        add_item(facts, results, table, item, is_below ? twin::display_name(name.substr(part.size() + 1)) : "", time_s);
    }
  }
}

}  // namespace

std::vector<PartFact> part_facts(const twin::ResultsReader& results, const SceneBox& shown, double time_s) {
  Facts facts;
  const std::string part = reported_by(shown.box);
  const auto add_wrong = [&](const std::string& what, const std::string& how) {
    facts.wrong.push_back({what, how, true});
  };
  if (shown.is_still) add_wrong("no flow", "its temperature gives no information on racks");
  if (shown.off_fraction > 0.0) add_wrong("down", fmt::format("{:.0f} % of its GPUs", 100.0 * shown.off_fraction));
  if (shown.condition == Condition::failed) add_wrong("failed", "");
  if (shown.condition == Condition::idle && shown.box.kind == "cdu") add_wrong("idle", "");
  if (shown.condition == Condition::dead) add_wrong("without power", "");
  if (!shown.beyond.empty()) add_wrong("beyond a limit", shown.beyond);
  for (const twin::EquipmentFault& fault : twin::equipment_faults_at(results, time_s))
    if (fault.part == part && !fault.thing.empty()) add_wrong(twin::display_name(fault.thing), fault.words);
  add_recorded(facts, results, shown.box, part, time_s);
  facts.wrong.insert(facts.wrong.end(), facts.sound.begin(), facts.sound.end());
  return facts.wrong;
}

}  // namespace wattloop::viz
