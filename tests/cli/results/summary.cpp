// `wattloop summary`: what a run printed at its end, byte for byte, from its results file alone.
#include <algorithm>
#include <filesystem>

#include "tests/support/catch.hpp"
#include "tests/support/records/sample_results.hpp"
#include "tests/support/run_program.hpp"
#include "twin/results/reader/results_reader.hpp"

using namespace wattloop::tests;
using Catch::Matchers::Contains;

namespace {

/// Something of everything: what is beyond limits, batteries that give, racks that go dark, a replay.
const std::vector<std::string> lively{"run",
                                      one_rack,
                                      "--set",
                                      "duration=10 min",
                                      "--set",
                                      "power.ups.with.battery_time=1 min",
                                      "-o",
                                      "x.h5",
                                      "-q",
                                      "--event",
                                      "at: 2 min, open: utility_a",
                                      "--event",
                                      "at: 1 min, set: loop_1.supply_temperature, to: 44 degC"};

std::vector<std::string> with(std::vector<std::string> arguments, const std::vector<std::string>& more) {
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

}  // namespace

TEST_CASE("summary prints what the run printed, byte for byte, in both units and as JSON", "[cli][summary]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  for (const std::vector<std::string>& options : {std::vector<std::string>{},
                                                  {"--full"},
                                                  {"--full", "--units", "ip"},
                                                  {"--units", "ip"},
                                                  {"--json"},
                                                  {"--limit", "smallest_throttle_margin >= 60 K"}}) {
    const Outcome run = folder.run(with(lively, options));
    INFO(run.errors);
    const Outcome summary = folder.run(with({"summary", "x.h5"}, options));
    CHECK(summary.output == run.output);
    CHECK(summary.output.size() > 600);
    CHECK(summary.exit_code == run.exit_code);
    CHECK(summary.errors.empty());
  }
}

TEST_CASE("a run ends in a dozen lines, all of it and its details in 80 columns, coloured on a terminal",
          "[cli][summary]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  const Outcome run = folder.run(lively);
  INFO(run.errors);
  REQUIRE(run.exit_code == 0);
  const std::string full = folder.run({"summary", "x.h5", "--full"}).output;
  const auto longest = [](const std::string& text) {
    std::size_t most = 0;
    for (std::size_t at = 0, end = 0; at < text.size(); at = end + 1) {
      end = std::min(text.find('\n', at), text.size());
      most = std::max(most, end - at);
    }
    return most;
  };
  CHECK(longest(run.output) <= 80);
  CHECK(longest(full) <= 80);
  const std::string verdict = run.output.substr(0, run.output.find("\n\nresults"));
  CHECK(std::count(verdict.begin(), verdict.end(), '\n') <=
        16);  // title, size, how it begins, a blank line, twelve, and a second of the verdict
  CHECK(full.starts_with(verdict));
  CHECK_THAT(full, Contains("\nPower\n") && Contains("\nEnergy balance\n"));
  CHECK_THAT(run.output, !Contains("\nPower\n") && Contains("wattloop summary --full x.h5"));
  const Outcome shown = folder.run_shell("TERM=xterm script -qec \"$wattloop summary x.h5\" /dev/null </dev/null");
  CHECK_THAT(shown.output, Contains("\x1b[1;31mLOST\x1b[0m"));
  const Outcome plain =
      folder.run_shell("NO_COLOR=1 TERM=xterm script -qec \"$wattloop summary x.h5\" /dev/null </dev/null");
  CHECK_THAT(plain.output, Contains("LOST") && !Contains("\x1b"));
  CHECK(folder.run({"summary", "x.h5", "--full", "--json"}).exit_code == 1);
}

TEST_CASE("GPUs in the dark are lost for as long as it is dark", "[cli][summary]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  const Outcome run =
      folder.run({"run", one_rack, "-q", "-o", "x.h5", "--event", "{ at: 10 min, fail: [ups_a, ups_a.bypass] }"});
  INFO(run.errors);
  REQUIRE(run.exit_code == 0);
  const wattloop::twin::ResultsReader results(folder / "x.h5");
  CHECK(results.summary_number("lost_gpu_time").value() == Approx(64.0 * 50.0 * 60.0).epsilon(1e-9));  // of an hour
  CHECK(results.summary_number("first_loss_time").value() == 600.0);
  CHECK_THAT(run.output, Contains("LOST           1 rack without power") && Contains("53.33 GPU h lost"));
}

