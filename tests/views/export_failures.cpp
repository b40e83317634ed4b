// What an export holds of failures: states of equipment, motors and breakers, margins of racks, the worst moment; by hand, and as ParaView
// answers from the exported file alone.
#include <cmath>
#include <fstream>

#include <nlohmann/json.hpp>

#include "tests/support/catch.hpp"
#include "tests/support/halls/regular_hall.hpp"
#include "tests/support/run_program.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/views/pvpython.hpp"
#include "twin/results/writer/results_writer.hpp"
#include "viz/commands/export_command.hpp"
#include "viz/export/playback.hpp"

namespace fs = std::filesystem;
using namespace wattloop;
using namespace wattloop::tests;
using namespace wattloop::viz;
using Catch::Matchers::Contains;

namespace {

constexpr float none = std::numeric_limits<float>::quiet_NaN();

const twin::HallCounts hall{.rows = 2, .racks = 4, .loops = 2, .cdus_per_loop = 1, .chillers = 2};

/// Eleven records, a minute apart. CDU 1 loses a pump at 3 min and the other at 5 min; chiller 2 fails at 7 min, breaker PDU at 8 min.
/// Racks of row 2 get warm, rack 4 most, and are warmest at 6 min.
fs::path write_failures(const fs::path& file) {
  twin::ResultsWriter writer(file, "2026-03-01T06:00:00");
  const auto group = [&](const char* name, const char* item, std::vector<std::string> items,
                         std::vector<twin::ColumnSpec> columns) {
    return writer.add_table(
        {.group = name, .item_dimension = item, .items = std::move(items), .columns = std::move(columns)});
  };
  const std::vector<std::string> racks{"row_1.rack_1", "row_1.rack_2", "row_2.rack_1", "row_2.rack_2"};
  const std::vector<twin::ColumnSpec> limited{{"max_die_temperature", "K", "die"},
                                              {"inlet_air_temperature", "K", "air"}};
  const auto of_racks = group("racks", "rack", racks, limited),
             limits = group("rack_limits", "rack", {racks[3], racks[2], racks[1], racks[0]}, limited),
             cdus = group("cdus", "cdu", {"cdu_1", "cdu_2"}, {{"loading", "1", "loading"}}),
             motors = group("motors", "motor",
                            {"cdu_1.pump_a", "cdu_1.pump_b", "cdu_2.pump_a", "cdu_2.pump_b", "facility.pump_a",
                             "chiller_1", "chiller_2"},
                            {{"state", "1", "state"}}),
             breakers = group("breakers", "breaker", {"utility_a", "cdu_2"}, {{"state", "1", "state"}});
  writer.append(limits, 0.0, std::vector{360.0F, 361.0F, 362.0F, 363.0F, none, 308.0F, 309.0F, 310.0F});
  for (int minute = 0; minute <= 10; ++minute) {
    const double time_s = 60.0 * minute;
    const auto warm = float(10 - 2 * std::abs(minute - 6));
    writer.append(of_racks, time_s,
                  std::vector{330.0F, 331.0F, 347.0F + warm, 349.0F + warm, 297.0F, 298.0F, 299.0F, 300.0F});
    writer.append(cdus, time_s, std::vector{0.4F, 0.5F + 0.01F * float(minute)});
    writer.append(motors, time_s,
                  std::vector{minute < 3 ? 1.0F : 2.0F, minute < 5 ? 1.0F : 2.0F, 1.0F, 0.0F, 1.0F, 0.0F,
                              minute < 7 ? 1.0F : 2.0F});
    writer.append(breakers, time_s, std::vector{minute < 8 ? 1.0F : 0.0F, 1.0F});
  }
  writer.write_events(std::vector<twin::EventRecord>{{180.0, "fail", "cdu_1.pump_a", "scenario"},
                                                     {300.0, "fail", "cdu_1.pump_b", "scenario"},
                                                     {420.0, "fail", "chiller_2", "scenario"}});
  const std::vector<twin::NamedValue> provenance{{"title", std::string("Pumps and {braces} and more"), "", "Title"}};
  writer.write_provenance(provenance);
  writer.write_layout(twin::hall_layout(hall));
  writer.finish();
  return file;
}

const XdmfBlock& block_of(const Playback& playback, const std::string& name) {
  for (const XdmfBlock& block : playback.document.blocks)
    if (block.name == name) return block;
  FAIL("no block " << name);
  throw 0;
}

std::vector<float> values_at(const Playback& playback, const std::string& block, const std::string& field,
                             double time_s) {
  for (const XdmfField& one : block_of(playback, block).fields) {
    if (one.name != field) continue;
    for (std::size_t frame = 0; frame < playback.document.frames.size(); ++frame)
      if (playback.document.frames[frame].time_s == time_s) return one.inlined.at(frame);
  }
  FAIL("no " << field << " of " << block << " at " << time_s);
  throw 0;
}

}  // namespace

TEST_CASE("an export has the margins of racks and the states of what has motors, at the time of each frame",
          "[export][export_failures]") {
  const TemporaryFolder folder;
  const Playback playback = read_playback(write_failures(folder / "run.h5"), {});
  CHECK(playback.document.frames.size() == 11);
  CHECK(values_at(playback, "racks", "margin (K)", 0.0) == std::vector{13.0F, 11.0F, 9.0F, 13.0F});
  CHECK(values_at(playback, "racks", "margin (K)", 360.0) == std::vector{13.0F, 11.0F, 4.0F, 1.0F});
  CHECK(values_at(playback, "cdus", "state (1)", 240.0) == std::vector{1.0F, 1.0F});
  CHECK(values_at(playback, "cdus", "state (1)", 300.0) == std::vector{2.0F, 1.0F});
  CHECK(values_at(playback, "chillers", "state (1)", 360.0) == std::vector{0.0F, 1.0F});
  CHECK(values_at(playback, "chillers", "state (1)", 420.0) == std::vector{0.0F, 2.0F});
  CHECK(block_of(playback, "motors").names.at(4) == "facility.pump_a");
  CHECK(block_of(playback, "breakers").cell_count == 2);
}

