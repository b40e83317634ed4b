// What results say of racks besides their series: where they stand and what serves them, kept as characters and numbers.
#include "twin/ratings/rack_places.hpp"

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"
#include "twin/build/plant_builder.hpp"
#include "twin/results/hdf5/hdf5_file.hpp"
#include "twin/results/reader/results_reader.hpp"
#include "twin/run/hall_run.hpp"
#include "twin/run/run_results.hpp"
#include "twin/scenario/scenario_reader.hpp"

using namespace wattloop::twin;
using wattloop::tests::TemporaryFolder;

namespace {

using Texts = std::vector<std::string>;

/// Two racks of one kind and one of another, without coolant, that no layout has.
ItEquipment three_racks() {
  ItEquipment it;
  it.groups.resize(2);
  it.groups[0].nodes_per_rack = 3;
  it.groups[0].gpus_per_node = 4;
  it.groups[1].nodes_per_rack = 5;
  it.groups[1].gpus_per_node = 8;
  it.racks.resize(3);
  for (std::size_t rack = 0; rack < 3; ++rack) it.racks[rack].name = std::string(1, "abc"[rack]);
  it.racks[2].group = 1;
  return it;
}

Topology around_three_racks() {
  Topology around;
  for (const auto& [name, kind] : std::vector<std::pair<std::string, std::string>>{{"a", "rack"},
                                                                                   {"b", "rack"},
                                                                                   {"c", "rack"},
                                                                                   {"row_1", "row"},
                                                                                   {"row_2", "row"},
                                                                                   {"loop_7", "coolant loop"},
                                                                                   {"loop_8", "coolant loop"},
                                                                                   {"water", "water system"},
                                                                                   {"pdu_1.output", "bus"},
                                                                                   {"rpp", "bus"}})
    around.parts.push_back({.name = name, .kind = kind});
  around.connections = {{"a", "loop_8", "heat"},
                        {"a", "water", "heat"},
                        {"a", "row_2", "heat"},
                        {"b", "row_1", "heat"},
                        {"b", "loop_7", "heat"},
                        {"c", "row_2", "heat"},
                        {"pdu_1.output", "b", "electricity"},
                        {"rpp", "b", "electricity"},
                        {"rpp", "c", "electricity"},
                        {"pdu_1.output", "water", "electricity"},
                        {"a", "c", "inside"}};
  return around;
}

}  // namespace

TEST_CASE("racks have their row, loop, PDUs, place and GPUs as coordinates", "[results]") {
  const std::vector<LayoutBox> boxes{{"b", "rack", "", {5, 6, 7}, {1, 1, 1}},
                                     {"b", "rear_door", "", {50, 60, 70}, {1, 1, 1}},
                                     {"a", "rack", "", {-1, 2, 3}, {1, 1, 1}}};
  const std::vector<ItemLabels> places = rack_places(three_racks(), around_three_racks(), boxes);
  REQUIRE(places.size() == 6);
  CHECK(places[0].name == "row");
  CHECK(places[0].texts == Texts{"row_2", "row_1", "row_2"});
  CHECK(places[1].name == "coolant_loop");
  CHECK(places[1].texts == Texts{"loop_8", "loop_7", ""});
  CHECK(places[2].name == "pdu");
  CHECK(places[2].texts == Texts{"", "pdu_1 rpp", "rpp"});
  CHECK(places[3].name == "x");
  CHECK(places[3].unit == "m");
  CHECK(places[3].numbers[0] == -1.0);
  CHECK(places[3].numbers[1] == 5.0);
  CHECK(std::isnan(places[3].numbers[2]));
  CHECK(places[4].numbers[1] == 6.0);
  CHECK(places[5].name == "gpu_count");
  CHECK(places[5].numbers == std::vector<double>{12, 12, 40});
}

TEST_CASE("coordinates of items are read back, also texts that are empty, long or not of the alphabet", "[results]") {
  const TemporaryFolder folder;
  TableSpec table{.group = "racks",
                  .item_dimension = "rack",
                  .items = {"a", "b", "c"},
                  .columns = {{"flow", "kg/s", "coolant"}},
                  .labels = {{"row", "where", {"", "größte Reihe", "3"}, {}, ""},
                             {"pdu", "none of them has one", {"", "", ""}, {}, ""},
                             {"x", "place", {}, {1.5, -2.25, 3.0}, "m"},
                             {"gpu_count", "GPUs", {}, {8, 16, 24}, ""}}};
  ResultsWriter writer(folder / "run.h5", "2026-01-01T00:00:00");
  writer.append(writer.add_table(table), 0.0, std::vector<float>{1, 2, 3});
  writer.write_provenance(std::vector<NamedValue>{{"title", std::string("Three racks"), "", "title"},
                                                  {"version", std::string("9.8"), "", "version"},
                                                  {"commit", std::string("abc"), "", "commit"},
                                                  {"command", std::string("wattloop run x"), "", "typed"}});
  writer.finish();
  const ResultsReader results(folder / "run.h5");
  CHECK(results.table("racks").columns.size() == 1);
  CHECK(results.labels("racks") == table.labels);
  const Hdf5Reader file(folder / "run.h5");
  CHECK(file.text_attribute("title") == "Three racks");
  CHECK(file.text_attribute("source") == "Wattloop 9.8, commit abc");
  CHECK(file.text_attribute("history") == "wattloop run x");
  CHECK(file.shape("racks/row") == std::vector<std::size_t>{3, 14});  // two of its letters are two bytes each
}

TEST_CASE("a file of the reference hall has less than 1.5 MB before its first record", "[results]") {
  const TemporaryFolder folder;
  const Scenario scenario = read_scenario(WATTLOOP_SOURCE_DIR "/scenarios/h100_10k.yaml");
  HallRun run(scenario);
  ResultsWriter writer(folder / "run.h5", scenario.start);
  record_run(run, writer);
  writer.finish();
  CHECK(std::filesystem::file_size(folder / "run.h5") < 1500000);
  const ResultsReader results(folder / "run.h5");
  const std::vector<ItemLabels> racks = results.labels("racks"), gpus = results.labels("gpus");
  REQUIRE(racks.size() == 6);
  CHECK(racks[0].texts.at(159) == "row_8");
  CHECK(racks[5].numbers.at(0) == 64.0);  // 10,240 GPUs in 160 racks
  CHECK(gpus.at(0).texts.at(10239) == "row_8.rack_20.node_8.gpu_8");
  CHECK(results.layout().size() > 10240);
}
