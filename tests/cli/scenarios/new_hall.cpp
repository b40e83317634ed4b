// `wattloop new`: what it writes passes `check` without a warning and runs at nameplate without throttling, whatever is asked.
#include <cstdlib>

#include "tests/support/catch.hpp"
#include "tests/support/run_program.hpp"

using namespace wattloop::tests;
using Catch::Matchers::Contains;

namespace {

struct Asked {
  const char *gpus, *hardware, *cooling, *redundancy;
};

Outcome write_hall(const WorkFolder& folder, const Asked& asked, const std::vector<std::string>& more = {}) {
  std::vector<std::string> arguments{"new",       "--gpus",      asked.gpus,     "--hardware",     asked.hardware,
                                     "--cooling", asked.cooling, "--redundancy", asked.redundancy, "-o",
                                     "hall.yaml", "--force"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return folder.run(arguments);
}

/// Three supplies of 3.3 kW, on one of two cords, are less than a node of eight B200 needs at its nameplate.
bool is_too_much_for_one_cord(const Asked& asked) {
  const std::string_view redundancy = asked.redundancy;
  return asked.hardware == std::string_view("hgx_b200_liquid") && (redundancy == "2N" || redundancy == "distributed");
}

void check_consistent(const WorkFolder& folder, const Asked& asked) {
  INFO(asked.gpus << " " << asked.hardware << " " << asked.cooling << " " << asked.redundancy);
  const Outcome outcome = write_hall(folder, asked);
  INFO(outcome.errors);
  REQUIRE(outcome.exit_code == 0);
  const Outcome check = folder.run({"check", "hall.yaml"});
  CHECK(check.exit_code == 0);
  if (is_too_much_for_one_cord(asked)) {
    const char* warning =
        "power supplies of a node on one of two cords must carry DC power at the nameplate of the node";
    CHECK_THAT(outcome.output, Contains("1 warning at nameplate load"));
    CHECK_THAT(check.output, Contains(warning) && Contains("1 warning at nameplate load"));
    return;
  }
  CHECK_THAT(outcome.errors, !Contains("warning"));
  CHECK_THAT(outcome.output, Contains("ratings are consistent at nameplate load"));
  CHECK_THAT(check.output, Contains("ratings are consistent at nameplate load") && !Contains("warning:"));
}

}  // namespace

TEST_CASE("new halls of nodes with cold plates pass check, but for supplies that one cord cannot feed", "[cli][new]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  for (const Asked& asked : {Asked{"64", "hgx_h100_liquid", "warm_water", "N"},
                             Asked{"512", "hgx_h100_liquid", "chilled_water", "N+1"},
                             Asked{"10240", "hgx_h100_liquid", "warm_water", "2N"},
                             Asked{"2048", "hgx_h100_liquid", "dry_coolers", "block"},
                             Asked{"1000", "hgx_h100_liquid", "warm_water", "distributed"},
                             Asked{"1024", "hgx_b200_liquid", "warm_water", "2N"},
                             Asked{"300", "hgx_b200_liquid", "dry_coolers", "N+1"},
                             Asked{"2048", "hgx_b200_liquid", "chilled_water", "distributed"},
                             Asked{"5000", "hgx_b200_liquid", "warm_water", "block"},
                             Asked{"72", "gb200_nvl72_compute_tray", "dry_coolers", "N"},
                             Asked{"1296", "gb200_nvl72_compute_tray", "dry_coolers", "2N"},
                             Asked{"2048", "gb200_nvl72_compute_tray", "warm_water", "N+1"},
                             Asked{"720", "gb200_nvl72_compute_tray", "chilled_water", "block"},
                             Asked{"8", "mi300x_node_liquid", "warm_water", "2N"},
                             Asked{"2048", "mi300x_node_liquid", "dry_coolers", "N"},
                             Asked{"700", "mi300x_node_liquid", "chilled_water", "distributed"},
                             Asked{"512", "frontier_node", "warm_water", "2N"},
                             Asked{"5000", "frontier_node", "warm_water", "N+1"},
                             Asked{"2048", "frontier_node", "dry_coolers", "block"},
                             Asked{"2048", "frontier_node", "chilled_water", "distributed"}}) {
    check_consistent(folder, asked);
  }
}

