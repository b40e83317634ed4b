// What README reports a reader to type works, typed in its order.
#include <cstdlib>
#include <regex>
#include <string>
#include <vector>

#include "tests/architecture/planted_project.hpp"
#include "tests/architecture/snippets.hpp"
#include "tests/support/catch.hpp"

namespace wattloop::tests {

namespace {

const std::filesystem::path program_folder = std::filesystem::path(WATTLOOP_PROGRAM).parent_path();

const TextFile& readme_of(const Project& project) {
  for (const TextFile& file : project.files) {
    if (file.path == "README.md") return file;
  }
  throw std::runtime_error("the project has no README.md");
}

std::string text_of(const Violations& violations) {
  std::string text;
  for (const std::string& one : violations) text += one + "\n";
  return text;
}

/// Follows a README of one console block in a project that has the scenarios of this one.
Violations follow_console(const std::string& block) {
  PlantedProject planted;
  std::filesystem::create_directory_symlink(std::filesystem::path(WATTLOOP_SOURCE_DIR) / "scenarios",
                                            planted.root() / "scenarios");
  planted.plant("README.md", "text\n```console\n" + block + "```\n");
  const Project project = planted.read();
  return follow_document(project, readme_of(project), planted.root(), program_folder);
}

}  // namespace

TEST_CASE("the commands of README work on the scenarios that it names") {
  reference_data();
  PlantedProject folder;
  std::filesystem::create_directory_symlink(std::filesystem::path(WATTLOOP_SOURCE_DIR) / "scenarios",
                                            folder.root() / "scenarios");
  std::filesystem::create_directory(folder.root() / "results");
  const Project project = read_project(WATTLOOP_SOURCE_DIR);
  CHECK(text_of(follow_document(project, readme_of(project), folder.root(), program_folder)) == "");
}

TEST_CASE("tests that docs/reading_logs.md names for readers and kinds are there") {
  const Project project = read_project(WATTLOOP_SOURCE_DIR);
  std::string tests;
  std::vector<std::string> names;
  const std::regex quoted("\"([^\"]{20,})\"");
  for (const TextFile& file : project.files) {
    const bool is_page = file.path == "docs/reading_logs.md";
    for (const std::string& line : file.lines) {
      if (file.path.starts_with("tests/")) tests += line;
      for (auto at = std::sregex_iterator(line.begin(), line.end(), quoted); is_page && at != std::sregex_iterator();
           ++at)
        names.push_back((*at)[1]);
    }
  }
  CHECK(names.size() > 20);
  for (const std::string& name : names) {
    INFO(name);
    CHECK(tests.find("TEST_CASE(\"" + name + "\"") != std::string::npos);
  }
}

TEST_CASE("a command that does not work, and an output that changed, are found") {
  CHECK(follow_console("$ wattloop --help    # shows help\n").empty());
  CHECK(follow_console("$ ls\n$ git status\n").empty());
  CHECK(follow_console("$ wattloop run scenarios/no_such_scenario.yaml\n").size() == 1);
  CHECK(follow_console("$ wattloop run scenarios/one_rack.yaml --no-such-option 1\n").size() == 1);
  CHECK(follow_console("$ wattloop --help\n1 problem in nothing\n").size() == 1);
  CHECK(follow_console("$ wattloop check no_such.yaml\n1 problem in elsewhere.yaml\n").size() == 1);
  CHECK(follow_console("$ scripts/no_such_script\n").size() == 1);
}

}  // namespace wattloop::tests
