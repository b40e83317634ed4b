// Scenario files with mistakes in groups, parts and jobs: tests/unit/mistakes/*.yaml.
#include <algorithm>

#include "tests/support/files_of_mistakes.hpp"
#include "twin/actions/events/scheduled_events.hpp"
#include "twin/build/plant_builder.hpp"
#include "twin/planning/events/event_resolver.hpp"
#include "twin/planning/work/work.hpp"
#include "twin/scenario/scenario_reader.hpp"

using namespace wattloop;
using namespace wattloop::twin;

namespace {

namespace fs = std::filesystem;

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

}  // namespace

TEST_CASE("mistakes in groups, parts and jobs are reported all at once, as the files beside them say", "[mistakes]") {
  for (const fs::path& file : tests::files_with_mistakes(tests::mistakes_folder))
    tests::check_mistakes(file, problems_of(file));
}

TEST_CASE("forty files of mistakes there are at least, ten of them with three or more", "[mistakes]") {
  const std::vector<fs::path> files = tests::files_with_mistakes(tests::mistakes_folder);
  CHECK(files.size() >= 40);
  const auto several = std::ranges::count_if(files, [](const fs::path& file) { return problems_of(file).size() >= 3; });
  CHECK(several >= 10);
}

TEST_CASE("halls that the files of mistakes start from have none", "[mistakes]") {
  for (const auto& base : fs::directory_iterator(tests::mistakes_folder / "base"))
    CHECK(tests::mistakes_text(problems_of(base.path()), tests::mistakes_folder) == "");
}
