// `wattloop study`: the same table whatever the threads and shards, resumed after SIGKILL and a full disk, other people's folders left alone,
// mistakes reported at their place.
#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <sstream>

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "tests/support/catch.hpp"
#include "tests/support/run_program.hpp"

using namespace wattloop::tests;
using Catch::Matchers::Contains;
namespace fs = std::filesystem;

namespace {

const std::string head =
    "title: A small study\n"
    "base: " WATTLOOP_SOURCE_DIR "/scenarios/one_rack.yaml\n";

std::string study_text(const std::string& duration, int supplies) {
  return head + fmt::format("set: {{ duration: {} }}\n", duration) +
         fmt::format(
             "changes:\n  supply: {{ path: hall.cooling.loops.supply_temperature, range: {{ from: 30 degC, to: "
             "40 degC, steps: {} }} }}\n",
             supplies) +
         "combine: [ supply, { each_part: { of: \"cdu_1.pump_*\", at: 5 s, or_none: true } } ]\n"
         "keep: [ peak_die_temperature: degC, pue, peak_die_gpu, first_throttle_time, trips ]\n"
         "limits: [ \"peak_die_temperature <= 58 degC\", \"trips <= 0\" ]\n";
}

std::string table_of(const WorkFolder& folder, const char* csv) { return file_text(folder / csv); }

std::size_t lines_of(const std::string& text) { return static_cast<std::size_t>(std::ranges::count(text, '\n')); }

}  // namespace

TEST_CASE("a study gives the same table for any number of threads and shards", "[cli][study]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  folder.write("s.yaml", study_text("20 s", 3));
  const Outcome one = folder.run({"study", "s.yaml", "-o", "one", "-q"});
  INFO(one.errors);
  CHECK(one.exit_code == 3);
  CHECK_THAT(one.output, Contains("9 of 9 runs done, 0 failed, ") &&
                             Contains("peak_die_temperature <= 58 degC  VIOLATED in ") &&
                             Contains("trips <= 0  held") && Contains("table              one/study.csv"));
  const std::string table = table_of(folder, "one/study.csv");
  CHECK(lines_of(table) == 10);
  CHECK(table.starts_with(
      "run,supply (degC),part,peak_die_temperature (degC),pue,peak_die_gpu,first_throttle_time "
      "(s),trips,unreached_settings,"
      "exceeded_limits,check_warnings,peak_die_temperature <= 58 degC,trips <= 0,exit_code,message\n1,30,,"));
  CHECK_THAT(table, Contains("\n5,35,cdu_1.pump_a,"));

  CHECK(folder.run({"study", "s.yaml", "-o", "three", "-q", "--threads", "3"}).exit_code == 3);
  CHECK(table_of(folder, "three/study.csv") == table);
  CHECK(file_text(folder / "three/study.h5") == file_text(folder / "one/study.h5"));
  for (const char* shard : {"3/3", "1/3", "2/3"}) {
    const Outcome part = folder.run({"study", "s.yaml", "-o", std::string("part") + shard[0], "-q", "--shard", shard});
    CHECK_THAT(part.output, Contains("3 of 9 runs done"));
  }
  const Outcome missing = folder.run({"study", "--collect", "part1", "part3", "-o", "missing"});
  CHECK_THAT(missing.errors, Contains("3 of 9 runs are missing"));
  CHECK(folder.run({"study", "--collect", "part3", "part1", "part2", "-o", "all"}).exit_code == 3);
  CHECK(table_of(folder, "all/study.csv") == table);
  CHECK(file_text(folder / "all/study.h5") == file_text(folder / "one/study.h5"));
}

TEST_CASE("an argument of --set goes over what a study sets, and is refused for what it varies", "[cli][study]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  folder.write("s.yaml", head +
                             "set: { duration: 10 s }\nchanges:\n  supply: { path: "
                             "hall.cooling.loops.supply_temperature, values: [30 degC] }\nkeep: [ simulated_time ]\n");
  REQUIRE(folder.run({"study", "s.yaml", "-o", "own", "-q"}).exit_code == 0);
  CHECK_THAT(table_of(folder, "own/study.csv"), Contains("\n1,30,10,"));
  REQUIRE(folder.run({"study", "s.yaml", "-o", "longer", "-q", "--set", "duration=20 s"}).exit_code == 0);
  CHECK_THAT(table_of(folder, "longer/study.csv"), Contains("\n1,30,20,"));
  const Outcome varied =
      folder.run({"study", "s.yaml", "-o", "varied", "-q", "--set", "hall.cooling.loops.supply_temperature=33 degC"});
  CHECK(varied.exit_code == 1);
  CHECK_THAT(varied.errors, Contains("--set hall.cooling.loops.supply_temperature=33 degC") &&
                                Contains("the study varies this value in each run"));
}

