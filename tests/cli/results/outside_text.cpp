// Messages quote scenarios and nothing else; a reader that has read enough is no error; keys as other programs write them.
#include <cstdlib>

#include <fmt/format.h>

#include "tests/support/catch.hpp"
#include "tests/support/run_program.hpp"

using namespace wattloop::tests;
using Catch::Matchers::Contains;

namespace {

const std::string extends_one_rack = "extends: " WATTLOOP_SOURCE_DIR "/scenarios/one_rack.yaml\n";

}  // namespace

TEST_CASE("a scenario extends scenarios alone, and nothing of another file is printed", "[cli][outside]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  folder.write("passwords", "root:swordfish:0:0\nuser: [hunter2\n");
  folder.write("own.yaml", "extends: passwords\n");
  const Outcome outcome = folder.run({"check", "own.yaml"});
  CHECK(outcome.exit_code == 1);
  CHECK_THAT(outcome.errors,
             Contains("own.yaml:1:10: extends: 'passwords' does not have the name of a scenario file") &&
                 !Contains("swordfish") && !Contains("hunter2"));
}

TEST_CASE("the value of an environment variable is in no message", "[cli][outside]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  setenv("WATTLOOP_TEST_SECRET", "swordfish", 1);
  for (const char* key : {"duration", "seed", "start", "initial", "format"}) {
    folder.write("own.yaml", extends_one_rack + key + ": \"${WATTLOOP_TEST_SECRET}\"\n");
    const Outcome outcome = folder.run({"check", "own.yaml"});
    CHECK(outcome.exit_code == 1);
    CHECK_THAT(outcome.errors, Contains("${WATTLOOP_TEST_SECRET}") && !Contains("swordfish"));
  }
  unsetenv("WATTLOOP_TEST_SECRET");
}

TEST_CASE("a mistake in a long override quotes its begin", "[cli][outside]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  folder.write("own.yaml", extends_one_rack);
  std::string keys;
  for (int k = 0; k < 8000; ++k) keys += fmt::format("{}k{}: 1", k == 0 ? "" : ", ", k);
  const Outcome outcome = folder.run_shell("ulimit -v 200000; $wattloop check own.yaml --set 'hall={ " + keys + " }'");
  CHECK(outcome.exit_code == 1);
  CHECK_THAT(outcome.errors,
             Contains("--set hall={ k0: 1, k1: 1") && Contains("8000 problems") && !Contains("k7999: 1"));
}

TEST_CASE("who stops reading the output makes no error", "[cli][outside]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  const Outcome outcome = folder.run_shell("{ $wattloop explain --markdown 2>told; echo $? >code; } | head -n 1");
  CHECK(outcome.errors.empty());
  CHECK(file_text(folder / "code") == "0\n");
  CHECK(file_text(folder / "told").empty());
}

TEST_CASE("the key `on` is the same where a program wrote it as `true`", "[cli][outside]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  const auto resolved = [&](const std::string& key) {
    folder.write("own.yaml", "extends: " WATTLOOP_SOURCE_DIR "/scenarios/h100_10k.yaml\nhall: { network: { " + key +
                                 ": { room: nowhere } } }\n");
    return folder.run({"check", "own.yaml"});
  };
  const Outcome as_on = resolved("on"), as_true = resolved("true");
  CHECK(as_on.exit_code == 1);
  CHECK_THAT(as_on.errors, Contains("nowhere"));
  CHECK_THAT(as_true.errors, Contains("nowhere") && !Contains("'true'"));
}

TEST_CASE("a page of differences gives times of all GPUs in GPU hours, and large ratios as times",
          "[cli][outside][report]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  folder.write("a.yaml", extends_one_rack + "duration: 3 min\nevents: [{ at: 150 s, open: pdu_1 }]\n");
  folder.write("b.yaml", extends_one_rack + "duration: 3 min\nevents: [{ at: 60 s, open: pdu_1 }]\n");
  for (const char* name : {"a", "b"})
    folder.run({"run", fmt::format("{}.yaml", name), "-q", "-o", fmt::format("{}.h5", name)});
  REQUIRE(folder.run({"report", "b.h5", "--against", "a.h5", "-o", "page.html"}).exit_code == 0);
  const std::string page = file_text(folder / "page.html");
  const std::size_t row = page.find(">lost_gpu_time</td>");
  REQUIRE(row != std::string::npos);
  const std::string text = page.substr(row, page.find("</tr>", row) - row);
  CHECK_THAT(text, Contains("GPU h</td>") && Contains(" times)") && !Contains(" d ") && !Contains("%"));
}
