// Parts and sequences that a scenario names itself: how they are read and joined, and what is said of those that cannot be.
#include <algorithm>
#include <any>
#include <array>
#include <filesystem>
#include <iterator>

#include "physics/water/dry_cooler.hpp"
#include "tests/support/catch.hpp"
#include "twin/build/plant_builder.hpp"
#include "twin/scenario/scenario_reader.hpp"

using namespace wattloop;
using namespace wattloop::twin;

namespace {

using Texts = std::vector<std::string>;

const std::filesystem::path hall_10k =
    std::filesystem::path(WATTLOOP_SOURCE_DIR) / "scenarios/halls/one_low_voltage_bus.yaml";
const std::filesystem::path one_rack = std::filesystem::path(WATTLOOP_SOURCE_DIR) / "scenarios/one_rack.yaml";

/// What is wrong with a scenario, read and built, each as "message | hint".
Texts problems_of(const Texts& overrides, const std::filesystem::path& file = hall_10k) {
  Texts texts;
  try {
    build_plant(read_scenario(file, overrides));
  } catch (const InputError& error) {
    for (const Problem& problem : error.problems()) texts.push_back(problem.message + " | " + problem.hint);
  }
  return texts;
}

/// A cooler with one thing said otherwise.
std::string cooler(const std::string& liquid = "{from: facility.return, to: facility.supply}",
                   const std::string& more = {}, const std::string& name = "cooler_1") {
  return "parts={" + name + ": {hardware: dry_cooler_2900kw, liquid: " + liquid + more + "}}";
}

/// The reference hall with a cooler of which one parameter is another.
Plant hall_with_cooler(std::pair<double physics::DryCooler::Params::*, double> changed) {
  Scenario scenario = read_scenario(hall_10k, {cooler()});
  std::any_cast<physics::DryCooler::Params&>(scenario.parts.front().params).*changed.first = changed.second;
  return build_plant(scenario);
}

std::string sequence(const std::string& what) { return "sequences={reset: {" + what + "}}"; }

const std::string limits = ", lowest: 18 degC, highest: 28 degC";

}  // namespace

TEST_CASE("a part that a scenario names is joined by names, and many alike are numbered", "[parts][scenario]") {
  const Plant plant = build_plant(
      read_scenario(hall_10k, {cooler("{from: facility.return, to: facility.supply}", ", count: 3", "cooler")}));
  std::vector<NamedPart> coolers;
  std::ranges::copy_if(plant.named, std::back_inserter(coolers),
                       [](const NamedPart& part) { return part.kind == "dry_cooler"; });
  REQUIRE(coolers.size() == 3);
  CHECK(coolers.front().name == "cooler_1");
  CHECK(coolers.back().name == "cooler_3");
  CHECK(coolers.front().hangs_on == Texts{"facility", "weather"});
  CHECK(plant.power_tree.load_name.at(coolers.back().load) == "cooler_3");
  CHECK(plant.uses.back().name == "dry_cooler");
}

TEST_CASE("a plate exchanger hangs on two systems and holds the set-point of the warm one", "[parts][scenario]") {
  const std::string cold = "cold: {from: facility.supply, to: facility.return}";
  for (const std::string to : {"chilled_water.supply", "chilled_water.return"}) {
    INFO(to);
    const Plant plant =
        build_plant(read_scenario(hall_10k, {"parts={economiser: {hardware: plate_exchanger_2500kw, " + cold +
                                             ", warm: {from: chilled_water.return, to: " + to + "}}}"}));
    const auto economiser = std::ranges::find(plant.named, "economiser", &NamedPart::name);
    REQUIRE(economiser != plant.named.end());
    CHECK(economiser->hangs_on == Texts{"facility", "chilled_water"});
    const auto out = std::ranges::find(plant.links, "economiser.warm_out", &Link::name);
    REQUIRE(out != plant.links.end());
    CHECK(plant.nodes[out->to_node].name == to);
  }
}