TEST_CASE("a row of a study says what check warns of in its hall, whatever happens in it", "[cli][study]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  folder.write("s.yaml",
               "title: Racks\nbase: " + one_rack +
                   "\nset: { duration: 10 s }\nchanges:\n  racks: { path: hall.racks.count, values: [1, 3] }\n"
                   "  part: { event: { at: 5 s, fail: value }, of: \"cdu_1.pump_*\" }\nkeep: [ pue ]\n");
  const Outcome study = folder.run({"study", "s.yaml", "-o", "s", "-q"});
  INFO(study.output << study.errors);
  REQUIRE(study.exit_code == 0);
  CHECK_THAT(study.output,
             Contains("`wattloop check` warns in 2 of 4 runs\n    run 3: racks = 3, part = cdu_1.pump_a\n"));
  const auto check =
      nlohmann::json::parse(folder.run({"check", one_rack, "--set", "hall.racks.count=3", "--json"}).output);
  const std::size_t warnings = check.at("warnings").size();
  REQUIRE(warnings > 1);
  const std::string first = std::to_string(warnings) + " warnings, the first: ";
  std::istringstream table(file_text(folder / "s/study.csv"));
  std::string row;
  std::getline(table, row);
  for (int run = 1; run <= 4; ++run) {
    std::getline(table, row);
    CHECK((row.find(first) != std::string::npos) == (run > 2));
  }
}

TEST_CASE("figures of a study are those of the single run", "[cli][study]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  folder.write("s.yaml", study_text("20 s", 2));
  const Outcome study = folder.run({"study", "s.yaml", "-o", "s", "-q", "--json"});
  const nlohmann::json json = nlohmann::json::parse(study.output);
  CHECK(json.at("done") == 6);
  CHECK(json.at("limits").at(0).at("violating") == json.at("violating"));
  const Outcome run = folder.run({"run", WATTLOOP_SOURCE_DIR "/scenarios/one_rack.yaml", "--no-results", "-q", "--json",
                                  "--set", "duration=20 s", "--set", "hall.cooling.loops.supply_temperature=40 degC",
                                  "--event", "at: 5 s, fail: cdu_1.pump_b"});
  const nlohmann::json single = nlohmann::json::parse(run.output);
  const double peak_c = single.at("peak_die_temperature").at("value").get<double>() - 273.15;
  CHECK_THAT(table_of(folder, "s/study.csv"), Contains(fmt::format("\n6,40,cdu_1.pump_b,{}", peak_c).substr(0, 28)));
  CHECK_THAT(table_of(folder, "s/study.csv"),
             Contains(fmt::format(",{},{}", single.at("pue").at("value").get<double>(),
                                  single.at("peak_die_gpu").at("value").get<std::string>())));
  CHECK_FALSE(fs::exists(folder / "results/one_rack.h5"));
}

TEST_CASE("a study that is killed goes on where it was, to the same table", "[cli][study]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  folder.write("s.yaml", study_text("60 s", 12));
  folder.run({"study", "s.yaml", "-o", "whole", "-q", "--threads", "2"});
  std::size_t kept = 0, kills = 0;
  for (const int milliseconds : {1, 150, 230, 310, 390, 470, 550}) {
    Process process = folder.start({"study", "s.yaml", "-o", "killed", "-q", "--threads", "2"});
    usleep(1000 * static_cast<useconds_t>(milliseconds));
    process.send(SIGKILL);
    const Outcome outcome = process.wait();
    kills += outcome.exit_code == 128 + SIGKILL ? 1 : 0;
    if (!fs::exists(folder / "killed/study-1-of-1.journal")) continue;
    const std::size_t rows = lines_of(file_text(folder / "killed/study-1-of-1.journal")) - 1;
    CHECK(rows >= kept);
    kept = rows;
  }
  CHECK(kills > 0);
  const Outcome resumed = folder.run({"study", "s.yaml", "-o", "killed", "--threads", "2"});
  CHECK_THAT(resumed.output, Contains("36 of 36 runs done"));
  CHECK(table_of(folder, "killed/study.csv") == table_of(folder, "whole/study.csv"));
}

