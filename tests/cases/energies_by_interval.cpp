// Energies of a run do not depend on the interval of its records: a winter's quarter of a day of a hall that `wattloop new` sizes, at
// constant work, so that windows are as long as they get while the fans of towers and dampers move.
//
// Tolerance 2e-7 of what leaves the hall; it was 2e-6 where samples of 600 s were taken at the mean of their states.

#include <array>

#include <nlohmann/json.hpp>

#include "tests/support/catch.hpp"
#include "tests/support/run_program.hpp"

using namespace wattloop::tests;

TEST_CASE("heat that leaves a hall does not depend on the interval of records", "[recorded_energies][winter]") {
  const std::string weather = reference_data() + "/weather/USA_IL_Chicago-OHare.Intl.AP.725300_TMY3.epw";
  const WorkFolder folder(WATTLOOP_PROGRAM);
  const Outcome made = folder.run({"new", "--gpus", "2560", "--hardware", "hgx_h100_liquid", "--cooling", "warm_water",
                                   "--redundancy", "N+1", "--weather", weather, "-o", "hall.yaml"});
  INFO(made.errors);
  REQUIRE(made.exit_code == 0);
  std::array<double, 2> rejected_j{};
  const std::array<std::string, 2> intervals{"15 s", "1 h"};
  for (std::size_t k = 0; k < intervals.size(); ++k) {
    const Outcome run = folder.run({"run", "hall.yaml", "--no-results", "-q", "--json", "--set",
                                    "start=\"2026-01-03T00:00:00\"", "--set", "duration=6 h", "--set",
                                    "workload={ kind: constant }", "--set", "record.facility=" + intervals[k]});
    INFO(run.errors);
    REQUIRE(run.exit_code == 0);
    const nlohmann::json figures = nlohmann::json::parse(run.output);
    rejected_j[k] = figures.at("rejected_energy").at("value").get<double>();
    const double in_j = figures.at("facility_energy").at("value").get<double>(),
                 stored_j = figures.at("stored_energy").at("value").get<double>();
    CHECK(in_j - stored_j == Approx(rejected_j[k]).epsilon(2e-7));
  }
  CHECK(rejected_j[1] == Approx(rejected_j[0]).epsilon(2e-7));
}
