// What is said of waterside economisers that cannot be: where, and what would be right.
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"
#include "twin/build/plant_builder.hpp"
#include "twin/run/recording/recorder.hpp"
#include "twin/scenario/scenario_reader.hpp"

using namespace wattloop;
using namespace wattloop::twin;

namespace {

using Texts = std::vector<std::string>;

const std::filesystem::path hall_10k = std::filesystem::path(WATTLOOP_SOURCE_DIR) / "scenarios/h100_10k.yaml";

const std::string warm = "warm: {from: chilled_water.return, to: chilled_water.return}";
const std::string cold = "cold: {from: facility.supply, to: facility.return}";

/// Outside of the library.
const std::string by_hand =
    "kind: plate_exchanger, rated_heat: 2500 kW, conductance: 833 kW/K, warm_design_flow: 119.6 kg/s, "
    "cold_design_flow: 119.6 kg/s, warm_volume: 0.5 m3, cold_volume: 0.5 m3, pump_pressure: 80 kPa, ";

std::string plates(const std::string& sides) {
  return "parts={plates: {hardware: plate_exchanger_2500kw, count: 2, " + sides + "}}";
}

std::string economiser(const std::string& what, const std::string& name = "saver") {
  return "sequences={" + name + ": {kind: waterside_economiser, " + what + "}}";
}

std::vector<Problem> problems_in(const Texts& overrides) {
  try {
    build_plant(read_scenario(hall_10k, overrides));
  } catch (const InputError& error) {
    return error.problems();
  }
  return {};
}

/// The first, as "message | hint".
std::string first(const Texts& overrides) {
  const std::vector<Problem> problems = problems_in(overrides);
  return problems.empty() ? "" : problems.front().message + " | " + problems.front().hint;
}

std::string first_of(const std::string& what) { return first({plates(warm + ", " + cold), economiser(what)}); }

}  // namespace

TEST_CASE("an economiser moves its exchangers, and chillers that make the same water", "[economiser][sequences]") {
  const Plant plant =
      build_plant(read_scenario(hall_10k, {plates(warm + ", " + cold), economiser("exchanger: plates")}));
  REQUIRE(plant.economisers.size() == 1);
  const PlannedEconomiser& planned = plant.economisers.front();
  REQUIRE(planned.exchangers.size() == 2);
  CHECK(plant.motor_groups[planned.exchangers[1].motor_group].name == "plates_2");
  CHECK(plant.input_names[planned.exchangers[1].cold_valve_input] == "plates_2.cold_valve");
  CHECK(planned.exchangers[0].to_supply_input.has_value());
  CHECK(planned.can_precool);
  CHECK(planned.cools_rooms);       // its towers cool CDUs
  CHECK(planned.cools_condensers);  // and chillers
  REQUIRE(planned.machines.size() == 1);
  CHECK(plant.motor_groups[planned.machines.front().motor_group].name == "chillers");
  CHECK(planned.machines.front().each_carries_w == Approx(0.6 * 1250e3));
  CHECK(planned.dew_point_k == 288.15);
  CHECK(planned.back.size() == 208);  // 200 doors and eight air handlers
}

TEST_CASE("an exchanger beside chillers cannot precool", "[economiser][sequences]") {
  const Plant plant = build_plant(
      read_scenario(hall_10k, {plates("warm: {from: chilled_water.return, to: chilled_water.supply}, " + cold),
                               economiser("exchanger: plates_1")}));
  REQUIRE(plant.economisers.size() == 1);
  CHECK(plant.economisers.front().exchangers.size() == 1);
  CHECK_FALSE(plant.economisers.front().can_precool);
  CHECK_FALSE(plant.economisers.front().exchangers.front().to_supply_input.has_value());
}

TEST_CASE("the mode of an economiser is a column", "[economiser][recorder]") {
  const Scenario scenario = read_scenario(hall_10k, {plates(warm + ", " + cold), economiser("exchanger: plates")});
  const Plant plant = build_plant(scenario);
  const std::vector<RecordedTable> tables = state_tables(plant, scenario.record);
  const auto table =
      std::ranges::find_if(tables, [](const RecordedTable& one) { return one.spec.group == "economisers"; });
  REQUIRE(table != tables.end());
  CHECK(table->columns.front().spec.name == "mode");
  CHECK(table->columns.front().spec.long_name == "0 mechanical, 1 partial, 2 full");
}

