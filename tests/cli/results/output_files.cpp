// Where results may go, who may write there, and what is left when something comes between.
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>

#include <fmt/format.h>

#include "tests/support/catch.hpp"
#include "tests/support/run_program.hpp"
#include "twin/results/reader/results_reader.hpp"

using namespace wattloop::tests;
using Catch::Matchers::Contains;
namespace fs = std::filesystem;

namespace {

const std::string scenarios = WATTLOOP_SOURCE_DIR "/scenarios";
const std::string own = fmt::format("format: 1\nextends: base.yaml\nduration: 20 s\n");

/// own.yaml on base.yaml, a trace and a library of its own.
struct InputFolder : WorkFolder {
  InputFolder() : WorkFolder(WATTLOOP_PROGRAM) {
    std::filesystem::copy(scenarios + "/hardware", path() / "hardware");
    std::filesystem::copy_file(one_rack, path() / "base.yaml");
    write("own.yaml", own);
    write("trace.csv", "t_s,node_1,node_2\n0,7000,7000\n2,7000,7100\n4,7000,7000\n");
  }
};

std::vector<std::string> short_run(const std::string& output) { return {"run", "own.yaml", "--quiet", "-o", output}; }

std::size_t files_in(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), {}));
}

}  // namespace

TEST_CASE("a second run to the same output learns who writes it, and the first ends whole", "[cli][output]") {
  const InputFolder folder;
  Process first = folder.start({"run", "own.yaml", "--quiet", "--set", "duration=10000 h"});
  REQUIRE_FALSE(folder.await_partial_results().empty());
  const std::string name = folder.partial_results().filename().string().substr(std::string_view("own.h5.").size());
  const std::string number = name.substr(0, name.find('-'));
  for (const std::string output : {"results/own.h5", "results/../results/own.h5"}) {
    const Outcome second = folder.run({"run", "own.yaml", "--quiet", "-o", output});
    CHECK(second.exit_code == 4);
    CHECK(second.errors == fmt::format("file error: cannot write {}: process {} is writing it\n", output, number));
  }
  first.send(SIGINT);
  CHECK(first.wait().exit_code == 130);
  CHECK(wattloop::twin::ResultsReader(folder.partial_results()).times_s("facility").size() > 1);
  fs::remove(folder.partial_results());
  CHECK(folder.keeps_earlier_results());
}

TEST_CASE("outputs whose names differ behind a dot share nothing", "[cli][output]") {
  const InputFolder folder;
  Process first = folder.start({"run", "own.yaml", "--quiet", "-o", "results/case_0.1", "--set", "duration=10000 h"});
  REQUIRE_FALSE(folder.await_partial_results().empty());
  CHECK(folder.run(short_run("results/case_0.2")).exit_code == 0);
  first.send(SIGTERM);
  CHECK(first.wait().exit_code == 130);
  CHECK(fs::exists(folder / "results/case_0.2"));
  CHECK_FALSE(fs::exists(folder / "results/case_0.1"));
  CHECK(files_in(folder / "results") == 3);  // own.h5, case_0.2 and the partial file of case_0.1
}

TEST_CASE("a run without -o does not take the place of one with other overrides", "[cli][output]") {
  const InputFolder folder;
  fs::remove(folder / "results/own.h5");
  const std::vector<std::string> plain{"run", "own.yaml", "--quiet"};
  std::vector<std::string> changed = plain;
  changed.insert(changed.end(), {"--set", "hall.racks.nodes=4"});
  REQUIRE(folder.run(plain).exit_code == 0);
  const std::string before = file_text(folder / "results/own.h5");
  const Outcome refused = folder.run(changed);
  CHECK(refused.exit_code == 1);
  CHECK(refused.errors == R"(-o: 'results/own.h5' holds a run without --set
      = give another name to keep both; -o results/own.h5 replaces it
1 problem in the command line
)");
  CHECK(file_text(folder / "results/own.h5") == before);
  changed.insert(changed.end(), {"-o", "results/own.h5"});
  CHECK(folder.run(changed).exit_code == 0);
  changed.resize(changed.size() - 2);
  CHECK(folder.run(changed).exit_code == 0);  // the same again
  CHECK_THAT(folder.run(plain).errors, Contains("holds a run with --set hall.racks.nodes=4\n"));
  CHECK(folder.run({"run", "results/own.h5", "--quiet"}).exit_code == 0);  // results are repeated in their place
}

TEST_CASE("results never take the place of what the run reads", "[cli][output]") {
  const InputFolder folder;
  folder.write("own.yaml",
               own + "workload: { kind: replay, trace: trace.csv, meaning: node_ac }\nhall: { racks: { nodes: 2 } }\n");
  fs::create_symlink("base.yaml", folder / "link.h5");
  fs::create_hard_link(folder / "trace.csv", folder / "hard.h5");
  REQUIRE(folder.run(short_run("good.h5")).exit_code == 0);
  for (const std::string input : {"own.yaml", "base.yaml", "trace.csv", "hardware/ups_97.yaml",
                                  "hardware/h100_sxm5_cold_plate.yaml", "link.h5", "hard.h5"}) {
    const std::string before = file_text(folder / input.c_str());
    std::vector<std::string> run = short_run(input);
    for (const bool is_forced : {false, true}) {
      if (is_forced) run.emplace_back("--force");
      const Outcome outcome = folder.run(run);
      CHECK(outcome.exit_code == 1);
      CHECK_THAT(outcome.errors, Contains(fmt::format("-o: '{}' is read by this run\n", input)));
    }
    CHECK(file_text(folder / input.c_str()) == before);
  }
  const Outcome again = folder.run({"run", "good.h5", "--quiet", "-o", "good.h5", "--set", "duration=10 s"});
  CHECK(again.exit_code == 1);
}