TEST_CASE("a part called as a tower cell or a chiller stands in its place", "[parts][scenario]") {
  const std::string chiller =
      "chiller_2: {hardware: air_cooled_chiller_1mw, chilled: {from: chilled_water.return, to: chilled_water.supply}}";
  const std::string tower =
      "tower_3: {hardware: dry_cooler_2900kw, liquid: {from: facility.return, to: facility.supply}}";
  const Plant before = build_plant(read_scenario(hall_10k, {}));
  const Plant plant = build_plant(read_scenario(hall_10k, {"parts={" + chiller + ", " + tower + "}"}));
  const auto count = [](const Plant& of, const std::string& kind) {
    return std::ranges::count(of.named, kind, &NamedPart::kind);
  };
  const auto group = [](const Plant& of, const std::string& name) {
    return *std::ranges::find(of.motor_groups, name, &MotorGroup::name);
  };
  CHECK(count(plant, "chiller") == count(before, "chiller") - 1);
  CHECK(count(plant, "tower cell") == count(before, "tower cell") - 1);
  CHECK(count(plant, "air_cooled_chiller") == 1);
  CHECK(count(plant, "dry_cooler") == 1);
  for (const std::string name : {"chillers", "towers"}) {
    INFO(name);
    CHECK(group(plant, name).motors.size() == group(before, name).motors.size() - 1);
    CHECK(group(plant, name).duty == group(plant, name).motors.size());
    for (const std::size_t motor : group(plant, name).motors) {
      CHECK(plant.motors[motor].name != "chiller_2");
      CHECK(plant.motors[motor].name != "tower_3");
    }
  }
  CHECK(std::ranges::count(plant.named, "chiller_2", &NamedPart::name) == 1);
  CHECK(std::ranges::count(plant.named, "tower_3", &NamedPart::name) == 1);
  CHECK(std::ranges::count(plant.links, "tower_3.return", &Link::name) == 0);
}

TEST_CASE("a plate exchanger with an end at the wrong header is reported", "[parts][scenario][errors]") {
  const auto problem = [](const std::string& warm, const std::string& cold) {
    return problems_of({"parts={e: {hardware: plate_exchanger_2500kw, warm: {" + warm + "}, cold: {" + cold + "}}}"});
  };
  const std::string warm = "from: chilled_water.return, to: chilled_water.return",
                    cold = "from: facility.supply, to: facility.return";
  CHECK(problem(warm, cold).empty());
  CHECK(
      problem("from: chilled_water.supply, to: chilled_water.return", cold) ==
      Texts{"e.warm leads from chilled_water.supply to chilled_water.return | expected from the return to the supply, "
            "or back to the return, of one system with pumps: chilled_water, facility"});
  CHECK(problem(warm, "from: facility.return, to: facility.return") ==
        Texts{"e.cold leads from facility.return to facility.return | expected the supply and the return of one system "
              "with pumps: chilled_water, facility"});
  CHECK(problem("from: chilled_water.return, to: facility.supply", cold).size() == 1);
}

TEST_CASE("a part that a scenario names waits its own delay after a loss of power", "[parts][scenario]") {
  const Plant plant = hall_with_cooler({&physics::DryCooler::Params::restart_delay_s, 47.0});
  const auto motor = std::ranges::find(plant.motors, "cooler_1", &MotorPart::name);
  REQUIRE(motor != plant.motors.end());
  CHECK(motor->restart_delay_s == 47.0);
}

TEST_CASE("a part hangs on the UPS if its scenario says so, else beside it", "[parts][scenario]") {
  const auto bus_of = [](const std::string& more, const std::string& load) {
    const electrical::PowerTree tree =
        build_plant(read_scenario(hall_10k, {cooler("{from: facility.return, to: facility.supply}", more)})).power_tree;
    std::array<int, 2> buses = tree.load_bus.at(electrical::find_load(tree, load).value());
    std::ranges::sort(buses);  // every other load has its first cord on side B
    return buses;
  };
  const auto on_ups = bus_of("", "cdu_1.pump_a"), beside = bus_of("", "tower_1");
  REQUIRE(on_ups != beside);
  CHECK(bus_of(", motor: ups", "cooler_1") == on_ups);
  CHECK(bus_of(", motor: low_voltage", "cooler_1") == beside);
  CHECK(bus_of("", "cooler_1") == beside);
}

