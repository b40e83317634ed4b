// What must not get out of a scenario: values of the environment into files, control characters to a terminal, files from
// outside of a library.
#include <algorithm>
#include <cstdlib>
#include <vector>

#include <fmt/format.h>

#include "tests/support/catch.hpp"
#include "tests/support/run_program.hpp"
#include "twin/results/reader/results_reader.hpp"

using namespace wattloop::tests;
using Catch::Matchers::Contains;

TEST_CASE("values of environment variables stay out of the results, and the run can be repeated",
          "[cli][environment]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  setenv("WATTLOOP_TEST_TITLE", "hunter2", 1);
  setenv("WATTLOOP_TEST_TRACES", "traces_swordfish", 1);
  folder.write("traces_swordfish/a.csv", "t_s,node_1,node_2\n0,7000,7000\n2,7000,7100\n4,7000,7000\n");
  folder.write("own.yaml",
               fmt::format("extends: {}\nduration: 20 s\ntitle: \"day of ${{WATTLOOP_TEST_TITLE}}, 5 $${{\"\n"
                           "workload: {{ kind: replay, trace: \"${{WATTLOOP_TEST_TRACES}}/a.csv\" }}\n"
                           "hall: {{ racks: {{ nodes: 2 }} }}\n",
                           one_rack));
  const Outcome outcome = folder.run({"run", "own.yaml", "--quiet", "-o", "own.h5"});
  CHECK(outcome.errors.empty());
  REQUIRE(outcome.exit_code == 0);
  const wattloop::twin::ResultsReader results(folder / "own.h5");
  const std::string stored = results.provenance_text("scenario").value_or("");
  CHECK_THAT(stored, Contains("${WATTLOOP_TEST_TITLE}") && Contains("/${WATTLOOP_TEST_TRACES}/a.csv"));
  for (const char* secret : {"hunter2", "swordfish"}) {
    CHECK(stored.find(secret) == std::string::npos);
    CHECK(file_text(folder / "own.h5").find(secret) == std::string::npos);
    CHECK(folder.run({"check", "own.yaml", "--resolved"}).output.find(secret) == std::string::npos);
  }
  CHECK_THAT(results.provenance_text("title").value_or(""), Contains("${WATTLOOP_TEST_TITLE}"));
  std::filesystem::create_directory(folder / "elsewhere");
  const Outcome again = folder.run_shell("cd elsewhere && $wattloop run ../own.h5 --quiet -o again.h5");
  CHECK(again.errors.empty());
  CHECK(again.exit_code == 0);
  unsetenv("WATTLOOP_TEST_TITLE");
  unsetenv("WATTLOOP_TEST_TRACES");
}

TEST_CASE("control characters of titles and mistakes are shown, not sent", "[cli][control]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  const auto has_controls = [](const std::string& text) {
    return std::any_of(text.begin(), text.end(),
                       [](char c) { return c != '\n' && static_cast<unsigned char>(c) < 32; });
  };
  folder.write("own.yaml",
               fmt::format("extends: {}\nduration: 20 s\ntitle: \"red \\e[31m bell \\a line\\n end\"\n", one_rack));
  const Outcome run = folder.run({"run", "own.yaml", "--quiet", "-o", "own.h5"});
  CHECK(run.exit_code == 0);
  CHECK_THAT(run.output, Catch::Matchers::StartsWith("red \\x1b[31m bell \\x07 line\\n end\n"));
  CHECK_FALSE(has_controls(run.output));

  folder.write(
      "own.yaml",
      fmt::format("extends: {}\nhall: {{ \"\\e[2J\": 5, racks: {{ \"no\\edez\": 3 }} }} # \x1b[31m\n", one_rack));
  const Outcome mistake = folder.run({"check", "own.yaml"});
  CHECK(mistake.exit_code == 1);
  CHECK_THAT(mistake.errors, Contains("hall has no parameter '\\x1b[2J'") && Contains("# \\x1b[31m\n"));
  CHECK_FALSE(has_controls(mistake.errors));
  CHECK_FALSE(has_controls(folder.run({"run", "no\x1b[31m.yaml"}).errors));
  CHECK_FALSE(has_controls(folder.run({"view", "no\x1b[31m.h5"}).errors));
}

TEST_CASE("hardware is a name, not a way out of its library", "[cli][hardware]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  folder.write("outside.yaml", file_text(WATTLOOP_SOURCE_DIR "/scenarios/hardware/ups_97.yaml"));
  folder.write("hardware/empty.yaml", "");
  const std::vector<std::string> names{"../outside", "./ups_97", (folder.path() / "outside").string()};
  for (const std::string& name : names) {
    folder.write("own.yaml", fmt::format("extends: {}\npower: {{ ups: {{ hardware: {} }} }}\n", one_rack, name));
    const Outcome outcome = folder.run({"check", "own.yaml"});
    CHECK(outcome.exit_code == 1);
    CHECK_THAT(outcome.errors, Contains(fmt::format("hardware: '{}' is not a name of the library", name)));
  }
}
