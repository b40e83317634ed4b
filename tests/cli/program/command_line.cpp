// What is typed: overrides, options, commands, help. Mistakes there have exit code 1 and say where help is.
#include <fmt/format.h>

#include <cstdlib>

#include "tests/support/catch.hpp"
#include "tests/support/run_program.hpp"

using namespace wattloop::tests;
using Catch::Matchers::Contains;

namespace {

void check_refused(const std::vector<std::string>& arguments, const std::string& expected) {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  const Outcome outcome = folder.run(arguments);
  CHECK(outcome.exit_code == 1);
  CHECK(outcome.output.empty());
  CHECK(outcome.errors == expected);
  CHECK(folder.keeps_earlier_results());
}

/// Checks what is said about `--set text`, without the last line.
void check_override_refused(const std::string& text, const std::string& expected) {
  check_refused({"run", one_rack, "--set", text},
                fmt::format("--set {}: {}\n1 problem in the command line\n", text, expected));
}

}  // namespace

TEST_CASE("a mistaken override is refused as one in the file is", "[cli]") {
  check_override_refused("duration", "expected path=value\n      = for example --set \"duration=2 h\"");
  check_override_refused("hall..nodes=3", "a name in the path is empty\n      = for example hall.racks.count");
  check_override_refused("hall.racks.nodez=3", "hall.racks has no parameter 'nodez'\n      = did you mean 'nodes'?");
  check_override_refused("hal.racks.front().nodes=3", "scenario has no parameter 'hal'\n      = did you mean 'hall'?");
  check_override_refused("duration=20 kW",
                         "duration: '20 kW' is in kW, expected s\n      = Duration of the simulated time.");
  check_override_refused("duration.hours=3", "there is no 'hours' in '1 h'");
  check_override_refused("hall.racks.nodes=[1",
                         "not valid YAML: end of sequence flow not found\n      = a '[' has no ']'");
  check_override_refused("hall.cooling.loops.with.pumps=0",
                         "loop_1 has no pump: its coolant does not flow\n"
                         "      = each of its CDUs needs at least one: pumps: 1");
  check_override_refused("events=[{ at: 5 s, fail: cdu_3 }]",
                         "this hall has no component 'cdu_3' that can fail\n      = did you mean 'cdu_1'?");
}

TEST_CASE("a mistaken event on the command line is refused as one in the file is", "[cli]") {
  const auto check_event_refused = [](const std::string& text, const std::string& expected) {
    check_refused({"run", one_rack, "--event", text},
                  fmt::format("--event {}: {}\n1 problem in the command line\n", text, expected));
  };
  check_event_refused("at: 5 min, open: utility_b",
                      "'utility_b' cannot be opened or closed: it is not a source, a branch of the power tree or a "
                      "rack of this hall\n      = did you mean 'utility_a'?");
  check_event_refused("{at: 5 min, fail: [cdu_1, upps_a]}",
                      "this hall has no component 'upps_a' that can fail\n      = did you mean 'ups_a'?");
  check_event_refused("at: 5 kW, fail: cdu_1",
                      "at: '5 kW' is in kW, expected s\n      = Time after the start; or a local time, 18:00 or "
                      "2026-07-15T18:00: the event is at the next such time.");
  check_event_refused(
      "at: 5 min",
      "event does nothing\n      = write one of: fail, restore, open, close, set, stick, clog, slow, drain, resume");
  check_event_refused("fail: cdu_1",
                      "event needs 'at'\n      = Time after the start; or a local time, 18:00 or 2026-07-15T18:00: the "
                      "event is at the next such time.");
  check_event_refused("at: 5 min, fail: [cdu_1", "not valid YAML: illegal flow end");
  check_event_refused("at: 2 h, fail: cdu_1", "event after 2 h, but the run ends after 1 h");
  check_override_refused("hall.racks+=3", "hall.racks is a map, no list to append to");
}

TEST_CASE("events of the command line happen, in any order and beside --set", "[cli]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  const Outcome outcome = folder.run({"check", one_rack, "--event", "at: 20 s, close: ups_a", "--set", "duration=1 min",
                                      "--event", "{ at: 10 s, open: [ups_a, utility_a], for: 5 s }"});
  CHECK(outcome.exit_code == 0);
  CHECK_THAT(outcome.output, Contains("5 events over 1 min"));
}

