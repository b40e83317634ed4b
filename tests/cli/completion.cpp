// `wattloop completion`: the scripts run in the shells that they are for; what these then offer is compared with --help.
#include <fmt/format.h>

#include <filesystem>

#include "tests/support/catch.hpp"
#include "tests/support/run_program.hpp"

using namespace wattloop::tests;
using Catch::Matchers::Contains;

namespace {

/// What bash offers for words, the last of which is being written.
std::string offered(const WorkFolder& folder, const std::string& words) {
  const Outcome outcome = folder.run_shell(
      "bash -c 'eval \"$($0 completion bash)\"; complete -p wattloop >/dev/null || exit 1; COMP_WORDS=($0 " + words +
      "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _wattloop; printf \"%s\\n\" \"${COMPREPLY[@]}\"' $wattloop");
  INFO(outcome.errors);
  CHECK(outcome.exit_code == 0);
  return outcome.output;
}

bool has_shell(const std::string& name) { return std::filesystem::exists("/usr/bin/" + name); }

}  // namespace

TEST_CASE("bash completes commands, options and files", "[cli][completion]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  folder.write("hall one.yaml", "");
  CHECK(offered(folder, "ch") == "check\n");
  CHECK(offered(folder, "re") == "resume\nreport\n");
  CHECK(offered(folder, "run --check") == "--checkpoint\n");
  CHECK(offered(folder, "run a.yaml --th") == "--threads\n");
  CHECK(offered(folder, "run hall") == "hall one.yaml\n");
  CHECK(offered(folder, "import ha") == "hall\nhall one.yaml\n");
  CHECK(offered(folder, "import hall --fo") == "--force\n");
  CHECK(offered(folder, "export a.h5 --fr") == "--frames\n--from\n");  // of the program of the views
  CHECK(offered(folder, "nothing --fo") == "\n");
}

TEST_CASE("bash is told every option that the help tells", "[cli][completion]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  for (const char* command : {"run", "resume", "check", "explain", "study", "search", "audit", "summary", "compare",
                              "events", "report", "view", "export"}) {
    const std::string names = "grep -oE -- '^ +(-[a-z],)?--[a-z-]+' | grep -oE -- '--[a-z-]+' | sort -u";
    const Outcome told = folder.run_shell(fmt::format("$wattloop {} --help | {}", command, names));
    const std::string shown = offered(folder, fmt::format("{} --", command));
    std::size_t count = 0;
    for (std::size_t at = 0; at < told.output.size(); ++count) {
      const std::size_t end = told.output.find('\n', at);
      INFO(command << " " << told.output.substr(at, end - at));
      CHECK_THAT("\n" + shown, Contains("\n" + told.output.substr(at, end - at) + "\n"));
      at = end + 1;
    }
    INFO(command);
    CHECK(count >= 2);
  }
}

TEST_CASE("fish completes, and zsh takes its script", "[cli][completion]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  if (!has_shell("fish") || !has_shell("zsh")) skip("fish or zsh is not here");
  folder.write("wattloop.fish", folder.run({"completion", "fish"}).output);
  const Outcome fish = folder.run_shell(
      "HOME=$PWD fish -c 'source wattloop.fish; complete -C \"wattloop run --check\"; complete -C \"wattloop expl\"'");
  INFO(fish.errors);
  CHECK_THAT(fish.output, Contains("--checkpoint\t"));
  CHECK_THAT(fish.output, Contains("explain\t"));
  folder.write("wattloop.zsh", folder.run({"completion", "zsh"}).output);
  const Outcome zsh = folder.run_shell("HOME=$PWD zsh -f -c 'source ./wattloop.zsh && print $_comps[wattloop]'");
  INFO(zsh.errors);
  CHECK_THAT(zsh.output, Contains("_wattloop"));
}

TEST_CASE("the man page names every command, and groff has nothing to say against it", "[cli][completion]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  if (!has_shell("groff")) skip("groff is not here");
  folder.write("wattloop.1", folder.run({"manual"}).output);
  const Outcome page = folder.run_shell("groff -man -ww -Tascii -P-c wattloop.1 | sed 's/.\\x08//g'");
  CHECK(page.exit_code == 0);
  CHECK(page.errors == "");
  for (const char* words : {"--relative-tolerance", "import hall", "wattloop view --help", "scenarios/one_rack.yaml"})
    CHECK_THAT(page.output, Contains(words));
}

TEST_CASE("a shell that is none is refused", "[cli][completion]") {
  const Outcome outcome = WorkFolder(WATTLOOP_PROGRAM).run({"completion", "tcsh"});
  CHECK(outcome.exit_code == 1);
  CHECK_THAT(outcome.errors, Contains("tcsh not in {bash,zsh,fish}"));
}
