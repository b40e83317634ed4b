// Mistakes in a replayed trace: exit code 1, the exact text with the file as the scenario's user would open
// it, and an earlier results file as it was.
#include <fmt/format.h>

#include "tests/support/catch.hpp"
#include "tests/support/run_program.hpp"

using namespace wattloop::tests;

namespace {

const std::string replay_of_trace = fmt::format(
    "format: 1\nextends: {}/scenarios/one_rack.yaml\nduration: 20 s\n"
    "workload: {{ kind: replay, trace: traces/two.csv, meaning: node_ac }}\n"
    "hall: {{ racks: {{ nodes: 2 }} }}\n",
    WATTLOOP_SOURCE_DIR);

Outcome replay(const WorkFolder& folder, const std::string& trace) {
  folder.write("traces/two.csv", trace);
  return folder.run_own(replay_of_trace);
}

void check_refused(const std::string& trace, const std::string& expected) {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  const Outcome run = replay(folder, trace), check = folder.run({"check", "own.yaml"});
  for (const Outcome* outcome : {&run, &check}) {
    CHECK(outcome->exit_code == 1);
    CHECK(outcome->output.empty());
    CHECK(outcome->errors == expected);
  }
  CHECK(folder.keeps_earlier_results());
}

}  // namespace

TEST_CASE("a good trace is replayed", "[cli]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  const Outcome outcome = replay(folder, "t_s,node_1,node_2\n0,7000,7000\n2,7000,7100\n4,7000,7000\n");
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.errors.empty());
  CHECK_FALSE(folder.keeps_earlier_results());
}

TEST_CASE("text in a column of numbers is refused", "[cli]") {
  check_refused("t_s,node_1,node_2\n0,7000,7000\n2,7000,off\n4,7000,7000\n",
                R"(traces/two.csv:3:8: node_2: 'off' is not a number
    3 | 2,7000,off
      |        ^
      = write power in W; leave the cell empty if a sample is missing
1 problem in traces/two.csv
)");
}

TEST_CASE("negative and infinite power are refused, all at once", "[cli]") {
  check_refused("t_s,node_1,node_2\n0,7000,-5\n2,nan,7000\n4,7000,inf\n",
                R"(traces/two.csv:2:8: node_2: power -5 W is negative
    2 | 0,7000,-5
      |        ^
traces/two.csv:4:8: node_2: 'inf' is not a finite power
    4 | 4,7000,inf
      |        ^
      = write power in W; leave the cell empty if a sample is missing
2 problems in traces/two.csv
)");
}

TEST_CASE("a hole longer than three intervals is refused", "[cli]") {
  check_refused(
      "t_s,node_1,node_2\n0,7000,7000\n2,7000,\n4,7000,\n6,7000,\n8,7000,\n10,7000,7000\n12,7000,7000\n",
      R"(traces/two.csv:3:8: column 'node_2' has no sample from 2 s until 10 s: 4 intervals of 2 s missing in a row, at most 3 are filled
    3 | 2,7000,
      |        ^
      = to accept longer holes, write fill: hold, interpolate or zero; if a record ends, write fill: end
1 problem in traces/two.csv
)");
}

TEST_CASE("an empty and a binary trace are refused where they are named", "[cli]") {
  const auto at_name = [](const std::string& why) {
    return fmt::format(R"(own.yaml:4:34: 'traces/two.csv': {}
)",
                       why);
  };
  check_refused("", at_name("the file is empty\n      = the first line names the columns, such as t_s,node_1,node_2") +
                        "1 problem in traces/two.csv\n");
  check_refused(std::string("t_s,node_1\n0,\0", 14),
                at_name("is a binary file, not CSV text") + "1 problem in traces/two.csv\n");
}

TEST_CASE("a missing trace is refused where it is named", "[cli]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  const Outcome outcome = folder.run_own(replay_of_trace);
  CHECK(outcome.exit_code == 1);
  CHECK(outcome.errors == R"(own.yaml:4:34: trace: 'traces/two.csv': no such file
    4 | workload: { kind: replay, trace: traces/two.csv, meaning: node_ac }
      |                                  ^
      = a trace is looked for relative to the file that names it
1 problem in own.yaml
)");
  CHECK(folder.keeps_earlier_results());
}

namespace {

/// A replay of DC watts, or others, with a ratio of two meters.
void check_ratio_refused(const std::string& meaning, const std::string& ratio, const std::string& expected) {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  folder.write("traces/two.csv", "t_s,node_1,node_2\n0,7000,7000\n2,7000,7100\n4,7000,7000\n");
  const Outcome outcome =
      folder.run_own(fmt::format("format: 1\nextends: {}/scenarios/one_rack.yaml\nduration: 20 s\n"
                                 "workload: {{ kind: replay, trace: traces/two.csv, meaning: {}, dc_over_ac: {} }}\n",
                                 WATTLOOP_SOURCE_DIR, meaning, ratio));
  CHECK(outcome.exit_code == 1);
  CHECK(outcome.errors == expected);
}

}  // namespace

TEST_CASE("a ratio of meters is refused where watts are not behind supplies", "[cli]") {
  check_ratio_refused("node_ac", "0.985", R"(own.yaml:4:80: dc_over_ac has no effect on power with `meaning: node_ac`
    4 | workload: { kind: replay, trace: traces/two.csv, meaning: node_ac, dc_over_ac: 0.985 }
      |                                                                                ^
      = delete dc_over_ac, or write `meaning: node_dc`: only power on the DC side of power supplies is converted to the AC inlet
1 problem in own.yaml
)");
}

TEST_CASE("a ratio of meters that no supply has is refused", "[cli]") {
  check_ratio_refused("node_dc", "0.2", R"(own.yaml:4:80: dc_over_ac: 0.2 is out of range, expected 0.5 to 1
    4 | workload: { kind: replay, trace: traces/two.csv, meaning: node_dc, dc_over_ac: 0.2 }
      |                                                                                ^
      = write the DC energy divided by the AC energy of the same nodes
1 problem in own.yaml
)");
}

TEST_CASE("check reports of holes in a trace what a run reports, to people and to machines", "[cli]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  replay(folder, "t_s,node_1,node_2\n0,7000,7000\n2,7000,\n4,7000,7000\n");
  const Outcome run = folder.run({"run", "own.yaml"}), check = folder.run({"check", "own.yaml"}),
                json = folder.run({"check", "own.yaml", "--json"});
  CHECK(run.exit_code == 0);
  CHECK(run.errors.find("note: 1 hole filled") != std::string::npos);
  CHECK(check.exit_code == 0);
  const std::size_t note = run.errors.find("note: 1 hole");
  REQUIRE(note != std::string::npos);
  CHECK(check.output.find(run.errors.substr(note, run.errors.find('\n', note) + 1 - note)) != std::string::npos);
  CHECK(json.output.find("\"1 hole filled") != std::string::npos);
}
