// What a run, a picture or an export may not take the place of, besides what tests/cli/results/output_files.cpp names.
#include <csignal>
#include <filesystem>

#include <fmt/format.h>

#include "tests/support/catch.hpp"
#include "tests/support/run_program.hpp"

using namespace wattloop::tests;
using Catch::Matchers::Contains;
namespace fs = std::filesystem;

TEST_CASE("a file in the place of a lock is left alone", "[cli][output]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  fs::copy_file(one_rack, folder.path() / "hall.lock");
  const std::string before = file_text(folder / "hall.lock");
  const Outcome own = folder.run({"run", "hall.lock", "--quiet", "--set", "duration=20 s", "-o", "hall"});
  CHECK(own.exit_code == 4);
  CHECK_THAT(own.errors, Contains("hall.lock is needed to lock it and is somebody's file"));
  CHECK(file_text(folder / "hall.lock") == before);

  fs::create_hard_link(folder / "hall.lock", folder / "linked.h5.lock");
  CHECK(folder.run({"run", one_rack, "--quiet", "--set", "duration=20 s", "-o", "linked.h5"}).exit_code == 4);
  CHECK(file_text(folder / "hall.lock") == before);
  CHECK(folder
            .run_shell("mkfifo pipe.h5.lock; exec $wattloop run " + one_rack +
                       " --quiet --set 'duration=20 s' -o pipe.h5")
            .exit_code == 4);
  CHECK(fs::is_fifo(folder / "pipe.h5.lock"));
  CHECK(folder
            .run_shell("echo 4711 > old.h5.lock; exec $wattloop run " + one_rack +
                       " --quiet --set 'duration=20 s' -o old.h5")
            .exit_code == 0);  // what a killed run left
  CHECK_FALSE(fs::exists(folder / "old.h5.lock"));
}

TEST_CASE("a file that appears while a run goes on is left alone", "[cli][output]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  Process running = folder.start({"run", one_rack, "--quiet", "--set", "duration=10000 h", "-o", "results/new.h5"});
  REQUIRE_FALSE(folder.await_partial_results().empty());
  folder.write("results/new.h5", "precious");
  running.send(SIGINT);
  running.wait();
  CHECK(file_text(folder / "results/new.h5") == "precious");

  // One that ends whole while another wrote its place.
  const Outcome outcome = folder.run_shell("$wattloop run " + one_rack +
                                           " --quiet --set 'duration=10 h' -o late.h5 & run=$!; "
                                           "while ! ls late.h5.*.partial.h5 > /dev/null 2>&1; do :; done; "
                                           "echo precious > late.h5; wait $run");
  CHECK(outcome.exit_code == 4);
  CHECK_THAT(outcome.errors, Contains("another process wrote late.h5 in the meantime, and the file is not changed"));
  CHECK(file_text(folder / "late.h5") == "precious\n");
}

TEST_CASE("pictures and exports do not replace what they are made from", "[cli][output]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  REQUIRE(folder.run({"run", one_rack, "--quiet", "--set", "duration=20 s", "-o", "a.h5"}).exit_code == 0);
  const std::string whole = file_text(folder / "a.h5");
  for (const auto& [command, name] : {std::pair("view", "b.png"), std::pair("export", "b.xdmf2")}) {
    fs::copy_file(folder / "a.h5", folder / name);
    const Outcome outcome = folder.run({command, name});
    INFO(command << ": " << outcome.errors);
    CHECK(outcome.exit_code == 1);
    CHECK_THAT(outcome.errors, Contains("is the file that is"));
    CHECK(file_text(folder / name) == whole);
  }
}

TEST_CASE("an output without a file's name is refused before the run", "[cli][output]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  for (const std::string name : {"new/", "new/.", "new/.."}) {
    const Outcome outcome = folder.run({"run", one_rack, "--quiet", "-o", name});
    INFO(outcome.errors);
    CHECK(outcome.exit_code == 1);
    CHECK_THAT(outcome.errors, Contains("names a folder"));
    CHECK_FALSE(fs::exists(folder / "new"));
  }
}

TEST_CASE("events set no temperature that no set-point can have, and a tolerance is a number", "[cli]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  const auto errors_of = [&](const std::string& change) {
    const Outcome outcome =
        folder.run({"check", one_rack, "--event", "at: 1 min, set: loop_1.supply_temperature, " + change});
    CHECK(outcome.exit_code == 1);
    return outcome.errors;
  };
  CHECK_THAT(errors_of("to: 1e9 K"), Contains("'1e9 K' is too large"));
  CHECK_THAT(errors_of("to: 900 K"), Contains("to: no set-point of coolant, water or air can have this value"));
  CHECK_THAT(errors_of("to: 3 K"), Contains("write a value between -40 degC and 100 degC"));
  CHECK_THAT(errors_of("by: 101 K"), Contains("write a change of at most 100 K"));
  CHECK(
      folder.run({"check", one_rack, "--event", "at: 1 min, set: loop_1.supply_temperature, to: 45 degC"}).exit_code ==
      0);
  CHECK(folder.run({"run", one_rack, "--relative-tolerance", "nan", "-o", "a.h5"}).exit_code == 1);
}
