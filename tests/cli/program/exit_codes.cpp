// How commands end where the machine does not play along: with a documented code, and never with 0 where output was lost.
#include <fmt/format.h>

#include <algorithm>

#include "tests/support/catch.hpp"
#include "tests/support/run_program.hpp"

using namespace wattloop::tests;
using Catch::Matchers::Contains;

namespace {

/// Checks the exit code that a line of the shell leaves in the file `code`.
void check_code(const WorkFolder& folder, const std::string& line, const std::string& expected) {
  INFO(line);
  folder.run_shell(line);
  CHECK(file_text(folder / "code") == expected + "\n");
  std::filesystem::remove(folder / "code");
}

std::string lines_of(std::size_t count, const std::string& form) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += fmt::format(fmt::runtime(form), i);
  return text;
}

}  // namespace

TEST_CASE("output that is lost ends with exit code 4, output that no one wants any more does not", "[cli][exit]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  const std::string run = fmt::format("$wattloop run {} --quiet --set 'duration=20 s' -o x.h5", one_rack);
  for (const std::string& command :
       {std::string("$wattloop explain"), std::string("$wattloop --help"), std::string("$wattloop run --help"),
        std::string("$wattloop --version"), "$wattloop check " + one_rack, "$wattloop check --resolved " + one_rack,
        run, run + " --json"}) {
    check_code(folder, command + " >/dev/full; echo $? >code", "4");
    check_code(folder, command + " >&-; echo $? >code", "4");
    check_code(folder, "(sleep 0.3; " + command + "; echo $? >code) | true; sleep 1", "0");  // as behind `| head`
    check_code(folder, command + " >/dev/null; echo $? >code", "0");
  }
  check_code(folder, "$wattloop export x.h5 >/dev/full; echo $? >code", "4");
}

TEST_CASE("a mistake keeps its exit code where no one can learn of it", "[cli][exit]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  for (const std::string where : {"2>/dev/full", "2>&-", ">&- 2>&-", "<&- >&- 2>&-"}) {
    check_code(folder, "$wattloop run none.yaml " + where + "; echo $? >code", "1");
    check_code(folder, "$wattloop view none.h5 " + where + "; echo $? >code", "4");
  }
}

TEST_CASE("results are whole where both streams are closed", "[cli][exit]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  check_code(folder,
             fmt::format("$wattloop run {} --set 'duration=20 s' -o x.h5 <&- >&- 2>&-; echo $? >code", one_rack), "4");
  CHECK(folder.run({"export", "x.h5"}).exit_code == 0);
}

TEST_CASE("pipes and devices are no scenarios, no results and no data", "[cli][exit]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  REQUIRE(folder.run_shell("mkfifo pipe pipe.h5").exit_code == 0);
  for (const std::string file : {"pipe", "/dev/zero", "/dev/null"}) {
    for (const std::string command : {"run", "check"}) {
      const Outcome outcome = folder.run({command, file});
      CHECK(outcome.exit_code == 1);
      CHECK_THAT(outcome.errors, Contains(file + ": is a device or a pipe, expected a YAML file\n"));
    }
    CHECK(folder.run({"view", file}).exit_code == 4);
    CHECK(folder.run({"export", file, "-o", "x.xdmf2"}).exit_code == 4);
    folder.write("own.yaml", "extends: " + file + "\n");
    CHECK(folder.run({"check", "own.yaml"}).exit_code == 1);
    CHECK(folder.run({"check", one_rack, "--set", "weather={ file: " + file + " }"}).exit_code == 1);
    CHECK(folder.run({"check", one_rack, "--set", "workload={ kind: replay, trace: " + file + " }"}).exit_code == 1);
  }
  CHECK(folder.run({"run", "pipe.h5"}).exit_code == 4);
}

TEST_CASE("a file that is larger than any scenario is refused unread", "[cli][exit]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  const Outcome outcome = folder.run_shell("truncate -s 1T own.yaml; ulimit -v 1000000; exec $wattloop check own.yaml");
  CHECK(outcome.exit_code == 1);
  CHECK_THAT(outcome.errors, Contains("expected a YAML file of at most 64 MB"));
}

TEST_CASE("a machine without the memory ends with exit code 5", "[cli][exit]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  const Outcome outcome =
      folder.run_shell(fmt::format("ulimit -v 300000; exec $wattloop check {} --set hall.racks.count=20000", one_rack));
  CHECK(outcome.exit_code == 5);
  CHECK(outcome.errors == "not enough memory\n");
}

