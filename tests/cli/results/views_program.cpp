// Pictures are made by a program of their own, so that no other command loads what they need.
#include <filesystem>

#include "tests/support/catch.hpp"
#include "tests/support/run_program.hpp"

using namespace wattloop::tests;
using Catch::Matchers::Contains;
namespace fs = std::filesystem;

TEST_CASE("only view and export load VTK, and say where it is looked for", "[cli][views]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  const bool has_levels = fs::exists(WATTLOOP_PROGRAM "_v2");
  REQUIRE(folder
              .run_shell(std::string("export LD_TRACE_LOADED_OBJECTS=1; $wattloop >started; ${wattloop}") +
                         (has_levels ? "_v2" : "") + " >libraries; ${wattloop}_views >theirs")
              .exit_code == 0);
  if (has_levels) CHECK_THAT(file_text(folder / "started"), !Contains("libhdf5") && !Contains("libstdc++"));
  CHECK_THAT(file_text(folder / "libraries"), Contains("libhdf5") && !Contains("libvtk"));
  CHECK_THAT(file_text(folder / "theirs"), Contains("libvtk"));
  for (const std::string command : {"view", "export"}) {
    const Outcome help = folder.run({command, "--help"});
    CHECK(help.exit_code == 0);
    CHECK_THAT(help.output, Contains("wattloop " + command + " [OPTIONS] results"));
  }
  CHECK_THAT(folder.run({"--help"}).output,
             Contains("Draw a run: the hall at one time") && Contains("Let ParaView play"));

  fs::create_directories(folder / "bin");
  fs::copy_file(WATTLOOP_PROGRAM, folder / "bin/wattloop");
  fs::create_directories(folder / "libexec/wattloop");
  for (const char* level : {"_v2", "_v3", "_v4"}) {
    if (fs::exists(WATTLOOP_PROGRAM + std::string(level)))
      fs::copy_file(WATTLOOP_PROGRAM + std::string(level), folder / "libexec/wattloop/wattloop" += level);
  }
  const Outcome alone = folder.run_shell("bin/wattloop view some.h5; echo $? >code");
  CHECK(file_text(folder / "code") == "4\n");
  CHECK_THAT(alone.errors, Contains("the program that makes pictures is not installed: there is neither ") &&
                               Contains("bin/wattloop_views nor ") && Contains("libexec/wattloop/wattloop_views"));
  fs::copy_file(WATTLOOP_PROGRAM "_views", folder / "libexec/wattloop/wattloop_views");
  CHECK_THAT(folder.run_shell("bin/wattloop view some.h5").errors, Contains("cannot read some.h5"));
}
