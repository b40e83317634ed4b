// Runs that are killed and go on, runs that others begin from, runs of which only the summary is kept, studies with a fork: as their
// users see them.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <regex>
#include <thread>

#include <fmt/format.h>

#include "tests/support/catch.hpp"
#include "tests/support/run_program.hpp"
#include "twin/results/reader/results_equality.hpp"
#include "twin/results/reader/results_reader.hpp"

using namespace wattloop::tests;
using Catch::Matchers::Contains;
using wattloop::twin::results_equal;
namespace fs = std::filesystem;

namespace {

/// Some hours with faults, long enough to be killed in the middle.
const std::string long_run =
    "format: 1\nextends: " + one_rack +
    "\nduration: 30 h\nevents:\n"
    "  - { at: 50 min, fail: cdu_1.pump_a, for: 20 min }\n"
    "  - { at: 58 min, set: loop_1.supply_temperature, by: 3 K, over: 5 min, for: 10 min }\n"
    "  - { at: 9 h, open: utility_a, for: 40 s }\nrecord: { facility: 5 s, gpus: { every: 60 s } }\n";

const fs::path checkpoint = "own.h5.checkpoint";

void await(const fs::path& file) {
  for (int tenths = 0; tenths < 600 && !fs::exists(file); ++tenths)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
}

/// What `wattloop summary` prints, but for the time it took and the name of the file.
std::string figures_of(const WorkFolder& folder, const std::string& results) {
  std::string text = folder.run({"summary", results}).output;
  text.erase(text.rfind("results "));
  const std::size_t took = text.find(" simulated in ");
  return text.erase(took, text.find('\n', took) - took);
}

struct CheckpointFolder : WorkFolder {
  CheckpointFolder() : WorkFolder(WATTLOOP_PROGRAM) { write("own.yaml", long_run); }
  Process start_run() const { return start({"run", "own.yaml", "-o", "own.h5", "-q", "--checkpoint", "0 s"}); }
  Outcome resume() const { return run({"resume", "own.h5", "-q", "--checkpoint", "0 s"}); }
  bool is_clean() const {
    return !fs::exists(path() / checkpoint) && !fs::exists(path() / "own.h5.checkpoint.rows") &&
           std::ranges::none_of(fs::directory_iterator(path()), [](const fs::directory_entry& entry) {
             return entry.path().string().find("partial") != std::string::npos;
           });
  }
};

}  // namespace

TEST_CASE("a run that is killed goes on from its checkpoint to the same results", "[cli][checkpoint]") {
  const CheckpointFolder folder;
  REQUIRE(folder.run({"run", "own.yaml", "-o", "whole.h5", "-q"}).exit_code == 0);
  const bool asks = GENERATE(false, true);
  Process run = folder.start_run();
  await(folder.path() / checkpoint);
  run.send(asks ? SIGTERM : SIGKILL);
  const Outcome ended = run.wait();
  INFO(ended.errors);
  REQUIRE(ended.exit_code == (asks ? 75 : 128 + SIGKILL));
  if (asks) CHECK_THAT(ended.errors, Contains("saved at ") && Contains("own.h5.checkpoint; wattloop resume continues"));
  REQUIRE(fs::exists(folder.path() / checkpoint));
  CHECK_FALSE(fs::exists(folder.path() / "own.h5"));
  for (const char* left : {"own.h5.checkpoint.1.partial", "own.h5.checkpoint.1-2.partial.h5"}) folder.write(left, "");
  Process again = folder.start({"resume", asks ? "own.h5.checkpoint" : "own.h5", "-q", "--checkpoint", "0 s"});
  std::this_thread::sleep_for(std::chrono::milliseconds(150));
  again.send(SIGKILL);  // and once more, or it is done
  if (again.wait().exit_code != 0) {
    const Outcome resumed = folder.resume();
    INFO(resumed.errors);
    REQUIRE(resumed.exit_code == 0);
  }
  const auto same = results_equal(folder / "whole.h5", folder / "own.h5");
  INFO(same.difference);
  CHECK(same.equal);
  CHECK(folder.is_clean());
  const Outcome done = folder.run({"resume", "own.h5"});
  CHECK(done.exit_code == 1);
  CHECK_THAT(done.errors, Contains("its run is done: there is nothing to resume"));
}