TEST_CASE("the water in a part that a scenario names stores heat", "[parts][scenario]") {
  const Plant plant = hall_with_cooler({&physics::DryCooler::Params::volume_m3, 3.0});
  const auto inside = std::ranges::find(plant.nodes, "cooler_1.liquid", &ThermalNode::name);
  REQUIRE(inside != plant.nodes.end());
  CHECK(inside->heat_capacity_j_per_k == Approx(3.0 * 996.0 * 4180.0).epsilon(0.01));  // of water at 25 to 30 degC
}

TEST_CASE("parts that cannot be joined are reported", "[parts][scenario][errors]") {
  const auto check = [](const std::string& change, const std::string& expected) {
    INFO(change);
    CHECK(problems_of({change}) == Texts{expected});
  };
  check(cooler("{from: facility.retrun, to: facility.supply}"),
        "cooler_1.liquid is connected to 'facility.retrun', which does not exist | did you mean 'facility.return'?");
  check(cooler("{from: facility.return, to: room_1}"),
        "cooler_1.liquid leads from facility.return to room_1 | expected from the return to the supply of one system "
        "with pumps: chilled_water, facility");
  check(cooler("{from: facility.return, to: chilled_water.supply}"),
        "cooler_1.liquid leads from facility.return to chilled_water.supply | expected from the return to the supply "
        "of one system with pumps: chilled_water, facility");
  check(cooler("{from: facility.return, to: facility.return}"),
        "cooler_1.liquid leads from facility.return to facility.return | expected from the return to the supply of one "
        "system with pumps: chilled_water, facility");
  check(cooler("{from: loop_1.return, to: loop_1.supply}"),
        "cooler_1.liquid leads from loop_1.return to loop_1.supply | expected from the return to the supply of one "
        "system "
        "with pumps: chilled_water, facility");
  check(cooler("{from: facility.supply, to: facility.return}"),
        "cooler_1.liquid leads from facility.supply to facility.return | expected from the return to the supply of one "
        "system with pumps: chilled_water, facility");
  for (const std::string name :
       {"crah_1", "cdu_1", "row_1", "weather", "rear_doors", "ups_a", "utility_b", "pdu_a_1"}) {
    check(cooler("{from: facility.return, to: facility.supply}", "", name),
          "the hall has a '" + name + "' already | choose a name that is not used yet");
  }
  check(cooler("{from: facility.return, to: facility.supply}", "", "a.b"),
        "'a.b' is not a valid name of a part | use letters, digits and _ only");
  const auto check_refused = [](const Texts& overrides, const std::string& begin) {
    const Texts problems = problems_of(overrides);
    REQUIRE(problems.size() == 1);
    CHECK_THAT(problems.front(), Catch::StartsWith(begin));  // then which keys are of the file that extends the hall
  };
  check_refused({"hall.cooling.facility.towers=null", cooler("{from: chilled_water.return, to: chilled_water.supply}")},
                "nothing cools the water of facility | it has pumps, so it needs towers or a part from facility.return "
                "to facility.supply");
  check_refused({"hall.cooling.chilled_water.chillers=null", cooler()},
                "nothing cools the water of chilled_water | it has pumps, so it needs chillers or a part from "
                "chilled_water.return to chilled_water.supply");
  CHECK(problems_of({cooler()}, one_rack).front() ==
        "cooler_1.liquid is connected to 'facility.return', which does not exist | facility comes from outside at a "
        "given temperature: it has no headers");
}

TEST_CASE("parts that are not written as their kind wants are reported", "[parts][scenario][errors]") {
  const auto first = [](const std::string& change) { return problems_of({change}).at(0); };
  CHECK(first("parts=[1, 2]") ==
        "parts is a list, expected a map by name | write parts: { cooler_1: { kind: ..., ... } }");
  CHECK(first("parts={c: {kind: dry_coller}}") ==
        "'dry_coller' is not a kind of part that a scenario can use | did you mean 'dry_cooler'?");
  CHECK(first("parts={c: {kind: chiller}}").starts_with("'chiller' is not a kind of part that a scenario can use"));
  CHECK(first("parts={c: {}}").starts_with("c has no kind | kind: one of dry_cooler"));
  CHECK(first(cooler("{from: facility.return}")).starts_with("cooler_1.liquid needs 'to'"));
  CHECK(first(cooler("facility.return")).starts_with("cooler_1.liquid"));
  CHECK(first(cooler("{from: facility.return, to: facility.supply}", ", motor: solar")) ==
        "motor is 'solar', expected ups or low_voltage | ");
  CHECK(first(cooler("{from: facility.return, to: facility.supply}", ", colour: red"))
            .starts_with("cooler_1 has no parameter 'colour'"));
  CHECK(first(cooler("{from: facility.return, to: facility.supply}", ", supply_temperature: 20 degC")) ==
        "cooler_1 has no parameter 'supply_temperature' | delete this key: the set-point is the supply temperature of "
        "the connected water system; set that, for example facility.supply_temperature");
  CHECK(first("parts={c: {hardware: tower_2500kw}}").starts_with("'cooling_tower' is not a kind of part"));
}

