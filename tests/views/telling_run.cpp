#include "tests/views/telling_run.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <stdexcept>
#include <vector>

#include "tests/support/temporary_folder.hpp"
#include "twin/results/writer/results_writer.hpp"

namespace wattloop::tests {
namespace {

using twin::TableSpec;

struct Group {
  std::string name, dimension;
  std::vector<std::string> kinds;                            // of the boxes that are its items
  std::vector<std::pair<std::string, std::string>> columns;  // and their units, in the order of a real file
  std::size_t records = 60;
};

/// The columns of real files that a picture could take for another.
std::vector<Group> groups_of(const ReportingRun& run) {
  std::vector<Group> groups{
      {"facility",
       "",
       {},
       {{"power", "W"},
        {"it_power", "W"},
        {"gpu_power", "W"},
        {"cooling_power", "W"},
        {"pue", "1"},
        {"max_die_temperature", "K"},
        {"mean_die_temperature", "K"},
        {"throttled_gpus", "1"}},
       600},
      {"loops",
       "loop",
       {},
       {{"supply_temperature", "K"}, {"return_temperature", "K"}, {"supply_set_point", "K"}, {"heat", "W"}},
       600},
      {"rooms", "room", {}, {{"temperature", "K"}, {"mass_temperature", "K"}}},
      {"racks",
       "rack",
       {"rack"},
       {{"it_power", "W"},
        {"supply_temperature", "K"},
        {"return_temperature", "K"},
        {"max_die_temperature", "K"},
        {"mean_die_temperature", "K"}}},
      {"cdus", "cdu", {"cdu"}, {{"supply_temperature", "K"}, {"return_temperature", "K"}, {"loading", "1"}}},
      {"towers", "tower", {"tower"}, {{"leaving_temperature", "K"}, {"power", "W"}, {"loading", "1"}}},
      {"chillers", "chiller", {"chiller"}, {{"supply_temperature", "K"}, {"loading", "1"}}},
      {"crahs", "crah", {"crah"}, {{"return_temperature", "K"}, {"power", "W"}, {"loading", "1"}}},
      {"network",
       "network_rack",
       {"network_rack"},
       {{"power", "W"}, {"inlet_air_temperature", "K"}, {"outlet_air_temperature", "K"}}},
      {"ups", "ups", {"ups"}, {{"power", "W"}, {"loading", "1"}, {"state_of_charge", "1"}}},
      {"feeders", "feeder", {"substation", "transformer", "pdu"}, {{"power", "W"}, {"loading", "1"}}},
      {"generators", "generator", {"generator"}, {{"power", "W"}, {"loading", "1"}}},
  };
  if (run.is_on_battery) groups.front().columns.emplace_back("battery_power", "W");
  if (run.off_gpus > 0.0) groups.front().columns.emplace_back("shut_down_gpus", "1");
  if (run.down_gpus > 0.0) groups.front().columns.emplace_back("down_gpus", "1");
  if (run.has_gpus) groups.push_back({"gpus", "gpu", {"gpu"}, {{"power", "W"}, {"die_temperature", "K"}}});
  return groups;
}

/// Items by name; of loops and rooms, which have no boxes of their own, by number.
std::vector<std::string> items_of(const ReportingRun& run, const Group& group) {
  std::vector<std::string> items;
  const std::vector<twin::LayoutBox> boxes = twin::hall_layout(run.counts);
  for (const std::string& kind : group.kinds)
    for (const twin::LayoutBox& box : boxes)
      if (box.kind == kind) items.push_back(box.name);
  if (group.name == "loops" || group.name == "rooms")
    for (int i = 1; i <= run.counts.loops; ++i) items.push_back(group.dimension + "_" + std::to_string(i));
  return items;
}

/// 0 to 1, another number for every text.
double share_of(const std::string& text) { return double(std::hash<std::string>{}(text) % 9973) / 9973.0; }

}  // namespace

twin::HallCounts reporting_site() {
  return {.rows = 2,
          .racks = 8,
          .loops = 2,
          .cdus_per_loop = 2,
          .network_racks = 2,
          .crahs = 2,
          .chillers = 2,
          .towers = 3,
          .sides = 2,
          .substations_per_side = 1,
          .transformers_per_side = 1,
          .ups_per_side = 1,
          .generators_per_side = 2,
          .pdus_per_side = 2};
}

double reported(const ReportingRun& run, const std::string& group, const std::string& column, std::size_t item,
                double time_s) {
  const std::string name = group + "/" + column;
  const double share = share_of(name), phase = 6.283 * share;
  const double bend = std::sin(6.283 * time_s / run.duration_s + phase);
  const double number = double(item + 1);
  if (column.ends_with("temperature") || column == "supply_set_point")
    return 290.0 + 40.0 * share + (group == "gpus" ? 0.13 : 1.37) * number + 3.0 * bend;
  if (column == "loading" || column == "state_of_charge") return 0.2 + 0.3 * share + 0.017 * number + 0.05 * bend;
  if (column == "shut_down_gpus") return run.off_gpus;
  if (column == "down_gpus") return run.down_gpus;
  if (column == "pue" && run.is_on_battery) return std::nan("");
  if (column == "pue") return 1.234 + 0.05 * bend;
  if (column == "throttled_gpus") return std::round(40.0 + 20.0 * bend);
  return run.power_scale * (3e5 + 7e5 * share + 1.3e3 * number + 9e4 * bend);
}

std::size_t item_of(const ReportingRun& run, const std::string& group, const std::string& name) {
  for (const Group& each : groups_of(run)) {
    if (each.name != group) continue;
    const std::vector<std::string> items = items_of(run, each);
    const auto found = std::find(items.begin(), items.end(), name);
    if (found != items.end()) return std::size_t(found - items.begin());
  }
  throw std::runtime_error(group + " has no " + name);
}

std::filesystem::path write_reporting_run(const ReportingRun& run, const std::string& name) {
  static const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / (name + ".h5");
  twin::ResultsWriter writer(file, "2026-01-01T00:00:00");
  for (const Group& group : groups_of(run)) {
    TableSpec table{group.name, group.dimension, items_of(run, group), {}, 0, group.dimension};
    if (table.items.empty() && !group.dimension.empty()) continue;  // the hall has none
    const std::size_t items = group.dimension.empty() ? 1 : table.items.size();
    if (group.name == "gpus") {
      table.numbered_items = items;
      table.items.clear();
    }
    for (const auto& [column, unit] : group.columns) table.columns.push_back({column, unit, column});
    const std::size_t number = writer.add_table(table);
    for (std::size_t record = 0; record <= group.records; ++record) {
      const double time_s = run.duration_s * double(record) / double(group.records);
      std::vector<float> row;
      for (const auto& [column, unit] : group.columns)
        for (std::size_t item = 0; item < items; ++item)
          row.push_back(float(reported(run, group.name, column, item, time_s)));
      writer.append(number, time_s, row);
    }
  }
  const std::vector<twin::EventRecord> events{{0.25 * run.duration_s, "fail", "cdu_1", ""},
                                              {0.75 * run.duration_s, "restore", "cdu_1", ""}};
  writer.write_events(events);
  writer.write_layout(twin::hall_layout(run.counts));
  const std::vector<twin::NamedValue> provenance{{"title", std::string("A run that tells"), "", "Title"}};
  writer.write_provenance(provenance);
  writer.finish();
  return file;
}

}  // namespace wattloop::tests
