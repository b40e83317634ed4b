// Mistakes in a scenario: exit code 1, the exact text, no output, and an earlier results file as it was.
#include <fmt/format.h>

#include "tests/support/catch.hpp"
#include "tests/support/run_program.hpp"

using namespace wattloop::tests;

namespace {

/// The rack of the source tree for 20 s; what is added begins in line 4.
std::string own(const std::string& added) {
  return fmt::format("format: 1\nextends: {}\nduration: 20 s\n{}", one_rack, added);
}

/// Checks that own.yaml with this text is refused with these words.
void check_refused(const std::string& text, const std::string& expected) {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  const Outcome outcome = folder.run_own(text);
  CHECK(outcome.exit_code == 1);
  CHECK(outcome.output.empty());
  CHECK(outcome.errors == expected);
  CHECK(folder.keeps_earlier_results());
}

}  // namespace

TEST_CASE("a unit of the wrong dimension is refused", "[cli]") {
  check_refused(own("hall: { cooling: { loops: { volume: 60 kg } } }\n"),
                R"(own.yaml:4:37: volume: '60 kg' is in kg, expected m3
    4 | hall: { cooling: { loops: { volume: 60 kg } } }
      |                                     ^
      = Coolant volume in pipes and manifolds of one loop, half in the supply and half in the return.
1 problem in own.yaml
)");
}

TEST_CASE("a bare number is refused where a unit is needed", "[cli]") {
  check_refused(own("hall: { cooling: { loops: { volume: 60 } } }\n"),
                R"(own.yaml:4:37: volume: '60' has no unit, expected m3
    4 | hall: { cooling: { loops: { volume: 60 } } }
      |                                     ^
      = write '60 m3'
1 problem in own.yaml
)");
}

TEST_CASE("a temperature is refused where a difference is needed", "[cli]") {
  check_refused(own("events:\n  - { at: 5 s, set: loop_1.supply_temperature, by: 8 degC }\n"),
                R"(own.yaml:5:52: by: '8 degC' is a temperature, expected a difference in K
    5 |   - { at: 5 s, set: loop_1.supply_temperature, by: 8 degC }
      |                                                    ^
      = write '8 K'
1 problem in own.yaml
)");
}

TEST_CASE("an unknown key is refused with the one that was meant", "[cli]") {
  check_refused(own("hall:\n  racks: { nodez: 8 }\n"), R"(own.yaml:5:12: hall.racks has no parameter 'nodez'
    5 |   racks: { nodez: 8 }
      |            ^
      = did you mean 'nodes'?
1 problem in own.yaml
)");
}

TEST_CASE("a duplicate key is refused with the line of the first", "[cli]") {
  check_refused(own("hall:\n  racks: { nodes: 4 }\n  racks: { nodes: 8 }\n"),
                R"(own.yaml:6:3: duplicate key 'racks'
    6 |   racks: { nodes: 8 }
      |   ^
      = first given in line 5
1 problem in own.yaml
)");
}

TEST_CASE("a missing file is refused with the one that was meant", "[cli]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  folder.write("own.yaml", own(""));
  const Outcome outcome = folder.run({"run", "onw.yaml"});
  CHECK(outcome.exit_code == 1);
  CHECK(outcome.errors == R"(onw.yaml: no such file
      = did you mean 'own.yaml'?
1 problem in onw.yaml
)");
  CHECK(folder.keeps_earlier_results());
}

TEST_CASE("zero nodes are refused", "[cli]") {
  check_refused(own("hall: { racks: { nodes: 0 } }\n"),
                R"(own.yaml:4:25: nodes: '0' is out of range, expected at least 1
    4 | hall: { racks: { nodes: 0 } }
      |                         ^
      = Number of nodes in each rack.
1 problem in own.yaml
)");
}

TEST_CASE("a coolant loop without a pump is refused where its pumps are counted", "[cli]") {
  check_refused(own("hall:\n  cooling:\n    loops: { with: { pumps: 0 } }\n"),
                R"(own.yaml:6:29: loop_1 has no pump: its coolant does not flow
    6 |     loops: { with: { pumps: 0 } }
      |                             ^
      = each of its CDUs needs at least one: pumps: 1
1 problem in own.yaml
)");
}

