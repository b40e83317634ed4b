// Results that lost their seal: refused, or read by a process that may end; no command ends by a signal.
#include <random>

#include <fmt/format.h>

#include "tests/support/catch.hpp"
#include "tests/support/run_program.hpp"

using namespace wattloop::tests;
using Catch::Matchers::Contains;

namespace {

/// The bytes before the seal, some of them changed, taken out or cut off: most of them in the first half, where HDF5 keeps its trees.
std::string damaged(const std::string& whole, unsigned seed) {
  std::mt19937 random(seed);
  std::string bytes = whole.substr(0, whole.rfind("\nwattloop results end: "));
  for (std::size_t left = 1 + random() % 5; left > 0; --left) {
    const std::size_t at =
        64 + random() % (random() % 3 == 0 ? bytes.size() - 64 : std::min<std::size_t>(bytes.size() - 64, 20'000));
    const std::size_t how = random() % 8;
    if (how == 0)
      bytes.resize(at);
    else if (how == 1)
      bytes.erase(at, 1 + random() % 64);
    else
      bytes[at] = how < 4 ? static_cast<char>(random()) : static_cast<char>(bytes[at] ^ (1 << random() % 8));
    if (bytes.size() < 200) break;
  }
  return bytes;
}

}  // namespace

TEST_CASE("results without a seal are refused, and with --trust no command ends by a signal", "[cli][damaged]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  folder.write("own.yaml", "extends: " WATTLOOP_SOURCE_DIR "/scenarios/one_rack.yaml\nduration: 40 s\n");
  REQUIRE(folder.run({"run", "own.yaml", "-q", "-o", "whole.h5"}).exit_code == 0);
  const std::string whole = file_text(folder / "whole.h5");
  const std::vector<std::vector<std::string>> commands{{"summary", "case.h5"},
                                                       {"events", "case.h5"},
                                                       {"report", "case.h5", "-o", "case.html", "--force"},
                                                       {"diagram", "states", "case.h5", "-o", "case.svg", "--force"},
                                                       {"compare", "whole.h5", "case.h5"},
                                                       {"run", "case.h5", "--no-results", "-q"}};
  for (unsigned seed = 1; seed <= 25; ++seed) {
    folder.write("case.h5", damaged(whole, seed));
    for (std::vector<std::string> command : commands) {
      INFO(seed << " " << command[0]);
      const Outcome refused = folder.run(command);
      CHECK((refused.exit_code == 4 || refused.exit_code == 1));
      command.emplace_back("--trust");
      const Outcome trusted = folder.run(command);
      CHECK(trusted.exit_code <= 5);
      CHECK((trusted.exit_code == 0 || !trusted.errors.empty()));
    }
  }
}

TEST_CASE("whole results that lost their seal are read where somebody trusts them", "[cli][damaged]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  folder.write("own.yaml", "extends: " WATTLOOP_SOURCE_DIR "/scenarios/one_rack.yaml\nduration: 20 s\n");
  REQUIRE(folder.run({"run", "own.yaml", "-q", "-o", "whole.h5"}).exit_code == 0);
  const std::string whole = file_text(folder / "whole.h5");
  folder.write("case.h5", whole.substr(0, whole.rfind("\nwattloop results end: ")));
  const Outcome refused = folder.run({"summary", "case.h5", "--full"});
  CHECK(refused.exit_code == 4);
  CHECK_THAT(refused.errors, Contains("file error: cannot read case.h5: its last line, a checksum, is missing") &&
                                 Contains("--trust reads it"));
  const Outcome trusted = folder.run({"summary", "case.h5", "--full", "--trust"});
  CHECK(trusted.errors.empty());
  CHECK(trusted.exit_code == 0);
  const std::string expected = folder.run({"summary", "whole.h5", "--full"}).output;
  CHECK(trusted.output.substr(0, trusted.output.rfind("results  ")) == expected.substr(0, expected.rfind("results  ")));
  const Outcome limited = folder.run({"summary", "case.h5", "--trust", "--limit", "pue <= 1.0"});
  CHECK(limited.exit_code == 3);
}
