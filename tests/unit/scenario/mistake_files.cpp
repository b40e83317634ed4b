// Scenario files with mistakes in groups and parts, each with all that is said of it beside it: tests/unit/mistakes/*.yaml and *.txt.
//
// A changed message is seen here. Where it is meant, WATTLOOP_WRITE_MISTAKES=1 writes the texts anew; read what changed in them.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "core/text/problem.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/run_program.hpp"
#include "twin/actions/events/scheduled_events.hpp"
#include "twin/actions/work/work.hpp"
#include "twin/build/plant_builder.hpp"
#include "twin/scenario/scenario_reader.hpp"

using namespace wattloop;
using namespace wattloop::twin;

namespace {

namespace fs = std::filesystem;

const fs::path folder = fs::path(WATTLOOP_SOURCE_DIR) / "tests" / "unit" / "mistakes";

std::vector<fs::path> files_with_mistakes() {
  std::vector<fs::path> files;
  for (const auto& file : fs::directory_iterator(folder)) {
    if (file.path().extension() == ".yaml") files.push_back(file.path());
  }
  std::ranges::sort(files);
  return files;
}

std::vector<Problem> problems_of(const fs::path& file) {
  try {
    const Scenario scenario = read_scenario(file);
    const Plant plant = build_plant(scenario);
    Problems problems;
    schedule_events(scenario, plant, problems);
    if (problems.all().empty()) make_work(scenario);
    return problems.all();
  } catch (const InputError& error) {
    return error.problems();
  }
}

/// As the program prints them, with names of files from this folder on.
std::string text_of(const std::vector<Problem>& problems) {
  std::string text;
  for (const Problem& problem : problems) text += format_problem(problem);
  const std::string prefix = folder.string() + "/";
  for (std::size_t at = text.find(prefix); at != std::string::npos; at = text.find(prefix, at))
    text.erase(at, prefix.size());
  return text;
}

}  // namespace

TEST_CASE("mistakes in groups and parts are reported all at once, as the files beside them say", "[mistakes]") {
  const char* writes = std::getenv("WATTLOOP_WRITE_MISTAKES");
  for (const fs::path& file : files_with_mistakes()) {
    INFO(file.filename().string());
    const std::string reported = text_of(problems_of(file));
    const fs::path expected = fs::path(file).replace_extension(".txt");
    if (writes != nullptr) std::ofstream(expected) << reported;
    CHECK(reported == tests::file_text(expected));
    CHECK_FALSE(reported.empty());
  }
}

TEST_CASE("forty files of mistakes there are at least, ten of them with three or more", "[mistakes]") {
  const std::vector<fs::path> files = files_with_mistakes();
  CHECK(files.size() >= 40);
  const auto several = std::ranges::count_if(files, [](const fs::path& file) { return problems_of(file).size() >= 3; });
  CHECK(several >= 10);
}

TEST_CASE("halls that the files of mistakes start from have none", "[mistakes]") {
  for (const auto& base : fs::directory_iterator(folder / "base")) CHECK(text_of(problems_of(base.path())) == "");
}
