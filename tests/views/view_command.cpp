// Mistakes on the command line of `view`, and files that cannot be drawn or written.
#include "viz/commands/view_command.hpp"

#include <CLI/CLI.hpp>
#include <fstream>

#include "core/text/problem.hpp"
#include "tests/support/catch.hpp"
#include "tests/views/synthetic_run.hpp"
#include "viz/drawing/image.hpp"

using namespace wattloop;
using namespace wattloop::tests;
using namespace wattloop::viz;
using Catch::Matchers::Contains;

namespace {

const std::filesystem::path& rack_run() {
  static const std::filesystem::path file = write_run({}, "command");
  return file;
}

}  // namespace

TEST_CASE("view refuses a time outside of the run and says what was recorded", "[view]") {
  CHECK_THROWS_AS(view({.results = rack_run(), .at = "2 h"}), InputError);
  CHECK_THROWS_WITH(view({.results = rack_run(), .at = "2 h"}), Contains("0 s to 10 min"));
  CHECK_THROWS_AS(view({.results = rack_run(), .at = "-5 s"}), InputError);
  CHECK_THROWS_AS(view({.results = rack_run(), .at = "5 kW"}), InputError);
}

TEST_CASE("view refuses fields, sizes and files that it cannot draw", "[view]") {
  CHECK_THROWS_WITH(view({.results = rack_run(), .field = "colour"}), Contains("of racks: die_temperature, power"));
  for (const char* size : {"1600", "1600x", "x1000", "1600x1000x3", "10x10", "99999x99999", "-1600x1000"})
    CHECK_THROWS_AS(view({.results = rack_run(), .size = size}), InputError);
  CHECK_THROWS_AS(view({.results = rack_run(), .output = "picture.jpg"}), InputError);
  CHECK_THROWS_AS(view({.results = "no_such_file.h5"}), FileError);
}

TEST_CASE("view says when a file has no layout, and when a field was not recorded", "[view]") {
  SyntheticRun run;
  run.has_layout = false;
  CHECK_THROWS_WITH(view({.results = write_run(run, "no_layout")}), Contains("no layout"));
}

TEST_CASE("a rack without recorded GPUs is drawn as a rack", "[view]") {
  SyntheticRun run;
  run.has_gpus = false;
  CHECK(view({.results = write_run(run, "no_gpus")}) == 0);
}

TEST_CASE("an output below a file is a file error and leaves the file as it was", "[view]") {
  const std::filesystem::path file = rack_run().parent_path() / "plain_file";
  std::ofstream(file) << "kept";
  CHECK_THROWS_AS(view({.results = rack_run(), .output = file / "picture.png"}), FileError);
  std::string text;
  std::ifstream(file) >> text;
  CHECK(text == "kept");
}

TEST_CASE("the subcommand view passes its options on", "[view]") {
  CLI::App program;
  std::function<int()> action;
  add_view_command(program, action);
  const std::filesystem::path picture = rack_run().parent_path() / "passed_on.png";
  program.parse("view " + rack_run().string() + " -o " + picture.string() + " --at 5min --size 1000x625");
  REQUIRE(action() == 0);
  const Image image = read_png(picture);
  CHECK(image.width == 1000);
  CHECK(image.height == 625);
  std::ifstream file(picture, std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(file), {});
  CHECK_THAT(bytes, Contains("A run that never was") && Contains("Command") && Contains("Software"));
}
