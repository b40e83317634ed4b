// Rooms, loops and sensors that take days or years by themselves come to rest where quick ones do: how long it takes is not
// what the steady state is about.
#include <string>

#include "tests/support/catch.hpp"
#include "tests/support/run_program.hpp"

using namespace wattloop::tests;
using Catch::Matchers::Contains;

TEST_CASE("a hall that takes years to come to rest starts at rest, where a quick one is", "[cli][steady]") {
  const std::string change =
      GENERATE(as<std::string>{}, "hall.cooling.room.mass_heat_capacity=1e9 J/K", "hall.cooling.room.volume=1e7 m3",
               "hall.cooling.room.mass_heat_capacity=1e12 J/K", "hall.cooling.loops.volume=1e4 m3",
               "hall.cooling.loops.with.sensor_lag=1e12 s", "hall.cooling.room.mass_conductance=1 W/K");
  const std::string one_rack = WATTLOOP_SOURCE_DIR "/scenarios/one_rack.yaml";
  const WorkFolder folder(WATTLOOP_PROGRAM);
  INFO(change);
  const Outcome run =
      folder.run({"run", one_rack, "--quiet", "--no-results", "--full", "--set", "duration=10 s", "--set", change});
  CHECK(run.errors.empty());
  CHECK(run.exit_code == 0);
  CHECK_THAT(run.output, Contains("  hottest die        57.85 degC at ") && Contains(" degC to 23.77 degC"));
  const Outcome check = folder.run({"check", one_rack, "--set", change});
  CHECK(check.exit_code == 0);
  CHECK_THAT(check.output, Contains("ratings are consistent at nameplate load\n"));
}
