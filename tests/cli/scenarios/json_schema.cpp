// `wattloop explain --schema`, judged by Python's jsonschema as editors judge: every scenario and study of the tree is
// valid, mistakes that a schema can see are not.
#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "tests/support/catch.hpp"
#include "tests/support/run_program.hpp"

using namespace wattloop::tests;
namespace fs = std::filesystem;

namespace {

Outcome check(const WorkFolder& folder, const std::string& expected, std::vector<std::string> files) {
  const Outcome schema = folder.run({"explain", "--schema"});
  REQUIRE(schema.exit_code == 0);
  folder.write("schema.json", schema.output);
  files.insert(files.begin(), {WATTLOOP_SOURCE_DIR "/tests/support/check_schema.py", folder / "schema.json", expected});
  const Outcome outcome = Process("/usr/bin/python3", files, folder.path()).wait();
  if (outcome.exit_code == 77) skip(outcome.output);
  return outcome;
}

/// Scenarios and studies, not devices, tariffs and other files of the library.
std::vector<std::string> files_of_the_tree() {
  std::vector<std::string> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(WATTLOOP_SOURCE_DIR "/scenarios")) {
    const std::string path = entry.path().string();
    const bool is_library = path.find("/hardware/") != path.npos || path.find("/tariffs/") != path.npos ||
                            path.find("/failures/") != path.npos || path.find("/job_mixes/") != path.npos;
    const bool is_calibration = path.ends_with("_fit.yaml");  // a language of its own
    if (path.ends_with(".yaml") && !is_library && !is_calibration) files.push_back(path);
  }
  return files;
}

}  // namespace

TEST_CASE("every scenario and study of the tree is valid by the schema", "[cli][schema]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  const std::vector<std::string> files = files_of_the_tree();
  REQUIRE(files.size() > 50);
  const Outcome outcome = check(folder, "good", files);
  INFO(outcome.output << outcome.errors);
  CHECK(outcome.exit_code == 0);
}

TEST_CASE("the schema sees unknown keys, missing ones, values without a unit and choices that are none",
          "[cli][schema]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  std::vector<std::string> files;
  const auto add = [&](const std::string& text) {
    files.push_back(fmt::format("bad_{}.yaml", files.size() + 1));
    folder.write(files.back(), text);
  };
  const std::string own = "format: 1\nextends: other.yaml\nduration: 20 s\n";
  for (const char* mistake : {
           "hall: { cooling: { loops: { volume: 60 } } }",
           "hall: { cooling: { loops: { volumne: 60 m3 } } }",
           "hall: { cooling: { loops: { coolant: oil } } }",
           "hall: { racks: { nodes: 2.5 } }",
           "hall: { racks: { count: 0 } }",
           "hall: { racks: { hardware: h100_node, with: { cold_plates: 3 } } }",
           "hall: { network: { traffic: lots } }",
           "hall: [ 1 ]",
           "trips: maybe",
           "wether: { day: summer }",
           "events: { at: 5 s, fail: cdu_1 }",
           "events: [ { at: 5 s, fial: cdu_1 } ]",
       })
    add(own + mistake + "\n");
  add("format: 1\nduration: 20 s\n");
  add("base: other.yaml\n");
  add("base: other.yaml\nkeep: [pue]\nchange: {}\n");
  add("base: other.yaml\nkeep: [pue]\nchanges: { supply: { pth: x, values: [1] } }\n");
  const Outcome outcome = check(folder, "bad", files);
  INFO(outcome.output << outcome.errors);
  CHECK(outcome.exit_code == 0);
}