TEST_CASE("a study that is asked to stop ends the run that it is at, and begins no other", "[cli][study]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  folder.write("s.yaml", study_text("24 h", 12));
  Process process = folder.start({"study", "s.yaml", "-o", "s", "-q"});
  for (int wait = 0; wait < 2000 && !fs::exists(folder / "s/study-1-of-1.journal"); ++wait) usleep(5000);
  usleep(150'000);
  process.send(SIGTERM);
  const Outcome outcome = process.wait();
  CHECK(outcome.exit_code == 130);
  CHECK_THAT(outcome.errors, Contains("interrupted; the same command continues with the runs in s"));
  CHECK(lines_of(file_text(folder / "s/study-1-of-1.journal")) >= 2);  // the first run takes longer than we waited
}

TEST_CASE("half a line at the end of a journal costs its run alone", "[cli][study]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  folder.write("s.yaml", study_text("20 s", 2));
  folder.run({"study", "s.yaml", "-o", "s", "-q"});
  const std::string table = table_of(folder, "s/study.csv"), journal = file_text(folder / "s/study-1-of-1.journal");
  folder.write("s/study-1-of-1.journal", journal.substr(0, journal.size() - 9));
  const Outcome again = folder.run({"study", "s.yaml", "-o", "s"});
  CHECK_THAT(again.errors, Contains("note: 5 runs are already done"));
  CHECK(table_of(folder, "s/study.csv") == table);
  CHECK(file_text(folder / "s/study-1-of-1.journal") == journal);
}

TEST_CASE("a study that finds the disk full ends with exit code 4 and goes on later", "[cli][study]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  folder.write("s.yaml", study_text("20 s", 8));
  const Outcome full = folder.run_shell("ulimit -f 8; $wattloop study s.yaml -o s");  // 4 KB: a file may grow no larger
  CHECK(full.exit_code == 4);
  CHECK_THAT(full.errors, Contains(" runs are stored; the same command continues from there\nfile error: cannot write "
                                   "s/study-1-of-1.journal: "));
  CHECK_FALSE(fs::exists(folder / "s/study.csv"));
  CHECK_THAT(folder.run({"study", "s.yaml", "-o", "s"}).output, Contains("24 of 24 runs done"));
}

TEST_CASE("a folder of something else, or of before a change, is refused", "[cli][study]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  folder.write("s.yaml", study_text("20 s", 2));
  folder.write("other/precious.txt", "mine");
  const Outcome other = folder.run({"study", "s.yaml", "-o", "other"});
  CHECK(other.exit_code == 1);
  CHECK_THAT(other.errors, Contains("'other' contains 'precious.txt', which does not belong to a study"));
  CHECK(folder.run({"study", "s.yaml", "-o", "s", "-q"}).exit_code < 4);
  folder.write("s.yaml", study_text("30 s", 2));
  const Outcome changed = folder.run({"study", "s.yaml", "-o", "s"});
  CHECK(changed.exit_code == 1);
  CHECK_THAT(changed.errors,
             Contains("'s' holds runs of 'A small study' from before something changed: the study, its scenario"));
  CHECK_THAT(folder.run({"study", "s.yaml", "-o", "s", "--set", "seed=2"}).errors, Contains("its scenario"));
  CHECK_THAT(folder.run({"study", "s.yaml", "-o", "s", "--afresh"}).output, Contains("6 of 6 runs done"));
  folder.write("s.yaml", "# other words, the same study\n" + study_text("30 s", 2));
  CHECK_THAT(folder.run({"study", "s.yaml", "-o", "s"}).errors, Contains("note: 6 runs are already done"));
}

TEST_CASE("mistakes of a study are reported at once, at their place, before anything runs", "[cli][study][mistakes]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  const auto reported = [&](const std::string& text, std::initializer_list<std::string> whats) {
    folder.write("s.yaml", text);
    const Outcome outcome = folder.run({"study", "s.yaml", "-o", "s"});
    CHECK(outcome.exit_code == 1);
    for (const std::string& what : whats) CHECK_THAT(outcome.errors, Contains(what));
    CHECK_FALSE(fs::exists(folder / "s"));
  };
  reported(head +
               "changes:\n"
               "  supply: { path: hall.cooling.loops.suply_temperature, values: [30 degC] }\n"
               "  nodes: { path: hall.racks.nodes, values: [8, 4 kW] }\n"
               "  lost: { event: { at: 5 s, fail: value }, values: [cdu_7] }\n"
               "keep: [ peak_die_temprature, pue: kW ]\n"
               "limits: [ \"peak_die_temperature <= 80 W\" ]\n",
           {"s.yaml:4:66: hall.cooling.loops has no parameter 'suply_temperature'",
            "did you mean 'supply_temperature'?", "s.yaml:5:48: nodes: '4 kW' is not a whole number",
            "s.yaml:7:9: the summary of this hall has no 'peak_die_temprature'", "did you mean 'peak_die_temperature'?",
            "this hall has no component 'cdu_7' that can fail",
            "s.yaml:8:11: peak_die_temperature: '80 W' is in W, expected degC"});
  reported(head + "combine: { each_part: { of: \"cdu_7\", at: 5 s } }\nkeep: pue\n",
           {"s.yaml:3:29: no part of the base is called 'cdu_7'", "did you mean 'cdu_1'?"});
  reported(head +
               "changes:\n"
               "  a: { path: seed, range: { from: 1, to: 100000, steps: 100000 } }\n"
               "  b: { path: hall.racks.nodes, range: { from: 1, to: 10000, steps: 10000 } }\n"
               "keep: pue\n",
           {"100,000 x 10,000 = 1,000,000,000 runs, expected at most 1,000,000"});
  reported(head + "combine: { each_part: { of: cdu_1, at: 5 s } }\nkeep: wall_time\n",
           {"'wall_time' differs in every run"});
}