TEST_CASE("sizes and times that no one can run are refused with the reason", "[cli][exit]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  const auto check_refused = [&](const std::string& change, const std::string& expected) {
    for (const std::string command : {"run", "check"}) {
      const Outcome outcome = folder.run({command, one_rack, "--set", change});
      INFO(outcome.errors);
      CHECK(outcome.exit_code == 1);
      CHECK_THAT(outcome.errors, Contains(expected));
    }
  };
  check_refused("hall.racks.count=1000000000", "'1000000000' is too large, expected at most 1000000");
  check_refused("hall.racks.count=1000000",
                "1000000 racks are more than Wattloop supports\n      = write at most 100000 in all");
  check_refused("hall.racks.nodes=1000000", "at most 2000000 in all");
  check_refused("hall.cooling.loops.cdus=2000", "4000 CDU pumps in one loop are more than Wattloop supports");
  check_refused("record.facility=1 ns", "record.facility: 1e-09 s is too short\n      = write at least 0.001 s");
  check_refused("record.gpus.every=1 us", "record.gpus.every: 1e-06 s is too short");
  check_refused("workload.sample_interval=1 us", "sample_interval: 1e-06 s is too short");
  check_refused("duration=30000 h", "record.facility: 1.08e+08 intervals of 1 s in ");
  check_refused("duration=1e300 s", "'1e300 s' is too large");
  check_refused("duration=101 years", "duration: ");
  check_refused("hall.cooling.loops.volume=1e-300 L", "'1e-300 L' is too small");
  check_refused("workload.sample_interval=1e8 s", "sample_interval: ");
  check_refused("workload.stage_lag=1e12 s",
                "write a stage_lag of at most 1000 steps; a real lag is below one step, because all stages work on the "
                "same step");
  check_refused("hall.cooling.room.volume=1e-9 m3", "'1e-9 m3' is too small, expected at least 0.01 L");
  check_refused("hall.cooling.room.volume=1 L", "volume: 1 L is too small for a room\n      = write at least 1 m3");
  check_refused("hall.cooling.loops.volume=1e12 m3", "'1e12 m3' is too large, expected at most 1e+08 m3");
  check_refused("hall.cooling.room.mass_heat_capacity=1e-9 J/K", "'1e-9 J/K' is too small");
  check_refused("hall.cooling.room.mass_heat_capacity=0.1 J/K", "mass_heat_capacity: 0.1 J/K is too small");
  check_refused("hall.racks.with.units.gpu.with.die_heat_capacity=1e-6 J/K", "'1e-6 J/K' is too small");
  check_refused("hall.cooling.loops.with.valve_integral_time=1e-2 s", "'1e-2 s' is too small, expected at least");
  check_refused("hall.cooling.loops.with.pump.pressure_per_flow_squared=1e-9 Pa/(L/min)^2",
                "with this value the pump pressure rises with the flow without limit\n      = write a negative value");
  check_refused("power.ups.with.battery_time=1 ns",
                "battery_time: 1e-09 s is too short\n      = write 1 s or more, or 0 s");
}

// What was quadratic takes minutes here, and a process of these tests is ended after one.
TEST_CASE("200,000 mistakes are found soon and reported in some lines", "[cli][exit]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  folder.write("own.yaml", "extends: " + one_rack + "\n" + lines_of(200'000, "key_{0}: {0}\n"));
  const Outcome keys = folder.run({"check", "own.yaml"});
  CHECK(keys.exit_code == 1);
  CHECK(keys.errors.size() < 20'000);
  CHECK_THAT(keys.errors, Contains("and 199900 more\n200000 problems in own.yaml\n"));

  folder.write("own.yaml",
               "extends: " + one_rack + "\nevents:\n" + lines_of(20'000, "  - {{ at: 5 s, fail: cdu_x{0} }}\n"));
  const Outcome events = folder.run({"check", "own.yaml"});
  CHECK(events.exit_code == 1);
  CHECK(events.errors.size() < 50'000);
  CHECK_THAT(events.errors, Contains("and 19900 more\n20000 problems in own.yaml\n"));
}

TEST_CASE("a mistake in a very long line is reported by its place", "[cli][exit]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  const std::string filler = "[" + lines_of(100'000, "{0}, ") + "]";
  folder.write("own.yaml", "extends: " + one_rack + "\nhall: { racks: { filler: " + filler +
                               ", nodez: " + std::string(100'000, 'x') + " } }\n");
  const Outcome outcome = folder.run({"check", "own.yaml"});
  CHECK(outcome.exit_code == 1);
  CHECK(outcome.errors.size() < 2'000);
  CHECK_THAT(outcome.errors, Contains("own.yaml:2:688920: hall.racks has no parameter 'nodez'\n      = did you mean"));
}

TEST_CASE("2,000 CDUs are checked soon", "[cli][exit]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  const Outcome outcome =
      folder.run({"check", one_rack, "--set",
                  "hall={ racks: { count: 500, rows: 10, nodes: 1 }, cooling: { loops: { count: 500, "
                  "cdus: 4 }, room: { volume: 60000 m3 } } }",
                  "--set", "power.transformers.with.rated_power=20 MVA"});
  CHECK(outcome.exit_code == 0);
  CHECK_THAT(outcome.output, Contains("500 racks, 500 nodes, 4000 GPUs"));
}