TEST_CASE("new halls of nodes in air pass check", "[cli][new]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  for (const Asked& asked :
       {Asked{"8", "dgx_h100_air", "air", "N"}, Asked{"2048", "dgx_h100_air", "air", "2N"},
        Asked{"512", "dgx_h100_air", "air", "N+1"}, Asked{"700", "dgx_h100_air", "air", "block"},
        Asked{"4096", "dgx_h100_air", "air", "distributed"}, Asked{"32", "dgx_h100_air", "rear_doors", "2N"},
        Asked{"700", "dgx_h100_air", "rear_doors", "N+1"}, Asked{"2048", "dgx_h100_air", "rear_doors", "block"}}) {
    check_consistent(folder, asked);
  }
}

TEST_CASE("new halls run at nameplate without throttling, trips or exceeded limits", "[cli][new]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  for (const Asked& asked :
       {Asked{"1024", "hgx_h100_liquid", "warm_water", "2N"}, Asked{"1024", "dgx_h100_air", "air", "N"},
        Asked{"512", "dgx_h100_air", "rear_doors", "distributed"},
        Asked{"720", "gb200_nvl72_compute_tray", "dry_coolers", "N+1"},
        Asked{"512", "hgx_b200_liquid", "chilled_water", "block"}}) {
    INFO(asked.gpus << " " << asked.hardware << " " << asked.cooling << " " << asked.redundancy);
    REQUIRE(write_hall(folder, asked).exit_code == 0);
    std::string text = file_text(folder / "hall.yaml");
    const std::size_t work = text.find("workload: {"), end = text.find('\n', work);
    text.replace(work, end - work, "workload: { kind: constant }");  // nodes at their nameplates
    folder.write("nameplate.yaml", text);
    const Outcome run = folder.run({"run", "nameplate.yaml", "--no-results", "-q", "--set", "duration=40 min", "--set",
                                    "start=2026-07-15T14:30:00", "--limit", "throttled_gpu_time <= 0 s", "--limit",
                                    "shut_down_gpus <= 0", "--limit", "trips <= 0", "--limit", "limits_exceeded <= 0"});
    INFO(run.output << run.errors);
    CHECK(run.exit_code == 0);
  }
}

TEST_CASE("names may be begun, GPUs are rounded up, and both are reported", "[cli][new]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  const Outcome outcome = write_hall(folder, {"100", "dgx_h100", "air", "n+1"});
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.errors == "note: 100 GPUs are 128 in 4 racks of 4 nodes of 8: whole racks of equal nodes\n");
  CHECK_THAT(outcome.output,
             Contains("hall.yaml: 128 GPUs in 4 racks of dgx_h100_air, 163.2 kW at nameplate, air, N+1; "));
  CHECK_THAT(file_text(folder / "hall.yaml"), Contains("# 100 GPUs are 128 in 4 racks"));
}

TEST_CASE("a file that is there is kept, and nothing is asked without a terminal", "[cli][new]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  folder.write("my_hall.yaml", "mine\n");
  Outcome outcome = folder.run({"new", "--gpus", "64"});
  CHECK(outcome.exit_code == 1);
  CHECK(outcome.errors ==
        "-o: 'my_hall.yaml' exists already\n      = give another name, or replace the file with --force\n1 problem in "
        "the command line\n");
  CHECK(file_text(folder / "my_hall.yaml") == "mine\n");
  outcome = folder.run({"new", "-o", "other.yaml"});
  CHECK(outcome.exit_code == 0);
  CHECK_THAT(outcome.errors, Contains("note: no options and no terminal for questions: all answers are the defaults"));
  CHECK_THAT(outcome.output, Contains("1,024 GPUs in 16 racks of hgx_h100_liquid"));
  CHECK(folder.run({"new", "--gpus", "64", "--force"}).exit_code == 0);
  CHECK_THAT(file_text(folder / "my_hall.yaml"), Contains("racks: { count: 1,"));
  CHECK(folder.run({"new", "--gpus", "64", "-o", "."}).exit_code == 1);
}