TEST_CASE("economisers that cannot be are reported, with the nearest name", "[economiser][scenario][errors]") {
  CHECK(first_of("exchanger: plates").empty());
  CHECK(first_of("exchanger: plats") == "saver: there is no part 'plats' | did you mean 'plates'?");
  CHECK(first_of("exchanger: plates, towers: facilty") ==
        "saver: this hall has no water system 'facilty' | did you mean 'facility'?");
  CHECK(first_of("exchanger: plates, chilled_water: chiled_water") ==
        "saver: this hall has no water system 'chiled_water' | did you mean 'chilled_water'?");
  CHECK(first_of("towers: facility").starts_with("saver needs 'exchanger'"));
  CHECK(first_of("exchanger: plates, tower: facility").find("no parameter 'tower'") != std::string::npos);
  CHECK(first_of("exchanger: plates, setting: facility.supply_temperature").find("no parameter 'setting'") !=
        std::string::npos);
  CHECK(first_of("exchanger: [plates]") == "exchanger is a list, expected a name | ");
  CHECK(first_of("exchanger: plates, tower_approach: 4 kW").find("'4 kW' is in kW") != std::string::npos);
  CHECK(first_of("exchanger: plates, disable_margin: 2 K") ==
        "saver: disable_margin is above enable_margin: the exchanger would start and stop continuously | ");
  CHECK(first_of("exchanger: plates, minimum_basin_temperature: 18 degC") ==
        "saver: minimum_basin_temperature of 18 degC is above 17 degC, which the exchanger needs | its water must be "
        "3.0 K colder to keep 20 degC");
  CHECK(first_of("exchanger: plates, minimum_basin_temperature: 25 degC") ==
        "saver: minimum_basin_temperature of 25 degC is above 24 degC, the set-point of facility | then the towers "
        "would warm the water to save energy");
  CHECK(first_of("exchanger: plates, minimum_basin_temperature: -1 degC") ==
        "saver: water of the towers at -1 degC is ice | write a minimum_basin_temperature above 0 degC");
}

TEST_CASE("exchangers that stand elsewhere are reported", "[economiser][scenario][errors]") {
  const std::string cooler =
      "parts={plates: {hardware: dry_cooler_2900kw, liquid: {from: facility.return, to: facility.supply}}}";
  CHECK(first({cooler, economiser("exchanger: plates")}) ==
        "plates is a dry_cooler, not an exchanger between two waters | an economiser names a plate_exchanger");
  CHECK(first({plates(warm + ", cold: {from: chilled_water.supply, to: chilled_water.return}"),
               economiser("exchanger: plates")})
            .starts_with("plates_1.cold and plates_1.warm are both connected to "));
  CHECK(first({plates("warm: {from: facility.return, to: facility.return}, " + cold), economiser("exchanger: plates")})
            .starts_with("plates_1.cold and plates_1.warm are both connected to "));
  CHECK(first({plates(warm + ", " + cold),
               "sequences={a: {kind: waterside_economiser, exchanger: plates_1}, b: {kind: waterside_economiser, "
               "exchanger: plates_2}}"}) ==
        "a lowers facility already | write one economiser for each system of towers");
  CHECK(first({economiser("exchanger: plates")}) ==
        "saver: there is no part 'plates' | write the name of a plate_exchanger under `parts`");
}

TEST_CASE("mistakes of an economiser are shown where they are written", "[economiser][scenario][errors]") {
  const tests::TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "hall.yaml";
  std::ofstream(file) << "format: 1\nextends: " << hall_10k.string() << "\n"
                      << "parts:\n  plates: { " << by_hand << warm << ", " << cold << " }\n"
                      << "sequences:\n  saver:\n    kind: waterside_economiser\n    exchanger: plates\n"
                      << "    towers: facilty\n    chilled_water: chiled_water\n";
  try {
    build_plant(read_scenario(file, {}));
    FAIL("it was built");
  } catch (const InputError& error) {
    REQUIRE(error.problems().size() == 2);  // both at once
    CHECK(error.problems()[0].place.line == 9);
    CHECK(error.problems()[1].place.line == 10);
    CHECK(error.problems()[0].excerpt == "    towers: facilty");
  }
}
