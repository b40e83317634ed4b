// XDMF of a run: judged by tests/support/check_xdmf.py, which finds with h5py what should be shown; by
// ParaView itself where it is installed; and by the exit codes of the program.
#include "viz/commands/export_command.hpp"

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "core/problem.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/regular_hall.hpp"
#include "tests/support/run_program.hpp"
#include "tests/support/sample_results.hpp"
#include "tests/support/temporary_folder.hpp"
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

std::string pvpython() {
  if (const char* given = std::getenv("WATTLOOP_PVPYTHON"); given != nullptr && *given != '\0') return given;
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');)
    if (fs::exists(fs::path(folder) / "pvpython")) return fs::path(folder) / "pvpython";
  skip("there is no pvpython on $PATH nor in $WATTLOOP_PVPYTHON");
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
  const Outcome outcome = check(folder, {folder / "run.xdmf"});
  INFO(outcome.output << outcome.errors);
  CHECK(outcome.exit_code == 0);
  // 41 times; racks 3 fields, GPUs 2, CDUs 3, towers 3, transformers 3, PDUs 3, pipes 2 x 4; network racks
  // none, since no group has their name.
  CHECK_THAT(outcome.output, Contains("41 times, 9 blocks, 1025 hyperslabs, 0 problems"));
}

TEST_CASE("an export refers to results in another folder, whatever the names", "[export]") {
  const TemporaryFolder folder;
  fs::create_directories(folder / "hall é (1) & <b>");
  const fs::path results = write_small_run(folder / "hall é (1) & <b>" / "run 1&2.h5");
  REQUIRE(export_xdmf({.results = results, .output = folder / "views/here/run.xdmf"}) == 0);
  CHECK_THAT(text_of(folder / "views/here/run.xdmf"),
             Contains(">../../hall é (1) &amp; &lt;b&gt;/run 1&amp;2.h5:/racks/"));
  const Outcome outcome = check(folder, {folder / "views/here/run.xdmf"});
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
  for (const char* name : {"run.h5", "run.xdmf"}) fs::rename(folder / name, folder / "elsewhere" / name);
  CHECK(check(folder, {folder / "elsewhere" / "run.xdmf"}).exit_code == 0);
}

TEST_CASE("the check of exports notices a wrong row, a wrong shape and a wrong dataset", "[export]") {
  const TemporaryFolder folder;
  export_xdmf({.results = write_small_run(folder / "run.h5")});
  const std::string good = text_of(folder / "run.xdmf");
  const auto replaced = [&](const std::string& from, const std::string& to) {
    std::string bad = good;
    for (std::size_t at = bad.find(from); at != std::string::npos; at = bad.find(from, at + to.size()))
      bad.replace(at, from.size(), to);
    REQUIRE(bad != good);
    std::ofstream(folder / "bad.xdmf") << bad;
    return check(folder, {folder / "bad.xdmf"}).exit_code;
  };
  CHECK(replaced("return_temperature|7 0:", "return_temperature|6 0:") == 1);
  CHECK(replaced("Dimensions=\"41 7\"", "Dimensions=\"40 7\"") == 1);
  CHECK(replaced("/racks/heat", "/racks/return_temperature") == 1);
  CHECK(replaced("ItemType=\"Hyperslab\"", "ItemType=\"HyperSlab\"") == 1);
}

TEST_CASE("a long run is thinned to times that were recorded in every group", "[export]") {
  std::vector<double> racks_s, gpus_s;
  for (int i = 0; i <= 5760; ++i) racks_s.push_back(15.0 * i);
  for (int i = 0; i <= 1440; ++i) gpus_s.push_back(60.0 * i);
  const std::vector<std::vector<double>> others{gpus_s};
  const std::vector<double> times_s = frame_times_s(racks_s, others);
  CHECK(times_s.size() == 481);  // every 180 s: every 150 s would do, but for the GPUs
  CHECK(times_s[1] == 180.0);
  CHECK(frame_times_s(racks_s, {}).size() == 577);
  CHECK(frame_times_s({racks_s.begin(), racks_s.begin() + 600}, others).size() == 600);
  CHECK(frame_times_s({racks_s.begin(), racks_s.begin() + 601}, others).size() <= 301);
}

