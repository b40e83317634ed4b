// `wattloop import telemetry` and `import jobs`: logs become files that the program reads, and every mistake ends with exit code 1.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "tests/support/catch.hpp"
#include "tests/support/run_program.hpp"

using namespace wattloop::tests;
using Catch::Matchers::Contains;

namespace {

/// Two nodes of eight GPUs, a sample a second, with a hole of six seconds.
void write_logs(const WorkFolder& folder) {
  for (const char* const node : {"n1", "n2"}) {
    std::string text = "timestamp, index, power.draw [W]\n";
    for (int second = 0; second < 60; ++second) {
      if (second > 20 && second < 27) continue;
      for (int gpu = 0; gpu < 8; ++gpu)
        text += fmt::format("2026/07/15 10:00:{:02}.{:03}, {}, {:.2f} W\n", second, 3 * gpu, gpu,
                            second % 11 < 9 ? 612.5 + gpu : 220.25);
    }
    folder.write(fmt::format("{}.csv", node), text);
  }
}

}  // namespace

TEST_CASE("imported telemetry replays as it is, without fill", "[cli][imports]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  write_logs(folder);
  const Outcome outcome = folder.run({"import", "telemetry", "n1.csv", "n2.csv", "-o", "trace.csv"});
  INFO(outcome.errors);
  REQUIRE(outcome.exit_code == 0);
  CHECK_THAT(outcome.output,
             Contains("log        nvidia-smi, 2 files: 16 GPUs of 2 nodes, 864 samples\n") &&
                 Contains("holes      16 holes, 96 samples missing") &&
                 Contains("doubles    8 of 16 columns repeat another one to the last digit: n2.gpu_0 is n1.gpu_0") &&
                 Contains("trace.csv: 60 rows; workload: { kind: replay, trace: trace.csv, meaning: gpu }"));
  const Outcome run = folder.run_own(fmt::format(
      "extends: {}\nduration: 1 min\nevents: []\nworkload: {{ kind: replay, trace: trace.csv, meaning: gpu }}\n",
      one_rack));
  INFO(run.errors);
  CHECK(run.exit_code == 0);
  const Outcome again = folder.run({"import", "telemetry", "n1.csv", "n2.csv", "-o", "trace.csv", "--json"});
  REQUIRE(again.exit_code == 0);
  const nlohmann::json report = nlohmann::json::parse(again.output);
  CHECK(report["rows"]["count"] == 60);
  CHECK(report["holes"]["longer_than_three_intervals"] == 16);
  CHECK(report["repeated_columns"].size() == 8);
  CHECK(report["meaning"] == "gpu");
}

TEST_CASE("imported nodes fill a hall, and a seed makes the same file again", "[cli][imports]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  write_logs(folder);
  const std::vector<std::string> command{"import", "telemetry", "n1.csv", "n2.csv", "--upscale", "8", "--jitter",
                                         "20 s",   "--spread",  "3 %",    "--seed", "4",         "-o"};
  const auto written = [&](const std::string& name) {
    std::vector<std::string> words = command;
    words.push_back(name);
    const Outcome outcome = folder.run(words);
    INFO(outcome.errors);
    REQUIRE(outcome.exit_code == 0);
    CHECK_THAT(outcome.output, Contains("copies     8 nodes from 2 measured; jitter 20 s, spread 0.03, seed 4\n"));
    return file_text(folder / name.c_str());
  };
  const std::string one = written("one.csv");
  CHECK(one == written("other.csv"));
  CHECK_THAT(one, Contains("t_s,node_1.gpu_0,") && Contains(",node_8.gpu_7\n"));
}

TEST_CASE("mistakes in imports end with exit code 1, and nothing is written", "[cli][imports]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  write_logs(folder);
  folder.write("bad.csv", "t_s,node_1\n0,100\n1,off\n");
  folder.write("mine.csv", "t_s,node_1\n0,100\n1,100\n");
  folder.write("jobs.txt", "Hello\n");
  struct Mistake {
    std::vector<std::string> command;
    std::string message;
  };
  const std::vector<Mistake> mistakes{
      {{"import", "telemetry", "bad.csv", "--boundary", "node_ac", "-o", "t.csv"},
       "bad.csv:3:3: node_1: 'off' is not a power"},
      {{"import", "telemetry", "mine.csv", "-o", "t.csv"},
       "the log does not give the measurement boundary of its power"},
      {{"import", "telemetry", "n1.csv", "-o", "n1.csv"}, "'n1.csv' is read by this command"},
      {{"import", "telemetry", "n1.csv", "-o", "mine.csv"}, "'mine.csv' was not written by this command"},
      {{"import", "telemetry", "n3.csv", "-o", "t.csv"}, "n3.csv: no such file"},
      {{"import", "telemetry", "n1.csv", "--jitter", "5 s", "-o", "t.csv"}, "write --upscale N, which makes N nodes"},
      {{"import", "telemetry", "n1.csv", "--upscale", "4", "--spread", "2", "-o", "t.csv"},
       "'2' is not a valid spread"},
      {{"import", "telemetry", "n1.csv", "--format", "nvidia_smi", "-o", "t.csv"}, "nvidia-smi"},
      {{"import", "telemetry", "-o", "t.csv"}, "files"},
      {{"import", "jobs", "jobs.txt", "-o", "t.csv"}, "jobs.txt:1:1: the format of this log is not known"},
      {{"import", "jobs", "n1.csv", "--format", "sacct", "-o", "t.csv"}, "there is no column 'JobID'"},
  };
  for (const Mistake& mistake : mistakes) {
    const Outcome outcome = folder.run(mistake.command);
    INFO(mistake.message);
    CHECK(outcome.exit_code == 1);
    CHECK_THAT(outcome.errors, Contains(mistake.message));
    CHECK(outcome.output.empty());
    CHECK_FALSE(std::filesystem::exists(folder / "t.csv"));
  }
}

TEST_CASE("imported jobs are a table with its source, and what was left out is reported", "[cli][imports]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  folder.write("log.swf",
               "; MaxNodes: 128\n; MaxProcs: 1024\n1 0 10 3600 16 -1 -1 16 7200 -1 1 3 1 -1 2 -1 -1 -1\n2 5 -1 -1 -1 "
               "-1 -1 8 60 -1 5 3 1 -1 2 -1 -1 -1\n");
  const Outcome outcome = folder.run({"import", "jobs", "log.swf", "-o", "jobs.csv"});
  INFO(outcome.errors);
  REQUIRE(outcome.exit_code == 0);
  CHECK_THAT(outcome.output, Contains("left out   1 never ran; the first is 2 in line 4\n") &&
                                 Contains("jobs.csv: 1 job, 0 GPU hours, 1 class\n"));
  CHECK_THAT(outcome.errors, Contains("note: 8 processors count as a node, by MaxProcs and MaxNodes of the log"));
  CHECK(file_text(folder / "jobs.csv") ==
        "# jobs, written by wattloop import jobs\n"
        "# from log.swf (swf): 1 of 2 jobs; the first was submitted at 0 s\n"
        "# submit_s, run_time_s and time_limit_s in seconds; nodes 0: the log says GPUs alone; no time_limit_s: none\n"
        "name,submit_s,nodes,gpus,run_time_s,time_limit_s,priority,class\n"
        "1,0,2,0,3600,7200,0,queue_2\n");
  const Outcome json = folder.run({"import", "jobs", "log.swf", "-o", "jobs.csv", "--json", "-q"});
  REQUIRE(json.exit_code == 0);
  CHECK(json.errors.empty());
  CHECK(nlohmann::json::parse(json.output)["never_ran"]["count"] == 1);
}
