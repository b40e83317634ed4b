// XDMF of a run: judged by tests/support/check_xdmf.py, which finds with h5py what should be shown; by
// ParaView itself where it is installed; and by the exit codes of the program.
#include "viz/commands/export_command.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/text/problem.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/halls/regular_hall.hpp"
#include "tests/support/records/sample_results.hpp"
#include "tests/support/run_program.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/views/pvpython.hpp"
#include "viz/drawing/image.hpp"
#include "viz/export/playback.hpp"

namespace fs = std::filesystem;
using namespace wattloop;
using namespace wattloop::tests;
using namespace wattloop::viz;
using Catch::Matchers::Contains;

namespace {

const twin::HallCounts small_hall{.rows = 2,
                                  .racks = 7,
                                  .nodes_per_rack = 2,
                                  .gpus_per_node = 4,
                                  .loops = 3,
                                  .cdus_per_loop = 1,
                                  .network_racks = 2,
                                  .towers = 3,
                                  .sides = 2,
                                  .transformers_per_side = 1,
                                  .pdus_per_side = 2};

std::vector<std::string> names_of(const std::vector<twin::LayoutBox>& boxes, std::string_view kind) {
  std::vector<std::string> names;
  for (const twin::LayoutBox& box : boxes)
    if (box.kind == kind) names.push_back(box.name);
  return names;
}

/// Adds a group whose third column has holes; every value of a column is another (sample_value).
void add_group(twin::ResultsWriter& writer, const std::string& group, std::vector<std::string> items, std::size_t rows,
               double interval_s) {
  append_rows(
      writer,
      {.group = group,
       .item_dimension = group.substr(0, group.size() - 1),
       .items = std::move(items),
       .columns = {{"supply_temperature", "K", "in"}, {"return_temperature", "K", "out"}, {"heat", "W", "heat"}}},
      rows, interval_s);
}

/// A run with something of everything, each group with intervals of its own.
fs::path write_small_run(const fs::path& file, std::size_t rack_rows = 41) {
  const auto boxes = twin::hall_layout(small_hall);
  twin::ResultsWriter writer(file, "2026-01-01T00:00:00");
  append_rows(writer, facility_table(), 600, 1.0);
  add_group(writer, "racks", names_of(boxes, "rack"), rack_rows, 15.0);
  append_rows(writer, gpu_table(56), rack_rows / 4 + 1, 60.0);
  add_group(writer, "loops", {"loop_1", "loop_2", "loop_3"}, 21, 30.0);
  add_group(writer, "cdus", names_of(boxes, "cdu"), 21, 30.0);
  add_group(writer, "towers", names_of(boxes, "tower"), 7, 100.0);
  std::vector<std::string> feeders{"utility_a", "utility_b"};  // not drawn
  for (const char* kind : {"transformer", "pdu"})
    for (const std::string& name : names_of(boxes, kind)) feeders.push_back(name);
  add_group(writer, "feeders", feeders, 11, 60.0);
  add_group(writer, "networks", {"network_rack_2", "network_rack_1"}, 11, 60.0);
  writer.write_layout(boxes);
  writer.finish();
  return file;
}

Outcome check(const TemporaryFolder& folder, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), WATTLOOP_SOURCE_DIR "/tests/support/check_xdmf.py");
  const Outcome outcome = Process("/usr/bin/python3", arguments, folder.path()).wait();
  if (outcome.exit_code == 77) skip(outcome.output);
  return outcome;
}

std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE("an exported run refers to what was recorded, item by item and time by time", "[export]") {
  const TemporaryFolder folder;
  const fs::path results = write_small_run(folder / "run.h5");
  REQUIRE(export_xdmf({.results = results}) == 0);
  const Outcome outcome = check(folder, {folder / "run.xdmf2"});
  INFO(outcome.output << outcome.errors);
  CHECK(outcome.exit_code == 0);
  // 41 times; racks 3 fields, GPUs 2, CDUs 3, towers 3, transformers 3, PDUs 3, pipes 2 x 4; network racks
  // none, because no group has their name.
  CHECK_THAT(outcome.output, Contains("41 times, 9 blocks, 1025 hyperslabs, 0 problems"));
}