TEST_CASE("a value of the hardware beside `hardware` is refused with where it belongs", "[cli]") {
  check_refused(own("hall: { cooling: { loops: { pumps: 0 } } }\n"),
                R"(own.yaml:4:29: hall.cooling.loops has no parameter 'pumps'
    4 | hall: { cooling: { loops: { pumps: 0 } } }
      |                             ^
      = this key belongs to the cdu: write with: { pumps: ... } beside `hardware` to change the value
1 problem in own.yaml
)");
}

TEST_CASE("events on components and settings that do not exist are refused together", "[cli]") {
  check_refused(own(R"(events:
  - { at: 5 s, fail: cdu_2 }
  - at: 6 s
    restore: [cdu_1.pump_a, cdu_1.pump_x]
  - { at: 7 s, set: loop_3.supply_temperature, by: 8 K }
)"),
                R"(own.yaml:5:22: this hall has no component 'cdu_2' that can fail
    5 |   - { at: 5 s, fail: cdu_2 }
      |                      ^
      = did you mean 'cdu_1'?
own.yaml:7:29: this hall has no component 'cdu_1.pump_x' that can fail
    7 |     restore: [cdu_1.pump_a, cdu_1.pump_x]
      |                             ^
      = did you mean 'cdu_1.pump_a'?
own.yaml:8:21: this hall has no setting 'loop_3.supply_temperature'
    8 |   - { at: 7 s, set: loop_3.supply_temperature, by: 8 K }
      |                     ^
      = did you mean 'loop_1.supply_temperature'?
3 problems in own.yaml
)");
}

TEST_CASE("levels of a synthetic job that its hardware cannot have are refused", "[cli]") {
  check_refused(own("workload: { compute_gpu_power: 5 kW }\n"),
                R"(own.yaml:4:11: compute_gpu_power: 5000 W is not between idle power 72 W and limit 700 W of a GPU
    4 | workload: { compute_gpu_power: 5 kW }
      |           ^
      = defaults for a power limit of 700 W: communication_gpu_power 220 W, checkpoint_gpu_power 156 W
own.yaml:4:11: evaluation_power_ratio: 4364 W is not between idle power 72 W and limit 700 W of a GPU
    4 | workload: { compute_gpu_power: 5 kW }
      |           ^
      = defaults for a power limit of 700 W: communication_gpu_power 220 W, checkpoint_gpu_power 156 W
2 problems in own.yaml
)");
}

TEST_CASE("broken YAML is refused where it breaks off", "[cli]") {
  check_refused("format: 1\nhall: [1, 2\n", R"(own.yaml:2:12: not valid YAML: end of sequence flow not found
    2 | hall: [1, 2
      |            ^
      = a '[' has no ']'
1 problem in own.yaml
)");
  check_refused(own("hall: racks: 8\n"), R"(own.yaml:4:12: not valid YAML: illegal map value
    4 | hall: racks: 8
      |            ^
      = is the line indented as its neighbours? a text with ': ' needs quotes
1 problem in own.yaml
)");
}

TEST_CASE("an empty file is refused", "[cli]") {
  check_refused("", R"(own.yaml: the file is empty
      = expected keys and values, such as 'duration: 2 h'
1 problem in own.yaml
)");
}

TEST_CASE("a binary file is refused", "[cli]") {
  check_refused(std::string("format: 1\n\0\xff", 12), R"(own.yaml: is not a text file (byte 11)
      = expected YAML in UTF-8
1 problem in own.yaml
)");
}

TEST_CASE("mistakes in a file that is extended are reported under its name", "[cli]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  folder.write("halls/rack.yaml", own("hall: { racks: { nodes: 0 } }\n"));
  const Outcome outcome = folder.run_own("extends: halls/rack.yaml\nduration: 5 kW\n");
  CHECK(outcome.exit_code == 1);
  CHECK(outcome.errors == R"(own.yaml:2:11: duration: '5 kW' is in kW, expected s
    2 | duration: 5 kW
      |           ^
      = Duration of the simulated time.
halls/rack.yaml:4:25: nodes: '0' is out of range, expected at least 1
    4 | hall: { racks: { nodes: 0 } }
      |                         ^
      = Number of nodes in each rack.
2 problems in own.yaml
)");
  CHECK(folder.keeps_earlier_results());
}