TEST_CASE("a run without an answer is a row with its message, and the others go on", "[cli][study]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  folder.write(
      "s.yaml",
      head +
          "set: { duration: 20 s }\n"
          "changes: { supply: { path: hall.cooling.loops.supply_temperature, values: [30 degC, 59 degC] },\n"
          "           facility: { path: hall.cooling.facility.supply_temperature, values: [24 degC, 94 degC] } }\n"
          "combine: { together: [supply, facility] }\n"
          "keep: pue\n");
  const Outcome outcome = folder.run({"study", "s.yaml", "-o", "s", "-q"});
  INFO(outcome.errors << outcome.output);
  CHECK(outcome.exit_code == 2);
  CHECK_THAT(outcome.output,
             Contains("2 of 2 runs done, 1 failed") && Contains("run 2: supply = 59 degC, facility = 94 degC"));
  CHECK_THAT(table_of(folder, "s/study.csv"), Contains("\n2,59,94,,,,,2,"));
}

TEST_CASE("a dry run reports runs, time and disk, and runs nothing", "[cli][study]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  folder.write("s.yaml", study_text("20 s", 8));
  const Outcome dry = folder.run({"study", "s.yaml", "-o", "s", "--dry-run"});
  CHECK(dry.exit_code == 0);
  CHECK_THAT(dry.output, Contains("8 x 3 = 24 runs\n") && Contains("run 1: supply = 30 degC, part = none\n") &&
                             Contains("and 12 more\n") && Contains("\ntime  ") && Contains("\ndisk  "));
  CHECK_FALSE(fs::exists(folder / "s"));
}

TEST_CASE("bands of draws are the same for any number of threads and shards, and are printed again",
          "[cli][study][drawn]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  folder.write(
      "d.yaml",
      head +
          "set: { duration: 20 s }\n"
          "changes:\n"
          "  supply: { path: hall.cooling.loops.supply_temperature, distribution: { kind: normal, mean: 34 degC, "
          "deviation: 1 K } }\n"
          "combine: { latin_hypercube: { runs: 12 } }\n"
          "keep: [ peak_die_temperature: degC ]\n"
          "limits: [ \"peak_die_temperature <= 90 degC\" ]\n");
  const Outcome one = folder.run({"study", "d.yaml", "-o", "one", "-q"});
  INFO(one.errors << one.output);
  REQUIRE(one.exit_code == 0);
  CHECK_THAT(one.output, Contains("12 draws are too few") && Contains("violated in 0 of 12 draws: 0.0 %"));
  CHECK(folder.run({"study", "d.yaml", "-o", "two", "-q", "--threads", "2"}).exit_code == 0);
  CHECK(folder.run({"study", "d.yaml", "-o", "a", "-q", "--shard", "1/2"}).exit_code == 0);
  CHECK(folder.run({"study", "d.yaml", "-o", "b", "-q", "--shard", "2/2"}).exit_code == 0);
  CHECK(folder.run({"study", "--collect", "a", "b", "-o", "joined"}).exit_code == 0);
  CHECK(table_of(folder, "two/study.csv") == table_of(folder, "one/study.csv"));
  CHECK(table_of(folder, "joined/study.csv") == table_of(folder, "one/study.csv"));
  for (const char* again : {"one", "two", "joined/study.h5"}) {
    const Outcome summary = folder.run({"summary", again});
    CHECK(summary.exit_code == 0);
    CHECK(one.output.starts_with(summary.output.substr(0, summary.output.size() - 1)));
  }
  const nlohmann::json found = nlohmann::json::parse(folder.run({"summary", "joined", "--json"}).output);
  CHECK(found["drawn"]["figures"]["peak_die_temperature"]["count"] == 12);
}