TEST_CASE("every record, or those of a span of time, are shown on request", "[export]") {
  const TemporaryFolder folder;
  const fs::path results = write_small_run(folder / "run.h5", 1500);
  const auto frames = [&](const ExportOptions& options, const fs::path& written) {
    REQUIRE(export_xdmf(options) == 0);
    const std::string text = text_of(written);
    std::size_t count = 0;
    for (std::size_t at = text.find("<Time "); at != std::string::npos; at = text.find("<Time ", at + 1)) ++count;
    return count;
  };
  CHECK(frames({.results = results}, folder / "run.xdmf") == 500);
  CHECK(frames({.results = results, .has_every_record = true}, folder / "run_all.xdmf2") == 1500);
  CHECK(frames({.results = results, .from = "10 min", .to = "11 min"}, folder / "run.xdmf") == 5);
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
  CHECK_THAT(bare.errors, Contains("bare.h5: holds no layout"));
  for (const char* name : {"text.xdmf", "missing.xdmf", "bare.xdmf"}) CHECK_FALSE(fs::exists(folder / name));
  write_small_run(folder / "run.h5");
  CHECK(folder.run({"export", "run.h5", "-o", "text.h5/run.xdmf"}).exit_code == 4);
  const Outcome done = folder.run({"export", "run.h5"});
  CHECK(done.exit_code == 0);
  CHECK_THAT(done.output, Contains("run.xdmf: 41 of 41 records, 0 s to 10 min"));
  CHECK(fs::exists(folder / "run.xdmf"));
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
  const fs::path exported = writer.partial().parent_path() / (writer.partial().stem().string() + ".xdmf");
  CHECK_FALSE(fs::exists(exported));
  writer.abandon();
  const Outcome outcome = folder.run({"export", partial});
  CHECK(outcome.exit_code == 0);
  CHECK_THAT(outcome.errors, Contains("did not come to its end"));
  CHECK_THAT(text_of(exported), Contains(partial + ":/racks/"));
}

TEST_CASE("ParaView reads from an export what was recorded, in all its readers", "[export][paraview]") {
  const std::string program = pvpython();
  const TemporaryFolder folder;
  write_small_run(folder / "run.h5");
  REQUIRE(export_xdmf({.results = folder / "run.h5"}) == 0);
  std::vector<std::string> arguments{folder / "run.xdmf"};
  for (const char* reader : {"XDMFReader", "Xdmf3ReaderS", "Xdmf3ReaderT"}) {
    const std::string values = (folder / reader).string() + ".json";
    const Outcome read =
        Process(program, {WATTLOOP_SOURCE_DIR "/tests/support/paraview_values.py", folder / "run.xdmf", reader, values},
                folder.path())
            .wait();
    INFO(read.output << read.errors);
    REQUIRE(read.exit_code == 0);
    arguments.push_back(values);
  }
  const Outcome outcome = check(folder, arguments);
  INFO(outcome.output << outcome.errors);
  CHECK(outcome.exit_code == 0);
  // Three times: 7 racks, 56 GPUs, 3 CDUs, 3 towers, 2 transformers, 4 PDUs, 2 x 3 lines of pipes.
  for (const char* reader : {"XDMFReader", "Xdmf3ReaderS", "Xdmf3ReaderT"})
    CHECK_THAT(outcome.output, Contains(fmt::format("{}: 41 times, {} values compared, 0 problems", reader,
                                                    3 * (7 * 3 + 56 * 2 + 3 * 3 + 3 * 3 + 2 * 3 + 4 * 3 + 6 * 4))));
}