TEST_CASE("motors stand on the equipment that they are of, side by side", "[export][export_failures]") {
  const TemporaryFolder folder;
  const Playback playback = read_playback(write_failures(folder / "run.h5"), {});
  const std::vector<float>& points = block_of(playback, "motors").inlined_points;
  REQUIRE(points.size() == 21);
  for (const twin::LayoutBox& box : twin::hall_layout(hall)) {
    if (box.name != "cdu_1") continue;
    for (const std::size_t motor : {std::size_t{0}, std::size_t{1}}) {
      CHECK(std::abs(double(points[3 * motor]) - box.centre_m[0]) < 0.5 * box.size_m[0]);
      CHECK(points[3 * motor + 1] == Approx(box.centre_m[1]));
      CHECK(points[3 * motor + 2] > box.centre_m[2] + 0.5 * box.size_m[2]);
    }
  }
  CHECK(points[0] < points[3]);
}

TEST_CASE("the worst moment has a frame, and the state opens there", "[export][export_failures]") {
  const TemporaryFolder folder;
  const fs::path results = write_failures(folder / "run.h5");
  const Playback few = read_playback(results, {.most_frames = 3});
  CHECK(few.worst_s == 360.0);
  CHECK(std::ranges::count(few.document.frames, 360.0, &XdmfFrame::time_s) == 1);
  CHECK(read_playback(results, {.from_s = 420.0}).worst_s == 420.0);
  REQUIRE(export_xdmf({.results = results, .output = folder / "run.xdmf"}) == 0);
  std::ifstream in(folder / "run.pvstate.py");
  const std::string state(std::istreambuf_iterator<char>(in), {});
  CHECK_THAT(state, Contains(R"(\"time\":360.0)") && Contains("xdmf=\"run.xdmf\""));
}

TEST_CASE("an export of failures is what was recorded, by other code", "[export][export_failures]") {
  const TemporaryFolder folder;
  REQUIRE(export_xdmf({.results = write_failures(folder / "run.h5")}) == 0);
  const Outcome outcome =
      Process("/usr/bin/python3", {WATTLOOP_SOURCE_DIR "/tests/support/check_xdmf.py", folder / "run.xdmf2"},
              folder.path())
          .wait();
  if (outcome.exit_code == 77) skip(outcome.output);
  INFO(outcome.output << outcome.errors);
  CHECK(outcome.exit_code == 0);
  CHECK_THAT(outcome.output, Contains("11 times") && Contains(" 0 problems"));
}

TEST_CASE("ParaView answers what failed, when, and which racks came near to a limit, from the export alone",
          "[export][export_failures][paraview]") {
  const std::string program = pvpython();
  const TemporaryFolder folder;
  REQUIRE(export_xdmf({.results = write_failures(folder / "run.h5")}) == 0);
  const Outcome answers =
      Process(program, {WATTLOOP_SOURCE_DIR "/scripts/what_failed.py", folder / "run.pvstate.py"}, folder.path())
          .wait();
  INFO(answers.output << answers.errors);
  REQUIRE(answers.exit_code == 0);
  CHECK_THAT(answers.output, Contains("failed: cdu_1.pump_a at 180 s\n"
                                      "failed: cdu_1 at 300 s\n"
                                      "failed: cdu_1.pump_b at 300 s\n"
                                      "failed: chiller_2 at 420 s\n"
                                      "below 5 K: row_2.rack_1 from 360 s, least 4.0 K at 360 s\n"
                                      "below 5 K: row_2.rack_2 from 300 s, least 1.0 K at 360 s\n"
                                      "4 failed, 2 racks below 5 K\n"));
  const Outcome read = Process(program,
                               {WATTLOOP_SOURCE_DIR "/tests/support/paraview_values.py", folder / "run.pvstate.py",
                                folder / "run.json", folder / "run.png"},
                               folder.path())
                           .wait();
  INFO(read.output << read.errors);
  REQUIRE(read.exit_code == 0);
  std::ifstream in(folder / "run.json");
  const nlohmann::json seen = nlohmann::json::parse(in);
  CHECK(seen.at("opened_at") == 360.0);
  CHECK(seen.at("notes").at("time") == "600 s, 2026-03-01 06:10:00");
  CHECK_THAT(seen.at("notes").at("events").get<std::string>(),
             Contains("3 min: CDU 1, pump a failed") && Contains("7 min: chiller 2 failed"));
  for (const nlohmann::json& block : seen.at("frames").at(0).at("blocks")) {
    if (block.at("name") != "racks") continue;
    CHECK(block.at("fields").at("row") == nlohmann::json::array({1, 1, 2, 2}));
    CHECK(block.at("fields").at("rack") == nlohmann::json::array({1, 2, 1, 2}));
  }
  const Outcome compared =
      Process("/usr/bin/python3",
              {WATTLOOP_SOURCE_DIR "/tests/support/check_xdmf.py", folder / "run.xdmf2", folder / "run.json"},
              folder.path())
          .wait();
  if (compared.exit_code == 77) skip(compared.output);
  INFO(compared.output << compared.errors);
  CHECK(compared.exit_code == 0);
}