TEST_CASE("summary needs nothing but the file, wherever it is", "[cli][summary]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  folder.write("trace.csv", "time_s,w\n0,5000\n30,5000\n");
  folder.write("own.yaml", "extends: " + one_rack +
                               "\nduration: 30 s\nworkload: { kind: replay, trace: trace.csv, meaning: node_ac }\n");
  const Outcome run = folder.run({"run", "own.yaml", "-o", "x.h5", "--json", "-q"});
  INFO(run.errors);
  REQUIRE(run.exit_code == 0);
  std::filesystem::create_directory(folder / "there");
  std::filesystem::rename(folder / "x.h5", folder / "there/y.h5");
  std::filesystem::remove(folder / "trace.csv");
  std::string expected = run.output;
  expected.replace(expected.find("x.h5"), 4, "there/y.h5");
  CHECK(folder.run({"summary", "there/y.h5", "--json"}).output == expected);
}

TEST_CASE("files without a printed summary list their figures, and damaged ones are refused", "[cli][summary]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  {
    wattloop::twin::ResultsWriter writer(folder / "old.h5", "2026-01-01T00:00:00");
    write_sample(writer, {.facility_rows = 3, .rack_rows = 3, .gpu_rows = 3, .racks = 2, .gpus = 2});
    writer.finish();
    wattloop::twin::ResultsWriter early(folder / "early.h5", "2026-01-01T00:00:00");
    early.finish();
  }
  const Outcome old = folder.run({"summary", "old.h5"});
  CHECK(old.exit_code == 0);
  CHECK_THAT(old.errors, Contains("an earlier version wrote these results"));
  CHECK_THAT(old.output, Contains("pue                  1.18\n") && Contains("it_energy            1 MWh\n") &&
                             Contains("verdict              no limit violated\n"));
  CHECK_THAT(folder.run({"summary", "old.h5", "--json"}).output, Contains("\"part\": \"ups_a\""));
  {
    wattloop::twin::ResultsWriter writer(folder / "warm.h5", "2026-01-01T00:00:00");
    const std::vector<wattloop::twin::NamedValue> figures{{"peak", 343.15, "K"}, {"margin", 10.0, "delta_K"}};
    writer.write_summary(figures);
    writer.finish();
  }
  CHECK_THAT(folder.run({"summary", "warm.h5"}).output, Contains(" 70 degC\n") && Contains(" 10 K\n"));
  CHECK_THAT(folder.run({"summary", "warm.h5", "--units", "ip"}).output,
             Contains(" 158 degF\n") && Contains(" 18 degF\n"));
  const Outcome early = folder.run({"summary", "early.h5"});
  CHECK(early.exit_code == 4);
  CHECK_THAT(early.errors, Contains("it has no summary, because its run did not end"));

  std::string bytes = file_text(folder / "old.h5");
  bytes[bytes.size() / 2] = static_cast<char>(~bytes[bytes.size() / 2]);
  folder.write("bad.h5", bytes);
  folder.write("short.h5", bytes.substr(0, bytes.size() / 3));
  for (const char* name : {"bad.h5", "short.h5", "none.h5"}) {
    const Outcome damaged = folder.run({"summary", name});
    INFO(damaged.errors);
    CHECK(damaged.exit_code == 4);
    CHECK(damaged.output.empty());
    CHECK_THAT(damaged.errors, Contains(name));
  }
  CHECK(folder.run({"summary", one_rack}).exit_code == 4);
  const Outcome misspelt = folder.run({"summary", "old.h5", "--limit", "it_enrgy <= 1 J"});
  CHECK(misspelt.exit_code == 1);
  CHECK_THAT(misspelt.errors, Contains("did you mean 'it_energy'?"));
}
