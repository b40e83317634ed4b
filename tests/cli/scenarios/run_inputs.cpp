// What stands in results of the files and variables that they were made from, and what a run says when it replaces results of others.
// Checksums of theirs are computed by Python's zlib.
#include <cstdlib>
#include <filesystem>
#include <regex>
#include <sstream>

#include <fmt/format.h>

#include "tests/support/catch.hpp"
#include "tests/support/run_program.hpp"
#include "twin/results/reader/results_reader.hpp"

using namespace wattloop::tests;
using Catch::Matchers::Contains;
namespace fs = std::filesystem;

namespace {

const std::string scenarios = WATTLOOP_SOURCE_DIR "/scenarios";
const std::string scenario =
    "format: 1\nextends: base.yaml\nduration: 10 s\n"
    "workload: { kind: replay, trace: trace.csv, meaning: node_ac }\nhall: { racks: { nodes: 2 } }\n";

/// own.yaml with a base, a library and a trace beside it.
struct Inputs : WorkFolder {
  Inputs() : WorkFolder(WATTLOOP_PROGRAM) {
    fs::remove(*this / "results/own.h5");
    fs::copy(scenarios + "/hardware", path() / "hardware");
    fs::copy_file(scenarios + "/one_rack.yaml", path() / "base.yaml");
    write("own.yaml", scenario);
    write("trace.csv", trace(7000));
  }
  static std::string trace(int watts) { return fmt::format("t_s,node_1,node_2\n0,{0},{0}\n2,{0},{0}\n", watts); }
  std::string inputs() const {
    return wattloop::twin::ResultsReader(*this / "results/own.h5").provenance_text("inputs").value_or("");
  }
  /// What a run says of the results that it replaces.
  std::string reported(const std::vector<std::string>& arguments = {"run", "own.yaml"}) const {
    const Outcome outcome = run(arguments);
    INFO(outcome.errors);
    CHECK(outcome.exit_code == 0);
    const std::regex line("note: replaces results of other inputs: (.*)\n");
    std::smatch found;
    return std::regex_search(outcome.errors, found, line) ? found[1].str() : "";
  }
};

}  // namespace

TEST_CASE("a run says which inputs of the results that it replaces were others", "[cli][inputs]") {
  const Inputs folder;
  CHECK(folder.reported().empty());
  CHECK(folder.reported().empty());  // nothing changed
  folder.write("trace.csv", Inputs::trace(7001));
  CHECK(folder.reported() == "trace trace.csv changed");
  folder.write("base.yaml", file_text(folder / "base.yaml") + "# looked at\n");
  folder.write("hardware/ups_97.yaml", file_text(folder / "hardware/ups_97.yaml") + "# looked at\n");
  CHECK(folder.reported() == "base base.yaml changed, library ups_97.yaml changed");
  folder.write("own.yaml", scenario + "# looked at\n");
  CHECK(folder.reported({"run", "own.yaml", "-o", "results/own.h5"}) == "scenario own.yaml changed");
  folder.write("own.yaml", std::regex_replace(scenario, std::regex("trace.csv"), "other.csv"));
  fs::rename(folder / "trace.csv", folder / "other.csv");
  CHECK(folder.reported() == "scenario own.yaml changed, trace other.csv is new, trace trace.csv is gone");
}

TEST_CASE("results that are run again keep the checksums of their scenario and take those of their trace",
          "[cli][inputs]") {
  const Inputs folder;
  CHECK(folder.reported().empty());
  const std::string before = folder.inputs();
  folder.write("base.yaml", file_text(folder / "base.yaml") + "# looked at\n");
  CHECK(folder.reported({"run", "results/own.h5"}).empty());  // which is not of that base
  CHECK(folder.inputs() == before);
  folder.write("trace.csv", Inputs::trace(7001));
  CHECK(folder.reported({"run", "results/own.h5"}) == "trace trace.csv changed");
  CHECK(folder.reported() == "base base.yaml changed");
}