TEST_CASE("results take the place of nothing but results, unless they are forced to", "[cli][output]") {
  const InputFolder folder;
  folder.write("notes.txt", "kept");
  fs::create_symlink("notes.txt", folder / "link.h5");
  for (const std::string output : {"notes.txt", "link.h5"}) {
    const Outcome refused = folder.run(short_run(output));
    CHECK(refused.exit_code == 1);
    CHECK_THAT(refused.errors, Contains(fmt::format("-o: '{}' was not written by Wattloop\n", output)));
    CHECK(file_text(folder / "notes.txt") == "kept");
  }
  std::vector<std::string> forced = short_run("link.h5");
  forced.emplace_back("--force");
  CHECK(folder.run(forced).exit_code == 0);
  CHECK(fs::is_symlink(folder / "link.h5"));  // results are where it leads
  CHECK(wattloop::twin::is_results_file(folder / "notes.txt"));
}

TEST_CASE("devices, pipes and folders are no outputs, by force neither", "[cli][output]") {
  const InputFolder folder;
  REQUIRE(folder.run_shell("mkfifo pipe && ln -s /dev/null null.h5").exit_code == 0);
  for (const std::string output : {"/dev/null", "pipe", "null.h5"}) {
    const Outcome outcome = folder.run_shell("$wattloop run own.yaml --quiet --force -o " + output);
    CHECK(outcome.exit_code == 4);
    CHECK(outcome.errors == fmt::format("file error: cannot write {}: it is a device or a pipe\n", output));
  }
  CHECK(folder.run(short_run("results")).exit_code == 4);
  CHECK(fs::is_character_file("/dev/null"));
}

TEST_CASE("where nothing can be made a run ends and says so", "[cli][output]") {
  const InputFolder folder;
  const Outcome run = folder.run(short_run("/proc/own.h5"));
  CHECK(run.exit_code == 4);
  CHECK_THAT(run.errors, Contains("cannot write /proc/own.h5"));
}

TEST_CASE("a run that writes no results gives the same summary", "[cli][output]") {
  const InputFolder folder;
  const std::size_t before = files_in(folder.path());
  const Outcome without = folder.run({"run", "own.yaml", "--quiet", "--no-results"});
  CHECK(without.exit_code == 0);
  CHECK_THAT(without.output, Contains("results            not written\n"));
  CHECK(files_in(folder.path()) == before);
  CHECK(folder.keeps_earlier_results());
  const Outcome with = folder.run(short_run("own.h5"));
  const auto from_verdict = [](const std::string& text) {
    return text.substr(text.find("\n  "), text.find("\nresults") - text.find("\n  "));
  };
  CHECK(from_verdict(without.output) == from_verdict(with.output));
  CHECK(from_verdict(without.output).size() > 300);
  CHECK_THAT(without.output, Contains("more               --full\n"));
  CHECK_FALSE(folder.run({"run", "own.yaml", "--no-results", "--json"}).output.empty());
  CHECK(folder.run({"run", "own.yaml", "--no-results", "-o", "x.h5"}).exit_code == 1);
}

TEST_CASE("a run under nohup goes on when its terminal is closed", "[cli][output]") {
  const InputFolder folder;
  const Outcome outcome = folder.run_shell(
      "trap '' HUP INT; $wattloop run own.yaml --quiet --set 'duration=20 h' -o results/long.h5 & "
      "while ! ls results/*.partial.h5 >/dev/null 2>&1; do sleep 0.01; done; kill -HUP $!; kill -INT $!; wait $!");
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.errors.empty());
}

TEST_CASE("a run killed as it gives its results their name leaves the earlier ones", "[cli][output]") {
  const InputFolder folder;
  const Outcome outcome = folder.run_shell("LD_PRELOAD=" WATTLOOP_KILL_IN_RENAME
                                           " ASAN_OPTIONS=verify_asan_link_order=0 "
                                           "$wattloop run own.yaml --quiet -o results/own.h5");
  CHECK(outcome.exit_code == 128 + SIGKILL);
  const fs::path partial = folder.partial_results();
  CHECK(wattloop::twin::ResultsReader(partial).times_s("facility").size() == 21);  // whole, but for its name
  fs::remove(partial);
  fs::remove(folder / "results/own.h5.lock");
  CHECK(folder.keeps_earlier_results());
  CHECK(folder.run(short_run("results/own.h5")).exit_code == 0);
}

TEST_CASE("a disk that fills up ends a run with exit code 4 and spares the earlier results", "[cli][output]") {
  const InputFolder folder;
  const Outcome outcome =
      folder.run_shell("ulimit -f 100; exec $wattloop run own.yaml --quiet -o results/own.h5 2>errors");
  CHECK(outcome.exit_code == 4);
  CHECK_THAT(file_text(folder / "errors"), Contains("File too large"));
  fs::remove(folder.partial_results());
  CHECK(folder.keeps_earlier_results());
}