TEST_CASE("an export refers to results in another folder, whatever the names", "[export]") {
  const TemporaryFolder folder;
  fs::create_directories(folder / "hall é (1) & <b>");
  const fs::path results = write_small_run(folder / "hall é (1) & <b>" / "run 1&2.h5");
  REQUIRE(export_xdmf({.results = results, .output = folder / "views/here/run.xdmf2"}) == 0);
  CHECK_THAT(text_of(folder / "views/here/run.xdmf2"),
             Contains(">../../hall é (1) &amp; &lt;b&gt;/run 1&amp;2.h5:/racks/"));
  const Outcome outcome = check(folder, {folder / "views/here/run.xdmf2"});
  INFO(outcome.output << outcome.errors);
  CHECK(outcome.exit_code == 0);
  const fs::path odd = write_small_run(folder / "run_10:30.h5");
  CHECK_THROWS_AS(export_xdmf({.results = odd}), InputError);
  CHECK_THROWS_WITH(export_xdmf({.results = odd}), Contains("no ':'"));
}

TEST_CASE("a moved pair of files still fits together", "[export]") {
  const TemporaryFolder folder;
  export_xdmf({.results = write_small_run(folder / "run.h5")});
  fs::create_directories(folder / "elsewhere");
  for (const char* name : {"run.h5", "run.xdmf2", "run.pvstate.py"})
    fs::rename(folder / name, folder / "elsewhere" / name);
  CHECK(check(folder, {folder / "elsewhere" / "run.xdmf2"}).exit_code == 0);
}

TEST_CASE("the check of exports notices a wrong row, a wrong shape and a wrong dataset", "[export]") {
  const TemporaryFolder folder;
  export_xdmf({.results = write_small_run(folder / "run.h5")});
  const std::string good = text_of(folder / "run.xdmf2");
  const auto replaced = [&](const std::string& from, const std::string& to) {
    std::string bad = good;
    for (std::size_t at = bad.find(from); at != std::string::npos; at = bad.find(from, at + to.size()))
      bad.replace(at, from.size(), to);
    REQUIRE(bad != good);
    std::ofstream(folder / "bad.xdmf2") << bad;
    return check(folder, {folder / "bad.xdmf2"}).exit_code;
  };
  CHECK(replaced("7 0 1 1 1 7</DataItem>", "6 0 1 1 1 7</DataItem>") == 1);
  CHECK(replaced("Dimensions=\"41 7\"", "Dimensions=\"40 7\"") == 1);
  CHECK(replaced("/racks/heat", "/racks/return_temperature") == 1);
  CHECK(replaced("$0 - 273.15", "$0 - 273.0") == 1);
  CHECK(replaced("<Grid Name=\"cdus\" GridType=\"Uniform\"><Time Value=\"15\"/>",
                 "<Grid Name=\"x\" GridType=\"Uniform\"><Time Value=\"15\"/>") == 1);
}

TEST_CASE("a long run is thinned to times that were recorded in every group", "[export]") {
  std::vector<double> racks_s, gpus_s;
  for (int i = 0; i <= 5760; ++i) racks_s.push_back(15.0 * i);
  for (int i = 0; i <= 1440; ++i) gpus_s.push_back(60.0 * i);
  const std::vector<std::vector<double>> others{gpus_s};
  const std::vector<double> times_s = frame_times_s(racks_s, others, 600);
  CHECK(times_s.size() == 481);  // every 180 s: every 150 s would do, but for the GPUs
  CHECK(times_s[1] == 180.0);
  CHECK(frame_times_s(racks_s, {}, 600).size() == 577);
  CHECK(frame_times_s({racks_s.begin(), racks_s.begin() + 600}, others, 600).size() == 600);
  CHECK(frame_times_s({racks_s.begin(), racks_s.begin() + 601}, others, 600).size() <= 301);
}

TEST_CASE("every record, or those of a span of time, are shown on request", "[export]") {
  const TemporaryFolder folder;
  const fs::path results = write_small_run(folder / "run.h5", 1500);
  const auto frames = [&](const ExportOptions& options, const fs::path& written) {
    REQUIRE(export_xdmf(options) == 0);
    const std::string text = text_of(written);
    const std::string block = text.substr(0, text.find("\n</Grid>\n</Grid>"));  // the first
    std::size_t count = 0;
    for (std::size_t at = block.find("<Time "); at != std::string::npos; at = block.find("<Time ", at + 1)) ++count;
    return count;
  };
  CHECK(frames({.results = results}, folder / "run.xdmf2") == 118);  // every 13th, the last and the worst
  CHECK(frames({.results = results, .most_frames = 600}, folder / "run.xdmf2") == 502);
  CHECK(frames({.results = results, .has_every_record = true}, folder / "run.xdmf2") == 1500);
  CHECK(frames({.results = results, .from = "10 min", .to = "11 min"}, folder / "run.xdmf2") == 5);
  CHECK_THROWS_WITH(export_xdmf({.results = results, .from = "100 h"}), Contains("recorded until 6 h 15 min"));
  CHECK_THROWS_AS(export_xdmf({.results = results, .to = "4 kW"}), InputError);
  CHECK_THROWS_AS(export_xdmf({.results = results, .output = "run.png"}), InputError);
}

