#include "tests/views/synthetic_run.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/support/temporary_folder.hpp"
#include "twin/results/writer/results_writer.hpp"

namespace wattloop::tests {
namespace {

using twin::ResultsWriter;
using twin::TableSpec;

constexpr double gpu_interval_s = 60.0, rack_interval_s = 15.0, facility_interval_s = 1.0;

float die_k(const SyntheticRun& run, int gpu, double time_s) {
  const bool is_hot = gpu == run.hot_gpu && std::abs(time_s - run.hot_s) < 1.0;
  return float(is_hot ? run.hot_k : run.cool_k);
}

void write_gpus(ResultsWriter& writer, const SyntheticRun& run) {
  const int gpus = run.counts.racks * run.counts.nodes_per_rack * run.counts.gpus_per_node;
  TableSpec table{"gpus", "gpu", {}, {{"die_temperature", "K", "Die"}, {"power", "W", "Power"}}, std::size_t(gpus),
                  "GPU"};
  const std::size_t number = writer.add_table(table);
  std::vector<float> row(std::size_t(2 * gpus));
  for (double time_s = 0.0; time_s <= run.duration_s; time_s += gpu_interval_s) {
    for (int gpu = 0; gpu < gpus; ++gpu) {
      row[std::size_t(gpu)] = die_k(run, gpu, time_s);
      row[std::size_t(gpus + gpu)] = float(100.0 + gpu);
    }
    writer.append(number, time_s, row);
  }
}

void write_racks(ResultsWriter& writer, const SyntheticRun& run) {
  const int racks = run.counts.racks, gpus_per_rack = run.counts.nodes_per_rack * run.counts.gpus_per_node;
  TableSpec table{"racks", "rack", {}, {}, 0, "Rack"};
  table.columns = {{"it_power", "W", "IT power"},
                   {"max_die_temperature", "K", "Hottest die"},
                   {"mean_die_temperature", "K", "Mean die"},
                   {"throttled_gpus", "1", "Throttled GPUs"}};
  for (int rack = 0; rack < racks; ++rack) table.items.push_back(twin::rack_name(run.counts, rack));
  const std::size_t number = writer.add_table(table);
  for (double time_s = 0.0; time_s <= run.duration_s; time_s += rack_interval_s) {
    std::vector<float> row;
    for (int rack = 0; rack < racks; ++rack) row.push_back(float(55e3 + 100.0 * rack));
    for (int rack = 0; rack < racks; ++rack)
      row.push_back(run.hot_gpu / gpus_per_rack == rack ? die_k(run, run.hot_gpu, time_s) : float(run.cool_k));
    row.insert(row.end(), std::size_t(racks), float(run.cool_k));
    row.insert(row.end(), std::size_t(racks), 0.0F);
    writer.append(number, time_s, row);
  }
}

void write_facility(ResultsWriter& writer, const SyntheticRun& run) {
  const std::size_t facility = writer.add_table(
      {"facility", "", {}, {{"power", "W", "Power"}, {"it_power", "W", "IT power"}, {"pue", "1", "PUE"}}, 0, ""});
  TableSpec loops{"loops", "loop", {}, {{"supply_temperature", "K", "Supply"}, {"return_temperature", "K", "Return"}},
                  0,       ""};
  for (int loop = 0; loop < run.counts.loops; ++loop) loops.items.push_back("loop_" + std::to_string(loop + 1));
  const std::size_t loop_table = writer.add_table(loops);
  for (double time_s = 0.0; time_s <= run.duration_s; time_s += facility_interval_s) {
    const double it_w = 55e3 * run.counts.racks * (std::fmod(time_s, 10.64) < 1.2 ? 0.6 : 1.0);
    writer.append(facility, time_s, std::vector{float(1.07 * it_w), float(it_w), 1.07F});
    std::vector<float> row(loops.items.size(), 298.15F);
    row.insert(row.end(), loops.items.size(), 306.55F);
    writer.append(loop_table, time_s, row);
  }
}

/// A group of the equipment that the layout has of these kinds, with one column.
void write_equipment(ResultsWriter& writer, const SyntheticRun& run, TableSpec table,
                     const std::vector<std::string>& kinds, const std::pair<double, double>& first_and_step) {
  for (const twin::LayoutBox& box : twin::hall_layout(run.counts))
    if (std::find(kinds.begin(), kinds.end(), box.kind) != kinds.end()) table.items.push_back(box.name);
  if (table.items.empty()) return;
  const std::size_t number = writer.add_table(table);
  std::vector<float> row;
  for (std::size_t item = 0; item < table.items.size(); ++item)
    row.push_back(float(first_and_step.first + double(item) * first_and_step.second));
  for (const double time_s : {0.0, run.duration_s}) writer.append(number, time_s, row);
}

void write_surroundings(ResultsWriter& writer, const SyntheticRun& run) {
  const auto table = [](const char* group, const char* item, const char* column, const char* unit) {
    return TableSpec{group, item, {}, {{column, unit, column}}, 0, ""};
  };
  write_equipment(writer, run, table("towers", "tower", "outlet_temperature", "K"), {"tower"}, {299.0, 0.25});
  write_equipment(writer, run, table("chillers", "chiller", "supply_temperature", "K"), {"chiller"}, {291.0, 0.3});
  write_equipment(writer, run, table("crahs", "crah", "supply_air_temperature", "K"), {"crah"}, {295.0, 0.4});
  write_equipment(writer, run, table("network", "network_rack", "outlet_air_temperature", "K"), {"network_rack"},
                  {303.0, 0.2});
  write_equipment(writer, run, table("ups", "ups", "loading", "1"), {"ups"}, {0.45, 0.2});
  write_equipment(writer, run, table("feeders", "feeder", "loading", "1"), {"transformer", "pdu"}, {0.3, 0.015});
}

}  // namespace

twin::HallCounts whole_site() {
  return {.rows = 8,
          .racks = 160,
          .loops = 4,
          .cdus_per_loop = 3,
          .network_racks = 24,
          .crahs = 8,
          .chillers = 5,
          .towers = 8,
          .sides = 2,
          .substations_per_side = 1,
          .transformers_per_side = 1,
          .ups_per_side = 1,
          .generators_per_side = 6,
          .pdus_per_side = 20};
}

std::filesystem::path write_run(const SyntheticRun& run, const std::string& name) {
  static const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / (name + ".h5");
  ResultsWriter writer(file, "2026-01-01T00:00:00");
  write_facility(writer, run);
  write_racks(writer, run);
  if (run.has_gpus) write_gpus(writer, run);
  write_surroundings(writer, run);
  const std::vector<twin::EventRecord> events{{120.0, "fail", "cdu_1", ""}, {180.0, "restore", "cdu_1", ""}};
  writer.write_events(events);
  if (run.has_layout) writer.write_layout(twin::hall_layout(run.counts));
  const std::vector<twin::NamedValue> provenance{{"title", std::string("A run that never was"), "", "Title"}};
  writer.write_provenance(provenance);
  writer.finish();
  return file;
}

}  // namespace wattloop::tests
