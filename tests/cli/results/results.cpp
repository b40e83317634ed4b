// What a run leaves behind: results that can be repeated, read by machines, and are never half a file under a
// whole name.
#include <csignal>

#include <chrono>
#include <thread>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tests/support/catch.hpp"
#include "tests/support/run_program.hpp"
#include "twin/results/reader/results_equality.hpp"
#include "twin/results/reader/results_reader.hpp"

using namespace wattloop::tests;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

const std::string own = fmt::format("format: 1\nextends: {}\nduration: 20 s\n", one_rack);

/// Runs and checks that a file fails with these words and exit code 4.
void check_file_failure(const WorkFolder& folder, const std::vector<std::string>& arguments,
                        const std::string& expected) {
  const Outcome outcome = folder.run(arguments);
  CHECK(outcome.exit_code == 4);
  CHECK(outcome.output.empty());
  CHECK(outcome.errors == "file error: " + expected + "\n");
  CHECK(folder.keeps_earlier_results());
}

}  // namespace

TEST_CASE("an own scenario runs from any folder and a results file repeats its run", "[cli]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  folder.write("mine/warm.yaml", own);
  const Outcome first = folder.run(
      {"run", "mine/warm.yaml", "--set", "hall.cooling.loops.supply_temperature=36 degC", "--quiet", "--full"});
  CHECK(first.exit_code == 0);
  CHECK(first.errors.empty());
  CHECK_THAT(first.output, Contains("coolant supply     35.87 degC to 35.96 degC") && Contains("results/warm.h5\n"));

  std::filesystem::create_directory(folder / "elsewhere");
  Process again(WATTLOOP_PROGRAM, {"run", "../results/warm.h5", "-o", "again.h5", "--quiet", "--threads", "2"},
                folder / "elsewhere");
  CHECK(again.wait().exit_code == 0);
  const auto equality = wattloop::twin::results_equal(folder / "results/warm.h5", folder / "elsewhere/again.h5");
  INFO(equality.difference);
  CHECK(equality.equal);
}

TEST_CASE("run --json prints nothing but JSON", "[cli]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  const Outcome outcome = folder.run({"run", one_rack, "--set", "duration=20 s", "--json"});
  CHECK(outcome.exit_code == 0);
  const nlohmann::json summary = nlohmann::json::parse(outcome.output);
  CHECK(summary.at("results") == "results/one_rack.h5");
  CHECK(summary.at("simulated_time").at("value") == 20.0);
  CHECK(summary.at("simulated_time").at("unit") == "s");
  CHECK(summary.at("first_throttle_time").at("value").is_null());  // it is NaN in the results file
}

TEST_CASE("an interrupted run leaves a readable partial file and the earlier results", "[cli]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  folder.write("own.yaml", own);
  Process run = folder.start({"run", "own.yaml", "--set", "duration=10000 h", "--quiet"});
  const std::filesystem::path partial = folder.await_partial_results();
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  run.send(GENERATE(SIGINT, SIGTERM, SIGHUP));
  const Outcome outcome = run.wait();
  CHECK(outcome.exit_code == 130);
  CHECK(outcome.output.empty());
  CHECK_THAT(outcome.errors, StartsWith("interrupted at ") &&
                                 Contains("; the values recorded until then are in results/own.h5.") &&
                                 Contains(partial.filename().string() + "\n"));

  const wattloop::twin::ResultsReader results(partial);
  const std::vector<double> times_s = results.times_s("facility");
  REQUIRE_FALSE(times_s.empty());
  CHECK(times_s.front() == 0.0);
  CHECK(times_s.back() == results.summary_number("simulated_time"));
  std::filesystem::remove(partial);
  CHECK(folder.keeps_earlier_results());
}

TEST_CASE("an output below a file is a file error", "[cli]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  folder.write("plain", "kept");
  check_file_failure(folder, {"run", one_rack, "--set", "duration=20 s", "-o", "plain/own.h5", "--quiet"},
                     "cannot write plain/own.h5: plain is a file, not a folder");
  check_file_failure(folder, {"run", one_rack, "--set", "duration=20 s", "-o", "results", "--quiet"},
                     "cannot write results: it is a folder");
  CHECK(file_text(folder / "plain") == "kept");
}

TEST_CASE("results files that cannot be read are file errors", "[cli]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  folder.write("text.h5", "not at all");
  check_file_failure(folder, {"run", "text.h5"}, "cannot read text.h5: not an HDF5 file");
  check_file_failure(folder, {"run", "none.h5"}, "cannot read none.h5: no such file");
  check_file_failure(folder, {"view", "text.h5"}, "cannot read text.h5: not an HDF5 file");
  std::filesystem::create_directory(folder / "folder.h5");
  check_file_failure(folder, {"run", "folder.h5"}, "cannot read folder.h5: it is a folder");

  REQUIRE(folder.run({"run", one_rack, "--set", "duration=20 s", "-o", "whole.h5", "--quiet"}).exit_code == 0);
  const std::string whole = file_text(folder / "whole.h5");
  folder.write("half.h5", whole.substr(0, whole.size() / 2));
  for (const std::string command : {"run", "view"}) {
    const Outcome refused = folder.run({command, "half.h5"});
    CHECK(refused.exit_code == 4);
    CHECK_THAT(refused.errors, StartsWith("file error: cannot read half.h5: its last line, a checksum, is missing"));
    const Outcome outcome = folder.run({command, "half.h5", "--trust"});
    CHECK(outcome.exit_code == 4);
    CHECK_THAT(outcome.errors, StartsWith("file error: cannot read half.h5: ") &&
                                   Contains(fmt::format("truncated file: {} of ", whole.size() / 2)));
  }
}
