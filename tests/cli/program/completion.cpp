// `wattloop completion`: the scripts run in the shells that they are for; what these then offer is compared with --help.
#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <sstream>

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

/// Terms and texts of a section of the man page, which is written in the macros of man(7): without what escapes hyphens and dots.
std::map<std::string, std::string> section_of(const std::string& page, const std::string& name) {
  const std::size_t begin = page.find(".SH " + name + "\n");
  if (begin == std::string::npos) return {};
  std::istringstream lines(
      std::regex_replace(page.substr(begin, page.find("\n.SH ", begin) - begin), std::regex(R"(\\&?)"), ""));
  std::map<std::string, std::string> texts;
  for (std::string line, term; std::getline(lines, line);) {
    if (line.starts_with(".B "))
      term = line.substr(3);
    else if (!line.starts_with("."))
      texts[term] = line;
  }
  return texts;
}

/// Exit codes and what they mean in docs/first_run.md, without links and quotes of code.
std::map<std::string, std::string> documented_exit_codes() {
  std::istringstream lines(file_text(WATTLOOP_SOURCE_DIR "/docs/first_run.md"));
  std::map<std::string, std::string> codes;
  bool is_table = false;
  for (std::string line; std::getline(lines, line);) {
    is_table = line == "| code | meaning |" || (is_table && line.starts_with("|"));
    std::smatch row;
    if (!is_table || !std::regex_match(line, row, std::regex(R"(\| (\d+) \| (.+) \|)"))) continue;
    codes[row[1]] = std::regex_replace(row[2].str(), std::regex(R"( \(\[[^\]]*\]\([^)]*\)\)|`)"), "");
  }
  return codes;
}

/// Names that the sources of the program give to getenv().
std::set<std::string> variables_in_sources() {
  std::set<std::string> names;
  const std::regex asked(R"rule(getenv\("(\w+)"\))rule");
  for (const char* folder : {"core", "twin", "viz"}) {
    for (const auto& file :
         std::filesystem::recursive_directory_iterator(std::filesystem::path(WATTLOOP_SOURCE_DIR) / folder)) {
      if (file.path().extension() != ".cpp") continue;
      const std::string text = file_text(file.path());
      for (std::sregex_iterator at(text.begin(), text.end(), asked), end; at != end; ++at) names.insert((*at)[1]);
    }
  }
  return names;
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
  CHECK(offered(folder, "import telemetry a.csv --fo") == "--format\n--force\n");
  CHECK(offered(folder, "import tele") == "telemetry\n");
  CHECK(offered(folder, "export a.h5 --fr") == "--frames\n--from\n");  // of the program of the views
  CHECK(offered(folder, "nothing --fo") == "\n");
}

TEST_CASE("bash is reported every option that the help reports", "[cli][completion]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  for (const char* command : {"run", "resume", "check", "explain", "study", "search", "audit", "summary", "compare",
                              "events", "jobs", "report", "view", "export"}) {
    const std::string names = "grep -oE -- '^ +(-[a-z],)?--[a-z-]+' | grep -oE -- '--[a-z-]+' | sort -u";
    const Outcome reported = folder.run_shell(fmt::format("$wattloop {} --help | {}", command, names));
    const std::string shown = offered(folder, fmt::format("{} --", command));
    std::size_t count = 0;
    for (std::size_t at = 0; at < reported.output.size(); ++count) {
      const std::size_t end = reported.output.find('\n', at);
      INFO(command << " " << reported.output.substr(at, end - at));
      CHECK_THAT("\n" + shown, Contains("\n" + reported.output.substr(at, end - at) + "\n"));
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
  for (const char* words : {"--relative-tolerance", "import hall", "wattloop view --help", "EXIT STATUS", "ENVIRONMENT",
                            "FILES", "scenarios/one_rack.yaml"})
    CHECK_THAT(page.output, Contains(words));
}

TEST_CASE("the man page has the exit codes of docs/first_run.md", "[cli][completion]") {
  const auto printed = section_of(WorkFolder(WATTLOOP_PROGRAM).run({"manual"}).output, "EXIT STATUS");
  CHECK(printed.size() == 8);
  CHECK(printed == documented_exit_codes());
}

TEST_CASE("the man page names every environment variable that the program reads", "[cli][completion]") {
  std::string terms;
  for (const auto& [term, text] : section_of(WorkFolder(WATTLOOP_PROGRAM).run({"manual"}).output, "ENVIRONMENT"))
    terms += ", " + term;
  terms += ",";
  std::set<std::string> names = variables_in_sources();
  CHECK(names.size() >= 8);
  names.insert({"WATTLOOP_ISA", "WATTLOOP_TRUST_RESULTS", "GLIBC_TUNABLES", "SLURM_PROCID", "PMI_RANK"});
  for (const std::string& name : names) CHECK_THAT(terms, Contains(", " + name + ","));
}

TEST_CASE("the man page names the files of a run and the library", "[cli][completion]") {
  const auto files = section_of(WorkFolder(WATTLOOP_PROGRAM).run({"manual"}).output, "FILES");
  for (const char* name : {"results/NAME.h5", "NAME.h5.lock", "../share/wattloop"}) CHECK(files.contains(name));
}

TEST_CASE("a shell that is none is refused", "[cli][completion]") {
  const Outcome outcome = WorkFolder(WATTLOOP_PROGRAM).run({"completion", "tcsh"});
  CHECK(outcome.exit_code == 1);
  CHECK_THAT(outcome.errors, Contains("tcsh not in {bash,zsh,fish}"));
}