TEST_CASE("a full disk leaves no rows of which no checkpoint reports", "[cli][checkpoint]") {
  const CheckpointFolder folder;
  for (const char* limit : {"100", "400"}) {  // blocks of 512 bytes
    const Outcome full = folder.run_shell(fmt::format(
        "trap '' XFSZ; ulimit -f {}; exec $wattloop run own.yaml -o own.h5 -q --checkpoint '1 h' 2>errors", limit));
    const std::string errors = file_text(folder / "errors");
    INFO(errors);
    CHECK(full.exit_code == 4);
    CHECK_THAT(errors, Contains("file error: cannot write ") && Contains("File too large"));
    CHECK(folder.is_clean());
  }
}

TEST_CASE("a full disk leaves the rows of a checkpoint that is there", "[cli][checkpoint]") {
  const CheckpointFolder folder;
  Process run = folder.start_run();
  await(folder.path() / checkpoint);
  run.send(SIGTERM);
  REQUIRE(run.wait().exit_code == 75);
  REQUIRE(folder.run({"run", "own.yaml", "-o", "whole.h5", "-q"}).exit_code == 0);
  const auto blocks = fs::file_size(folder / "own.h5.checkpoint.rows") / 512 + 8;
  const Outcome full = folder.run_shell(
      fmt::format("trap '' XFSZ; ulimit -f {}; exec $wattloop resume own.h5 -q --checkpoint '1 h' 2>errors", blocks));
  INFO(file_text(folder / "errors"));
  CHECK(full.exit_code == 4);
  REQUIRE(fs::exists(folder.path() / checkpoint));
  const Outcome resumed = folder.resume();
  INFO(resumed.errors);
  CHECK(resumed.exit_code == 0);
  CHECK(results_equal(folder / "whole.h5", folder / "own.h5").equal);
  CHECK(folder.is_clean());
}

TEST_CASE("a checkpoint of a scenario that has changed is refused with the reason", "[cli][checkpoint]") {
  const CheckpointFolder folder;
  Process run = folder.start_run();
  await(folder.path() / checkpoint);
  run.send(SIGTERM);
  REQUIRE(run.wait().exit_code == 75);
  const Outcome set = folder.run({"resume", "nothing.h5"});
  CHECK(set.exit_code == 1);
  CHECK_THAT(set.errors, Contains("there is no checkpoint of that name"));
  folder.write("own.yaml", long_run + "seed: 2\n");
  const Outcome other = folder.resume();
  CHECK(other.exit_code == 1);
  CHECK_THAT(other.errors, Contains("its inputs have changed: scenario own.yaml changed"));
  CHECK(fs::exists(folder.path() / checkpoint));
}

TEST_CASE("scenarios begin from a checkpoint, and are reported where they cannot", "[cli][checkpoint]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  const std::string base = "format: 1\nextends: " + one_rack + "\nduration: 30 min\n";
  folder.write("base.yaml", base);
  REQUIRE(folder.run({"run", "base.yaml", "-o", "base.h5", "-q", "--save-at", "10min"}).exit_code == 0);
  REQUIRE(fs::exists(folder / "base.at-600s.checkpoint"));
  const std::string event = "events: [{ at: 15 min, fail: cdu_1.pump_a }]\n";
  const std::string from = "initial: { from: base.at-600s.checkpoint, at: 10 min }\n";
  folder.write("whole.yaml", base + event);
  folder.write("fork.yaml", base + event + from);
  REQUIRE(folder.run({"run", "whole.yaml", "-o", "whole.h5", "-q"}).exit_code == 0);
  const Outcome fork = folder.run({"run", "fork.yaml", "-o", "fork.h5", "-q"});
  INFO(fork.errors);
  REQUIRE(fork.exit_code == 0);
  const auto figures = [&](const char* file) {  // whatever the file is called, which the line of other events names
    return std::regex_replace(figures_of(folder, file), std::regex(file), "FILE");
  };
  CHECK(figures("fork.h5") == figures("whole.h5"));

  const auto refusal = [&](const std::string& text) {
    folder.write("bad.yaml", text);
    const Outcome bad = folder.run({"run", "bad.yaml", "-q"});
    CHECK(bad.exit_code == 1);
    return bad.errors;
  };
  CHECK_THAT(
      refusal(base + "initial: { from: base.h5, at: 10 min }\n"),
      Contains("bad.yaml:4:") && Contains("contains results, but no checkpoint at 10 min") && Contains("--save-at"));
  CHECK_THAT(refusal(base + "initial: { from: base.at-600s.checkpoint, at: 5 min }\n"),
             Contains("contains the run at 10 min, not at 5 min"));
  CHECK_THAT(refusal(base + "initial: { from: none.checkpoint, at: 10 min }\n"), Contains("there is no file"));
  CHECK_THAT(refusal(base + from + "seed: 7\n"), Contains("belongs to a scenario with another 'seed'"));
  CHECK_THAT(refusal(base + from + "events: [{ at: 5 min, fail: cdu_1.pump_a }]\n"),
             Contains("had other events up to 10 min"));
  CHECK(folder.run({"resume", "base.at-600s.checkpoint"}).exit_code == 1);
  const Outcome between = folder.run({"run", "base.yaml", "-o", "b.h5", "-q", "--save-at", "7 min"});
  CHECK(between.exit_code == 1);
  CHECK_THAT(between.errors, Contains("no checkpoint can be taken at 7 min"));
}

