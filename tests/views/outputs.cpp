// Where pictures and exports go: to what links lead to, whole or not at all, with one sentence where a disk is full.
#include <filesystem>

#include "tests/support/catch.hpp"
#include "tests/support/run_program.hpp"
#include "tests/views/synthetic_run.hpp"

using namespace wattloop::tests;
using Catch::Matchers::Contains;
namespace fs = std::filesystem;

namespace {

struct Made {
  std::string command, output;
};

fs::path a_run() {
  return write_run(
      {.counts = {.rows = 1, .racks = 2, .nodes_per_rack = 2, .gpus_per_node = 8, .loops = 1, .cdus_per_loop = 1}},
      "outputs.h5");
}

std::size_t files_in(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), {}));
}

}  // namespace

TEST_CASE("a full disk leaves the earlier picture or export, and is reported in one sentence", "[outputs]") {
  const auto [command, output] = GENERATE(Made{"view a.h5", "a.png"}, Made{"export a.h5 --all -o a.xdmf2", "a.xdmf2"});
  const WorkFolder folder(WATTLOOP_PROGRAM);
  fs::copy_file(a_run(), folder / "a.h5");
  folder.write(output, "earlier");
  if (output.ends_with(".xdmf2")) folder.write("a.pvstate.py", "earlier");
  const std::size_t before = files_in(folder.path());
  const Outcome full =
      folder.run_shell("LD_PRELOAD=" WATTLOOP_FULL_DISK " ASAN_OPTIONS=verify_asan_link_order=0 $wattloop " + command);
  INFO(full.errors);
  CHECK(full.exit_code == 4);
  CHECK(full.errors == "file error: cannot write " + output + ": No space left on device\n");
  CHECK(file_text(folder / output.c_str()) == "earlier");
  CHECK(files_in(folder.path()) == before);
  CHECK(folder.run_shell("$wattloop " + command).exit_code == 0);
  CHECK(file_text(folder / output.c_str()) != "earlier");
  CHECK(files_in(folder.path()) == before);
}

TEST_CASE("pictures and exports go where links lead, and replace no device", "[outputs]") {
  const auto [command, output] = GENERATE(Made{"view a.h5", "link.png"}, Made{"export a.h5", "link.xdmf2"});
  const WorkFolder folder(WATTLOOP_PROGRAM);
  fs::copy_file(a_run(), folder / "a.h5");
  fs::create_directory(folder / "kept");
  const fs::path target = folder.path() / "kept" / output;
  fs::create_symlink("kept/" + output, folder.path() / output);
  const Outcome first = folder.run_shell("$wattloop " + command + " -o " + output);
  CHECK(first.exit_code == 0);
  CHECK(first.output.starts_with(output + ": "));
  CHECK(fs::is_symlink(folder.path() / output));
  REQUIRE(fs::is_regular_file(target));
  if (output.ends_with(".xdmf2")) {  // which is found from either folder
    CHECK_THAT(file_text(target), Contains(">" + (fs::canonical(folder.path()) / "a.h5").string() + ":/"));
  }
  fs::remove(folder.path() / output);
  fs::create_symlink("/dev/null", folder.path() / output);
  const Outcome device = folder.run_shell("$wattloop " + command + " -o " + output);
  CHECK(device.exit_code == 4);
  CHECK(device.errors == "file error: cannot write " + output + ": it is a device or a pipe\n");
  CHECK(fs::is_character_file("/dev/null"));
}