TEST_CASE("an unknown command is refused with those there are", "[cli]") {
  check_refused({"rum"}, R"(there is no command 'rum'
      = did you mean 'run'?; wattloop --help shows examples
1 problem in the command line
)");
  check_refused({"simulate", one_rack}, R"(there is no command 'simulate'
      = known: run, resume, check, explain, new, import, study, search, audit, calibrate, summary, compare, events, jobs, report, diagram, completion, manual, view, export; wattloop --help shows examples
1 problem in the command line
)");
  check_refused({}, R"(which command?
      = known: run, resume, check, explain, new, import, study, search, audit, calibrate, summary, compare, events, jobs, report, diagram, completion, manual, view, export; wattloop --help shows examples
1 problem in the command line
)");
}

TEST_CASE("an unknown option is refused with the one that was meant", "[cli]") {
  check_refused({"run", one_rack, "--outptu=x.h5"}, R"(run has no option '--outptu'
      = did you mean '--output'?; wattloop run --help shows examples
1 problem in the command line
)");
  check_refused({"--frob"}, R"(wattloop has no option '--frob'
      = wattloop --help shows examples
1 problem in the command line
)");
  check_refused({"run", one_rack, "other.yaml"}, R"(run has no use for 'other.yaml'
      = wattloop run --help shows examples
1 problem in the command line
)");
}

TEST_CASE("a mistaken value of an option is refused with what was expected", "[cli]") {
  check_refused({"run", one_rack, "--integrator", "monolitic"},
                R"(--integrator: 'monolitic' is unknown, expected monolithic or multirate; did you mean 'monolithic'?
      = wattloop run --help shows examples
1 problem in the command line
)");
  check_refused({"run", one_rack, "--units", "imperial"},
                R"(--units: 'imperial' is unknown, expected metric or ip
      = wattloop run --help shows examples
1 problem in the command line
)");
  check_refused({"run", one_rack, "--threads", "0"}, R"(--threads: Value 0 not in range 1 to 1024
      = wattloop run --help shows examples
1 problem in the command line
)");
  check_refused({"run"}, R"(scenario is required
      = wattloop run --help shows examples
1 problem in the command line
)");
  check_refused({"explain", "cold_plat"}, R"(explain: there is nothing named 'cold_plat'
      = did you mean 'cold_plate'?
1 problem in the command line
)");
}

TEST_CASE("the help of every command shows examples", "[cli]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  for (const std::string command : {"", "run", "check", "explain", "new", "view"}) {
    INFO(command);
    const Outcome outcome =
        folder.run(command.empty() ? std::vector<std::string>{"--help"} : std::vector{command, std::string("--help")});
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.errors.empty());
    CHECK_THAT(outcome.output, Contains("Examples:\n  wattloop " + command));
  }
}

// libgomp reports its settings when it is loaded, once for each time that the program starts.
TEST_CASE("threads of a run that wait sleep, unless the environment says otherwise", "[cli]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  setenv("OMP_DISPLAY_ENV", "verbose", 1);
  unsetenv("OMP_WAIT_POLICY");
  const auto errors = [&](const std::string& threads) {
    return folder.run({"run", one_rack, "--set", "duration=2 s", "--threads", threads}).errors;
  };
  CHECK_THAT(errors("2"), Contains("GOMP_SPINCOUNT = '0'"));
  CHECK_THAT(errors("1"), !Contains("GOMP_SPINCOUNT = '0'"));  // none waits: not started twice
  setenv("OMP_WAIT_POLICY", "active", 1);
  CHECK_THAT(errors("2"), !Contains("GOMP_SPINCOUNT = '0'"));
  unsetenv("OMP_WAIT_POLICY");
  unsetenv("OMP_DISPLAY_ENV");
}

TEST_CASE("the program says its version and commit", "[cli]") {
  const Outcome outcome = WorkFolder(WATTLOOP_PROGRAM).run({"--version"});
  CHECK(outcome.exit_code == 0);
  CHECK_THAT(outcome.output,
             Catch::Matchers::Matches(
                 "[0-9]+\\.[0-9]+\\.[0-9]+ \\(commit ([0-9a-f]{7,40}|unknown), instructions [a-z0-9:_-]+\\)\n"));
}