TEST_CASE("frames follow the records of racks and GPUs, with --all those of any group", "[export]") {
  const TemporaryFolder folder;
  const auto boxes = twin::hall_layout(small_hall);
  twin::ResultsWriter writer(folder / "run.h5", "2026-01-01T00:00:00");
  add_group(writer, "racks", names_of(boxes, "rack"), 5, 15.0);
  add_group(writer, "loops", {"loop_1", "loop_2", "loop_3"}, 61, 1.0);
  writer.write_layout(boxes);
  writer.finish();
  CHECK(read_playback(folder / "run.h5", {}).document.frames.size() == 5);
  const Playback all = read_playback(folder / "run.h5", {.has_every_record = true});
  CHECK(all.document.frames.size() == 61);
  CHECK(all.document.frames[22].time_s == 22.0);
  CHECK(all.document.frames[22].rows.front() == 1);  // of racks: 15 s is nearer than 30 s
}

TEST_CASE("components whose group has another order are drawn without fields", "[export]") {
  const TemporaryFolder folder;
  const auto boxes = twin::hall_layout(small_hall);
  twin::ResultsWriter writer(folder / "run.h5", "2026-01-01T00:00:00");
  add_group(writer, "racks", names_of(boxes, "rack"), 3, 15.0);
  add_group(writer, "towers", {"tower_2", "tower_1", "tower_3"}, 3, 15.0);
  writer.write_layout(boxes);
  writer.finish();
  const Playback playback = read_playback(folder / "run.h5", {});
  REQUIRE(playback.left_out.size() == 1);
  CHECK_THAT(playback.left_out[0], Contains("'towers'"));  // nothing of CDUs was recorded: no word of them
  for (const XdmfBlock& block : playback.document.blocks) CHECK(block.fields.empty() == (block.name != "racks"));
}

TEST_CASE("export ends with the exit code of what is wrong and writes nothing", "[export]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  folder.write("text.h5", "no results");
  CHECK(folder.run({"export", "text.h5"}).exit_code == 4);
  CHECK(folder.run({"export", "missing.h5"}).exit_code == 4);
  CHECK(folder.run({"export"}).exit_code == 1);
  CHECK(folder.run({"export", "text.h5", "--from", "soon"}).exit_code == 1);
  {
    twin::ResultsWriter writer(folder / "bare.h5", "2026-01-01T00:00:00");
    append_rows(writer, facility_table(), 5, 1.0);
    writer.finish();
  }
  const Outcome bare = folder.run({"export", "bare.h5"});
  CHECK(bare.exit_code == 4);
  CHECK_THAT(bare.errors, Contains("bare.h5: contains no layout"));
  for (const char* name : {"text.xdmf2", "missing.xdmf2", "bare.xdmf2", "bare.pvstate.py"})
    CHECK_FALSE(fs::exists(folder / name));
  write_small_run(folder / "run.h5");
  CHECK(folder.run({"export", "run.h5", "-o", "text.h5/run.xdmf2"}).exit_code == 4);
  const Outcome done = folder.run({"export", "run.h5"});
  CHECK(done.exit_code == 0);
  CHECK_THAT(done.output, Contains("run.xdmf2: 41 of 41 records, 0 s to 10 min"));
  CHECK(fs::exists(folder / "run.xdmf2"));
  CHECK_THAT(folder.run({"export", "--help"}).output, Contains("Examples:"));
}

TEST_CASE("a partial file is exported once its run has ended, with a note", "[export]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  const auto boxes = twin::hall_layout(small_hall);
  twin::ResultsWriter writer(folder / "run.h5", "2026-01-01T00:00:00");
  writer.write_layout(boxes);
  add_group(writer, "racks", names_of(boxes, "rack"), 3, 15.0);
  const std::string partial = writer.partial().filename().string();
  CHECK(folder.run({"export", partial}).exit_code == 4);  // still being written
  const fs::path exported = writer.partial().parent_path() / (writer.partial().stem().string() + ".xdmf2");
  CHECK_FALSE(fs::exists(exported));
  writer.abandon();
  const Outcome outcome = folder.run({"export", partial});
  CHECK(outcome.exit_code == 0);
  CHECK_THAT(outcome.errors, Contains("did not end"));
  CHECK_THAT(text_of(exported), Contains(partial + ":/racks/"));
}