TEST_CASE("of a run only the summary is kept where it says so", "[cli][summary]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  const std::string text = "format: 1\nextends: " + one_rack + "\nduration: 2 min\n";
  folder.write("all.yaml", text);
  folder.write("short.yaml", text + "record: summary\n");
  REQUIRE(folder.run({"run", "all.yaml", "-o", "all.h5", "-q"}).exit_code == 0);
  const Outcome run = folder.run({"run", "short.yaml", "-o", "short.h5", "-q"});
  INFO(run.errors);
  REQUIRE(run.exit_code == 0);
  CHECK(fs::file_size(folder / "short.h5") <
        76000);                                 // eleven figures of jobs, and the text of the scenario with its library
  const auto figures = [&](const char* file) {  // whatever the file is called, which the line of other events names
    return std::regex_replace(figures_of(folder, file), std::regex(file), "FILE");
  };
  CHECK(figures("short.h5") == figures("all.h5"));
  CHECK(folder.run({"events", "short.h5"}).output == folder.run({"events", "all.h5"}).output);
  CHECK(folder.run({"compare", "short.h5", "all.h5"}).exit_code == 0);
  CHECK(folder.run({"run", "short.h5", "-o", "again.h5", "-q"}).exit_code == 0);
  for (const char* command : {"view", "export"}) {
    const Outcome picture = folder.run({command, "short.h5"});
    INFO(command);
    CHECK(picture.exit_code == 4);
    CHECK_THAT(picture.errors, Contains("recorded as summary only"));
  }
}

TEST_CASE("a study with a fork gives the table of the study without", "[cli][study][fork]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  const std::string study =
      "base: " + one_rack +
      "\nset: { duration: 5 min }\n"
      "changes:\n  supply: { path: hall.cooling.loops.supply_temperature, values: [30 degC, 35 degC] }\n"
      "combine: [ supply, { each_part: { of: \"cdu_1.pump_*\", at: 3 min, or_none: true } } ]\n"
      "keep: [ peak_die_temperature, pue, it_energy, trips ]\n";
  folder.write("alone.yaml", study);
  folder.write("forked.yaml", study + "fork: { at: 2 min, per: supply }\n");
  REQUIRE(folder.run({"study", "alone.yaml", "-o", "alone", "-q"}).exit_code == 0);
  const Outcome forked = folder.run({"study", "forked.yaml", "-o", "forked", "-q", "--threads", "2"});
  INFO(forked.errors);
  REQUIRE(forked.exit_code == 0);
  CHECK(file_text(folder / "alone/study.csv") == file_text(folder / "forked/study.csv"));
  CHECK_THAT(folder.run({"study", "forked.yaml", "--dry-run"}).output,
             Contains("fork               at 2 min: ") && Contains("computed 2 times for 6 runs"));

  const auto refusal = [&](const std::string& fork) {
    folder.write("bad.yaml", study + fork);
    const Outcome bad = folder.run({"study", "bad.yaml", "--dry-run"});
    CHECK(bad.exit_code == 1);
    return bad.errors;
  };
  CHECK_THAT(refusal("fork: { at: 2 min }\n"),
             Contains("'supply' changes the hall from its start: the runs do not share their first 2 min") &&
                 Contains("per: [supply]"));
  CHECK_THAT(refusal("fork: { at: 4 min, per: [supply] }\n"), Contains("an event at 3 min, before the fork at 4 min"));
  CHECK_THAT(refusal("fork: { at: 2 h, per: [supply] }\n"),
             Contains("the fork at 2 h is not before the end of the runs at 5 min"));
  CHECK_THAT(refusal("fork: { at: 2 min, per: [suply] }\n"), Contains("did you mean 'supply'?"));
  CHECK_THAT(refusal("fork: { per: [supply] }\n"), Contains("at"));
}
