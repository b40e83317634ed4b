// The library of studies: each is read with all that it stands for, and its page has its question, its answer and a picture.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include "core/text/problem.hpp"
#include "tests/support/catch.hpp"
#include "twin/search/search_plan.hpp"
#include "twin/study/plan/study_base.hpp"

using namespace wattloop;
using namespace wattloop::twin;
namespace fs = std::filesystem;

namespace {

const fs::path library = fs::path(WATTLOOP_SOURCE_DIR) / "scenarios/studies";

std::string text_of(const fs::path& file) {
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

std::vector<fs::path> studies() {
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(library)) {
    if (entry.path().extension() == ".yaml") found.push_back(entry.path());
  }
  std::ranges::sort(found);
  return found;
}

/// How many runs it is, a search the first of its trials; throws with all its mistakes.
std::size_t runs_of(const fs::path& file) {
  Problems problems;
  Study study = read_study(file, problems);
  problems.throw_if_any(file.string());
  const StudyBase base = read_base(study, {});
  const bool is_search = !study.search.is_null();
  if (is_search) read_search(study, problems);
  const std::size_t runs = is_search ? plan_search(std::move(study), base, problems).plan.runs.size()
                                     : plan_study(std::move(study), base, problems).runs.size();
  problems.throw_if_any(file.string());
  return runs;
}

/// What stands below each heading of the second order, with it.
std::vector<std::string> sections(const std::string& page) {
  std::vector<std::string> found;
  for (std::size_t at = page.find("\n## "); at != std::string::npos;) {
    const std::size_t next = page.find("\n## ", at + 1);
    found.push_back(page.substr(at + 1, next - at - 1));
    at = next;
  }
  return found;
}

}  // namespace

TEST_CASE("studies of the library have no mistakes", "[study][library]") {
  REQUIRE(studies().size() > 15);
  const bool has_data = std::getenv("WATTLOOP_REFERENCE_DATA") != nullptr;
  for (const fs::path& file : studies()) {
    if (!has_data && text_of(file).find("${WATTLOOP_REFERENCE_DATA}") != std::string::npos) continue;
    INFO(file.filename().string());
    CHECK(runs_of(file) > 1);
  }
}

TEST_CASE("each study of the library has its question, answer and picture on its page", "[study][library]") {
  const std::vector<std::string> reported = sections(text_of(library / "README.md"));
  for (const fs::path& file : studies()) {
    const std::string name = "`" + file.filename().string() + "`";
    INFO(name);
    const auto own = std::ranges::find_if(reported, [&](const std::string& section) {
      return section.substr(0, section.find('\n')).find(name) != std::string::npos;
    });
    REQUIRE(own != reported.end());
    CHECK(own->substr(0, own->find('\n')).find('?') != std::string::npos);
    CHECK(own->find("**") != std::string::npos);  // the answer in a few words
    const std::size_t picture = own->find("](", own->find("!["));
    REQUIRE(picture != std::string::npos);
    CHECK(fs::exists(library / own->substr(picture + 2, own->find(')', picture) - picture - 2)));
  }
}