TEST_CASE("frames come with the moments of what happened, and the end", "[export]") {
  const TemporaryFolder folder;
  const auto boxes = twin::hall_layout(small_hall);
  twin::ResultsWriter writer(folder / "run.h5", "2026-01-01T00:00:00");
  add_group(writer, "racks", names_of(boxes, "rack"), 1000, 15.0);
  writer.write_events(std::vector<twin::EventRecord>{{4000.0, "fail", "cdu_1.pump_a", "scenario"}});
  writer.write_layout(boxes);
  writer.finish();
  std::vector<double> times_s;
  for (const XdmfFrame& frame : read_playback(folder / "run.h5", {.most_frames = 10}).document.frames)
    times_s.push_back(frame.time_s);
  CHECK(times_s.size() == 12);
  CHECK(std::ranges::count(times_s, 4005.0) == 1);  // the first record that shows it
  CHECK(times_s.back() == 999 * 15.0);
}

TEST_CASE("ParaView reads from an export and shows with its state what was recorded", "[export][paraview]") {
  const std::string program = pvpython();
  const TemporaryFolder folder;
  write_small_run(folder / "run.h5");
  REQUIRE(export_xdmf({.results = folder / "run.h5"}) == 0);
  std::vector<std::string> arguments{folder / "run.xdmf2"};
  for (const char* file : {"run.xdmf2", "run.pvstate.py"}) {
    const std::string values = (folder / file).string() + ".json";
    const Outcome read = Process(program,
                                 {WATTLOOP_SOURCE_DIR "/tests/support/paraview_values.py", folder / file, values,
                                  (folder / file).string() + ".png"},
                                 folder.path())
                             .wait();
    INFO(read.output << read.errors);
    REQUIRE(read.exit_code == 0);
    arguments.push_back(values);
  }
  const Outcome outcome = check(folder, arguments);
  INFO(outcome.output << outcome.errors);
  CHECK(outcome.exit_code == 0);
  // Three times: 7 racks, 56 GPUs, 3 CDUs, 3 towers, 2 transformers, 4 PDUs, 2 x 3 lines of pipes; names of 2 network racks, too.
  const int values = 3 * (7 * 3 + 56 * 2 + 3 * 3 + 3 * 3 + 2 * 3 + 4 * 3 + 6 * 4);
  const int numbers = 3 * (7 * 2 + 56 * 3);  // of row, rack and node
  const int names = 3 * (7 + 56 + 3 + 3 + 2 + 4 + 6 + 2);
  CHECK_THAT(outcome.output, Contains(fmt::format("xdmf2: 41 times, {} values compared, 0 names, 0 problems", values)));
  CHECK_THAT(outcome.output,
             Contains(fmt::format("py: 41 times, {} values compared, {} names, 0 problems", values + numbers, names)));
}

TEST_CASE("ParaView opens a state with racks coloured on the fixed scale and GPUs hidden", "[export][paraview]") {
  const std::string program = pvpython();
  const WorkFolder folder(WATTLOOP_PROGRAM);
  REQUIRE(folder.run({"run", WATTLOOP_SOURCE_DIR "/scenarios/one_rack.yaml", "--set", "duration=2 min", "-o", "run.h5"})
              .exit_code == 0);
  REQUIRE(folder.run({"export", "run.h5"}).exit_code == 0);
  const Outcome read = Process(program,
                               {WATTLOOP_SOURCE_DIR "/tests/support/paraview_values.py", folder / "run.pvstate.py",
                                folder / "run.json", folder / "run.png"},
                               folder.path())
                           .wait();
  INFO(read.output << read.errors);
  REQUIRE(read.exit_code == 0);
  const nlohmann::json looks = nlohmann::json::parse(text_of(folder / "run.json")).at("looks");
  CHECK(looks.at("racks").at("field").at(1) == "margin (K)");
  CHECK(looks.at("racks").at("range") == nlohmann::json::array({-10.0, 30.0}));
  CHECK(looks.at("racks").at("seen") == true);
  CHECK(looks.at("gpus").at("seen") == false);
  CHECK(looks.at("gpus").at("range") == nlohmann::json::array({30.0, 95.0}));
  CHECK(looks.at("motors").at("seen") == false);
  // Pipes and what carries loads are in the picture: not grey.
  const Image picture = read_png(folder / "run.png");
  int coloured = 0;
  for (int y = 0; y < picture.height; ++y) {
    for (int x = 0; x < picture.width * 8 / 10; ++x)  // left of the scales
      coloured += std::abs(picture.at(x, y).red - picture.at(x, y).blue) > 40 ? 1 : 0;
  }
  CHECK(coloured > 2000);
}