TEST_CASE("sequences that cannot be are reported", "[sequences][scenario][errors]") {
  const auto first = [](const std::string& change) { return problems_of({change}).at(0); };
  CHECK(problems_of({sequence("kind: wet_bulb_reset, setting: facility.supply_temperature" + limits)}).empty());
  CHECK(first(sequence("kind: wet_bulb_reset, setting: facilty.supply_temperature" + limits)) ==
        "this hall has no setting 'facilty.supply_temperature' | did you mean 'facility.supply_temperature'?");
  CHECK(first(sequence("kind: wet_bulb_reset, setting: loop_1.pump_speed" + limits))
            .starts_with("loop_1.pump_speed is in 1, but a wet_bulb_reset sets a value in K"));
  CHECK(first(sequence("kind: dry_bulb_reset, setting: facility.supply_temperature")) ==
        "'dry_bulb_reset' is no kind of sequence | did you mean 'wet_bulb_reset'?");
  CHECK(first(sequence(
            "kind: wet_bulb_reset, setting: facility.supply_temperature, lowest: 28 degC, highest: 18 degC")) ==
        "reset: the lowest set-point is above the highest | ");
  CHECK(
      first(sequence("kind: wet_bulb_reset, setting: facility.supply_temperature, lowest: -18 degC, highest: 18 degC"))
          .starts_with(
              "reset would set facility.supply_temperature to -18 degC: water is ice or steam at this temperature"));
  CHECK(first(sequence("kind: wet_bulb_reset, setting: facility.supply_temperature, every: 90.5 s" + limits)) ==
        "every: 90.5 s is not a multiple of 5 s | write a multiple of 5 s: controls act every 5 s");
  CHECK(first("sequences={a: {kind: wet_bulb_reset, setting: facility.supply_temperature" + limits +
              "}, b: {kind: wet_bulb_reset, setting: facility.supply_temperature" + limits + "}}") ==
        "reset sets facility.supply_temperature already | write one sequence for each setting");
}

TEST_CASE("what no hall has is refused where it is read", "[scenario][errors]") {
  const auto first = [](const std::string& change) { return problems_of({change}, one_rack).at(0); };
  const std::string gpu = "hall.racks.with.units.gpu.with.", cdu = "hall.cooling.loops.with.";
  CHECK(first(gpu + "die_to_plate_conductance=1e7 W/K")
            .starts_with("die_to_plate_conductance: '1e7 W/K' is too large, expected at most "));
  CHECK(first(cdu + "design_conductance=1e9 W/K").starts_with("design_conductance: '1e9 W/K' is too large"));
  CHECK(first(cdu + "design_conductance=1e-9 W/K").starts_with("design_conductance: '1e-9 W/K' is too small"));
  CHECK(first(cdu + "technology_design_flow=1e9 kg/s").starts_with("technology_design_flow: '1e9 kg/s' is too large"));
  CHECK(first(cdu + "facility_design_flow=1e-10 kg/s").starts_with("facility_design_flow: '1e-10 kg/s' is too small"));
  CHECK(first(cdu + "internal_pressure_drop=1e12 Pa").starts_with("internal_pressure_drop: '1e12 Pa' is too large"));
  CHECK(first(cdu + "pump.idle_power=1e15 W").starts_with("idle_power: '1e15 W' is too large"));
  CHECK(first(cdu + "valve_gain=100 1/K").starts_with("valve_gain: '100 1/K' is too large"));
  CHECK(problems_of({cdu + "design_conductance=1e7 W/K"}, one_rack).empty());
}