TEST_CASE("checksums of inputs are those of zlib", "[cli][inputs]") {
  const Inputs folder;
  CHECK(folder.reported().empty());
  std::istringstream lines(folder.inputs());
  std::size_t count = 0;
  for (std::string role, checksum, name; lines >> role >> checksum >> name; ++count) {
    const std::string file = role == "library" ? "hardware/" + name : name;
    const Outcome theirs = folder.run_shell(
        fmt::format("python3 -c \"import zlib; print('%08x' % zlib.crc32(open('{}', 'rb').read()))\"", file));
    INFO(role << " " << name);
    CHECK(theirs.output == checksum + "\n");
  }
  CHECK(count > 8);  // scenario, base, trace and what stands in a rack
}

TEST_CASE("another value of a variable is reported, and none is stored", "[cli][inputs][environment]") {
  const Inputs folder;
  folder.write("own.yaml", scenario + "title: \"for ${WATTLOOP_TEST_NAME}\"\nseed: \"${WATTLOOP_TEST_SEED}\"\n");
  setenv("WATTLOOP_TEST_NAME", "hunter2", 1);
  setenv("WATTLOOP_TEST_SEED", "4711", 1);
  CHECK(folder.reported().empty());
  CHECK(folder.reported().empty());
  setenv("WATTLOOP_TEST_SEED", "4712", 1);
  CHECK(folder.reported() == "environment WATTLOOP_TEST_SEED changed");
  const std::string inputs = folder.inputs();
  CHECK_THAT(inputs, Contains(" WATTLOOP_TEST_NAME\n"));
  CHECK(file_text(folder / "results/own.h5").find("hunter2") == std::string::npos);
  CHECK(
      std::regex_search(inputs, std::regex("(^|\n)environment [0-9a-f]{4} WATTLOOP_TEST_NAME\n")));  // half a checksum
  folder.write("own.yaml", scenario);
  fs::create_directory(folder / "swordfish");
  fs::rename(folder / "trace.csv", folder / "swordfish/hunter2");
  setenv("WATTLOOP_TEST_NAME", "swordfish/hunter2", 1);
  folder.write("own.yaml", std::regex_replace(scenario, std::regex("trace.csv"), "\"${WATTLOOP_TEST_NAME}\""));
  CHECK_THAT(folder.reported(), Contains("trace ${WATTLOOP_TEST_NAME} is new"));
  CHECK(folder.inputs().find("hunter2") == std::string::npos);
  unsetenv("WATTLOOP_TEST_NAME");
  unsetenv("WATTLOOP_TEST_SEED");
}

TEST_CASE("a run without -o does not take the place of another scenario of the same name", "[cli][output][inputs]") {
  const Inputs folder;
  REQUIRE(folder.run({"run", "own.yaml", "--quiet"}).exit_code == 0);
  const std::string before = file_text(folder / "results/own.h5");
  folder.write("elsewhere/own.yaml", "extends: ../own.yaml\n");
  const Outcome refused = folder.run({"run", "elsewhere/own.yaml", "--quiet"});
  CHECK(refused.exit_code == 1);
  CHECK(refused.errors == fmt::format(R"(-o: 'results/own.h5' holds a run of {}
      = give another name to keep both; -o results/own.h5 replaces it
1 problem in the command line
)",
                                      (fs::canonical(folder.path()) / "own.yaml").string()));
  CHECK(file_text(folder / "results/own.h5") == before);
  CHECK(folder.run({"run", "./elsewhere/../own.yaml", "--quiet"}).exit_code == 0);  // the same by another name
  CHECK(folder.run({"run", "elsewhere/own.yaml", "--quiet", "-o", "results/own.h5"}).exit_code == 0);
  CHECK(folder.run({"run", "own.yaml", "--quiet"}).exit_code == 1);
  fs::remove(folder / "elsewhere/own.yaml");
  CHECK(folder.reported() ==
        "scenario own.yaml changed, base own.yaml is gone");  // the other one may have been this, moved
}
