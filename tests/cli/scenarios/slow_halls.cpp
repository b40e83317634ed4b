// Rooms, loops and sensors that take days or years by themselves come to rest where quick ones do: how long it takes is not
// what the steady state is about.
#include <string>
#include <tuple>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/run_program.hpp"
#include "twin/results/reader/results_reader.hpp"

using namespace wattloop::tests;
using Catch::Matchers::Contains;

TEST_CASE("a hall that takes years to come to rest starts in steady state, where a quick one is", "[cli][steady]") {
  const std::string change =
      GENERATE(as<std::string>{}, "hall.cooling.room.mass_heat_capacity=1e9 J/K", "hall.cooling.room.volume=1e7 m3",
               "hall.cooling.room.mass_heat_capacity=1e12 J/K", "hall.cooling.loops.volume=1e4 m3",
               "hall.cooling.loops.with.sensor_lag=1e12 s", "hall.cooling.room.mass_conductance=1 W/K");
  const WorkFolder folder(WATTLOOP_PROGRAM);
  INFO(change);
  const Outcome run = folder.run({"run", one_rack, "--quiet", "--no-results", "--full", "--set", "duration=10 s",
                                  "--set", "initial=steady", "--set", change});
  CHECK(run.errors.empty());
  CHECK(run.exit_code == 0);
  CHECK_THAT(run.output, Contains("  hottest die        57.85 degC at ") && Contains(" degC to 23.77 degC"));
  const Outcome check = folder.run({"check", one_rack, "--set", change});
  CHECK(check.exit_code == 0);
  CHECK_THAT(check.output, Contains("ratings are consistent at nameplate load\n"));
}

// One rack to three CDUs, whose valves are all but shut: what bold steps throw into their stops comes to rest by careful
// ones. Against a start from cold, eight hours later: whatever the state was, it is gone, but for batteries, which follow the air in five hours and are left out. After four 3 kW still come from
// the basins of towers, which chillers feel.
TEST_CASE("a hall far too small for its plant starts at the rest that it comes to from cold", "[cli][steady]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  const std::string racks = GENERATE(as<std::string>{}, "4", "8");
  for (const char* initial : {"steady", "cold"}) {
    const Outcome run =
        folder.run({"run", WATTLOOP_SOURCE_DIR "/scenarios/h100_10k.yaml", "--quiet", "-o",
                    std::string(initial) + ".h5", "--set", "hall.racks.rows=1", "--set", "hall.racks.count=" + racks,
                    "--set", "workload={kind: constant, node_power: 8 kW}", "--set", std::string("initial=") + initial,
                    "--set", "duration=8 h", "--set", "record={facility: 1 min, racks: 1 min}", "--set",
                    "power.ups.with={battery_heat_capacity: 0 J/K}"});
    INFO(run.errors);
    REQUIRE(run.exit_code == 0);
  }
  const wattloop::twin::ResultsReader steady(folder / "steady.h5"), cold(folder / "cold.h5");
  const auto last = [](const wattloop::twin::ResultsReader& results, const char* group, const char* column) {
    return static_cast<double>(results.series(group, column).back());
  };
  for (const auto& [group, column, tolerance] : {std::tuple{"facility", "max_die_temperature", 0.01},
                                                 {"racks", "supply_temperature", 0.01},
                                                 {"cdus", "facility_return_temperature", 0.01},
                                                 {"rooms", "temperature", 0.02},
                                                 {"facility", "power", 10.0}}) {
    INFO(group << " " << column);
    CHECK(last(steady, group, column) == Approx(last(cold, group, column)).margin(tolerance));
  }
  const std::vector<float> dies_k = steady.series("facility", "max_die_temperature");
  CHECK(static_cast<double>(dies_k.front()) ==
        Approx(static_cast<double>(dies_k.back())).margin(0.005));  // of a constant load
}
