// One writer for each results file also where locks fail, and results that are on the disk before they have their name.
#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <vector>

#include <fmt/format.h>

#include "tests/support/catch.hpp"
#include "tests/support/run_program.hpp"

using namespace wattloop::tests;
using Catch::Matchers::Contains;
namespace fs = std::filesystem;

namespace {

const std::string short_run = "run " + one_rack + " --quiet --set 'duration=20 s' -o results/a.h5";
const std::string long_run = "run " + one_rack + " --quiet --set 'duration=10000 h' -o results/a.h5";
const std::string without_locks = "LD_PRELOAD=" WATTLOOP_NO_LOCKS " ASAN_OPTIONS=verify_asan_link_order=0 ";

/// A line of the shell that starts the long run, waits until it writes, and ends it behind `then`. By SIGTERM: what a shell runs in the background ignores SIGINT.
std::string beside_long_run(const std::string& program, const std::string& then) {
  return program + " $wattloop " + long_run +
         " & run=$!; while ! ls results/a.h5.*.partial.h5 > /dev/null 2>&1; do sleep 0.01; done; " + then +
         "; code=$?; kill -TERM $run; wait $run; exit $code";
}

}  // namespace

TEST_CASE("where no file system knows locks the lock file itself is one", "[cli][output][lock]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  const Outcome second =
      folder.run_shell(beside_long_run(without_locks, without_locks + " $wattloop " + short_run + " 2> second"));
  CHECK(second.exit_code == 4);
  CHECK_THAT(file_text(folder / "second"),
             Catch::Matchers::StartsWith("file error: cannot write results/a.h5: process ") &&
                 Contains(" is writing it, or was killed: this file system knows no locks; remove results/a.h5.lock if "
                          "no program is\n"));
  CHECK_FALSE(fs::exists(folder / "results/a.h5.lock"));
  CHECK(folder.run_shell(without_locks + " $wattloop " + short_run).exit_code == 0);
  CHECK_FALSE(fs::exists(folder / "results/a.h5.lock"));

  // Of a process that was killed here, and of one elsewhere, of which this process knows nothing.
  const std::string host = folder.run_shell("uname -n").output;
  const Outcome killed = folder.run_shell(
      "sh -c 'echo $$' > number; echo $(cat number) $(uname -n) > "
      "results/a.h5.lock; " +
      without_locks + " $wattloop " + short_run);
  INFO(killed.errors);
  CHECK(killed.exit_code == 0);
  const Outcome elsewhere =
      folder.run_shell("echo 4711 otherhost > results/a.h5.lock; " + without_locks + " $wattloop " + short_run);
  CHECK(elsewhere.exit_code == 4);
  CHECK_THAT(elsewhere.errors, Contains("process 4711 on otherhost is writing it, or was killed"));
  CHECK(file_text(folder / "results/a.h5.lock") == "4711 otherhost\n");
  CHECK(folder.run_shell("$wattloop " + short_run).exit_code == 0);  // where there are locks, no one holds it
}

TEST_CASE("a run whose lock was removed does not take the place of the next one", "[cli][output][lock]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  // The first ends while the second, which could start since the lock was gone, is at work.
  const Outcome first = folder.run_shell(
      "$wattloop run " + one_rack +
      " --quiet --set 'duration=10 h' -o results/a.h5 2> first & run=$!; "
      "while ! ls results/a.h5.$run-*.partial.h5 > /dev/null 2>&1; do :; done; kill -STOP $run; rm results/a.h5.lock; "
      "$wattloop " +
      long_run +
      " 2> second & next=$!; "
      "while ! ls results/a.h5.$next-*.partial.h5 > /dev/null 2>&1; do sleep 0.01; done; "
      "kill -CONT $run; wait $run; code=$?; test -e results/a.h5.lock && echo held; kill -TERM $next; wait $next; exit "
      "$code");
  CHECK(first.exit_code == 4);
  CHECK(first.output.ends_with("held\n"));  // the lock of the second stays
  CHECK_THAT(file_text(folder / "first"), Contains("cannot write results/a.h5: process ") &&
                                              Contains(" is writing it; this run is in results/a.h5."));
  CHECK_FALSE(fs::exists(folder / "results/a.h5"));

  // Removed, and no one came: nothing is lost.
  const Outcome alone = folder.run_shell(
      "$wattloop run " + one_rack +
      " --quiet --set 'duration=1 h' -o results/b.h5 & run=$!; "
      "while ! ls results/b.h5.$run-*.partial.h5 > /dev/null 2>&1; do :; done; rm -f results/b.h5.lock; wait $run");
  CHECK(alone.exit_code == 0);
  CHECK(fs::exists(folder / "results/b.h5"));
  CHECK_FALSE(fs::exists(folder / "results/b.h5.lock"));
}

TEST_CASE("results are on the disk before they have their name, and so is the name", "[cli][output]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  const Outcome outcome = folder.run_shell("WATTLOOP_TOLD=$PWD/told LD_PRELOAD=" WATTLOOP_TELLS_KEEPING
                                           " ASAN_OPTIONS=verify_asan_link_order=0 $wattloop " +
                                           short_run);
  CHECK(outcome.exit_code == 0);
  const std::string reported = file_text(folder / "told");
  INFO(reported);
  const std::size_t kept = reported.find(".partial.h5\n"), named = reported.find("name results/a.h5\n"),
                    folder_kept = reported.rfind("keep " + fs::canonical(folder / "results").string() + "\n");
  CHECK(reported.starts_with("keep "));
  CHECK(kept < named);
  CHECK(named < folder_kept);
  CHECK(folder_kept != std::string::npos);
}