TEST_CASE("what is asked for and is not there is refused with the nearest", "[cli][new]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  const auto refused = [&](const std::vector<std::string>& arguments) {
    const Outcome outcome = folder.run(arguments);
    CHECK(outcome.exit_code == 1);
    CHECK_FALSE(std::filesystem::exists(folder / "my_hall.yaml"));
    return outcome.errors;
  };
  CHECK_THAT(
      refused({"new", "--hardware", "hgx_h100_liqid"}),
      Contains(
          "--hardware: there is no 'hgx_h100_liqid'\n      = did you mean 'hgx_h100_liquid'?; wattloop new --list"));
  CHECK_THAT(refused({"new", "--hardware", "hgx"}), Contains("one of: hgx_b200_liquid, hgx_h100_liquid"));
  CHECK_THAT(refused({"new", "--redundancy", "3N"}), Contains("known: N, N+1, 2N, block, distributed"));
  CHECK_THAT(refused({"new", "--hardware", "gb200", "--cooling", "air"}),
             Contains("'air' does not carry gb200_nvl72_compute_tray") && Contains("--cooling warm_water"));
  CHECK_THAT(refused({"new", "--gpus", "0"}), Contains("--gpus"));
  CHECK_THAT(refused({"new", "--weather", "no.epw"}), Contains("no.epw"));
  const char* set = std::getenv("WATTLOOP_REFERENCE_DATA");
  const std::string before = set == nullptr ? "" : set;
  setenv("WATTLOOP_REFERENCE_DATA", "/nowhere", 1);
  CHECK_THAT(refused({"new", "--climate", "chicago"}), Contains("set WATTLOOP_REFERENCE_DATA") && Contains("leesburg"));
  setenv("WATTLOOP_REFERENCE_DATA", before.c_str(), 1);
}

TEST_CASE("a hall may be written without a look at it", "[cli][new]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  const Outcome outcome =
      write_hall(folder, {"100000", "hgx_h100_liquid", "warm_water", "distributed"}, {"--no-check"});
  CHECK(outcome.exit_code == 0);
  CHECK_THAT(outcome.output, Contains("100,032 GPUs in 1,563 racks") && Contains("; not checked\n"));
}

TEST_CASE("choices are listed with GPUs and power of nodes", "[cli][new]") {
  const Outcome outcome = WorkFolder(WATTLOOP_PROGRAM).run({"new", "--list"});
  CHECK(outcome.exit_code == 0);
  for (const char* said : {"gb200_nvl72_compute_tray            4    7.333 kW             18   warm_water, dry_coolers",
                           "dgx_h100_air                        8     10.2 kW              4   air, rear_doors",
                           "distributed", "(default)", "leesburg", "chicago"})
    CHECK_THAT(outcome.output, Contains(said));
}

TEST_CASE("a hall is sized for the hottest hours of a weather file", "[cli][new]") {
  const std::string epw = reference_data() + "/weather/USA_IL_Chicago-OHare.Intl.AP.725300_TMY3.epw";
  const WorkFolder folder(WATTLOOP_PROGRAM);
  for (const std::vector<std::string>& weather :
       {std::vector<std::string>{"--climate", "chicago"}, std::vector<std::string>{"--weather", epw}}) {
    const Outcome outcome = write_hall(folder, {"1024", "hgx_h100_liquid", "warm_water", "2N"}, weather);
    INFO(outcome.errors);
    CHECK(outcome.exit_code == 0);
    CHECK_THAT(outcome.output, Contains("ratings are consistent at nameplate load"));
    // The highest of the 8,760 dry bulbs of the file, in its seventh column
    CHECK_THAT(file_text(folder / "hall.yaml"), Contains("up to 35.0 degC dry bulb"));
  }
}
