// Mistakes in what stands around the racks: exit code 1 and the exact text; and what `wattloop check` says of
// ratings.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tests/support/catch.hpp"
#include "tests/support/run_program.hpp"

using namespace wattloop::tests;

namespace {

/// The reference hall, or that one; what is added begins in line 3.
std::string own(const std::string& added, const std::string& hall = "h100_10k") {
  return "format: 1\nextends: " WATTLOOP_SOURCE_DIR "/scenarios/" + hall + ".yaml\n" + added;
}

/// With one low-voltage bus a side.
std::string own_with_one_bus(const std::string& added) { return own(added, "halls/one_low_voltage_bus"); }

/// Checks that own.yaml with this text is refused with these words by `wattloop check` and `wattloop run`.
void check_refused(const std::string& text, const std::string& expected) {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  folder.write("own.yaml", text);
  for (const char* command : {"check", "run"}) {
    const Outcome outcome = folder.run({command, "own.yaml"});
    CHECK(outcome.exit_code == 1);
    CHECK(outcome.output.empty());
    CHECK(outcome.errors == expected);
  }
}

}  // namespace

TEST_CASE("mistakes in every part of a hall are refused together", "[cli]") {
  check_refused(own(R"(weather: { design_day: sumer }
hall:
  network: { rack: 30 }
  cooling:
    facility:
      pumps: { dutty: 2, hardware: water_pump_77kg }
      towers: { count: 0, with: { rated_heat: 2.5 MWh } }
    chilled_water: { chillers: { hardware: tower_2500kw, with: { carnot: 50 % } } }
    crahs: { air_temprature: 24 degC, air_temperature: 24 K/s }
power:
  topology: N+1
  generators: { enabled: yes, hardware: genset_3MW }
  substation: { hardware: transformer_25mw }
  rooms: { recirculation: 5 % }
)"),
                R"(own.yaml:3:24: design_day: 'sumer' is unknown, expected one of summer, mild, winter
    3 | weather: { design_day: sumer }
      |                        ^
      = did you mean 'summer'?
own.yaml:5:14: hall.network has no parameter 'rack'
    5 |   network: { rack: 30 }
      |              ^
      = did you mean 'racks'?
own.yaml:8:16: hall.cooling.facility.pumps has no parameter 'dutty'
    8 |       pumps: { dutty: 2, hardware: water_pump_77kg }
      |                ^
      = did you mean 'duty'?
own.yaml:8:36: the library has no hardware 'water_pump_77kg'
    8 |       pumps: { dutty: 2, hardware: water_pump_77kg }
      |                                    ^
      = did you mean 'water_pump_77kgs'?
own.yaml:9:24: count: '0' is out of range, expected at least 1
    9 |       towers: { count: 0, with: { rated_heat: 2.5 MWh } }
      |                        ^
      = Cells.
own.yaml:9:47: rated_heat: '2.5 MWh' is in MWh, expected W
    9 |       towers: { count: 0, with: { rated_heat: 2.5 MWh } }
      |                                               ^
      = kWh is energy, kW is power
own.yaml:10:44: 'tower_2500kw' is hardware of kind cooling_tower, expected chiller
   10 |     chilled_water: { chillers: { hardware: tower_2500kw, with: { carnot: 50 % } } }
      |                                            ^
      = A water-cooled chiller with its pumps.
own.yaml:11:14: hall.cooling.crahs has no parameter 'air_temprature'
   11 |     crahs: { air_temprature: 24 degC, air_temperature: 24 K/s }
      |              ^
      = did you mean 'air_temperature'?
own.yaml:11:56: air_temperature: '24 K/s' is in K/s, expected degC
   11 |     crahs: { air_temprature: 24 degC, air_temperature: 24 K/s }
      |                                                        ^
      = Set-point of the room air.
own.yaml:13:13: topology: 'N+1' is unknown, expected one of single, 2N
   13 |   topology: N+1
      |             ^
      = single: one path to single-corded racks. 2N: two independent paths, a and b, to dual-corded racks.
own.yaml:14:26: enabled: 'yes' is neither true nor false
   14 |   generators: { enabled: yes, hardware: genset_3MW }
      |                          ^
      = Whether the generators start when the feed is lost.
own.yaml:14:41: the library has no hardware 'genset_3MW'
   14 |   generators: { enabled: yes, hardware: genset_3MW }
      |                                         ^
      = did you mean 'genset_3mw'?
own.yaml:15:27: the library has no hardware 'transformer_25mw'
   15 |   substation: { hardware: transformer_25mw }
      |                           ^
      = did you mean 'transformer_25mva'?
own.yaml:16:12: power.rooms has no parameter 'recirculation'
   16 |   rooms: { recirculation: 5 % }
      |            ^
      = known: volume, mass_heat_capacity, mass_conductance, initial_temperature, crahs, humidity
14 problems in own.yaml
)");
}

TEST_CASE("parts of a hall that do not fit together are refused where they are written", "[cli]") {
  check_refused(own("hall:\n  cooling:\n    facility: { pumps: { duty: 5 }, volume: 0 m3 }\n"),
                R"(own.yaml:5:32: there are more pumps on duty (5) than pumps (4)
    5 |     facility: { pumps: { duty: 5 }, volume: 0 m3 }
      |                                ^
      = the pumps that are not on duty are on standby: count must be at least duty
own.yaml:5:45: facility water has towers but no volume
    5 |     facility: { pumps: { duty: 5 }, volume: 0 m3 }
      |                                             ^
      = hall.cooling.facility needs 'volume': the water in its pipes
2 problems in own.yaml
)");
}

TEST_CASE("cords on PDUs that do not exist or on one side are refused where they are written", "[cli]") {
  check_refused(own_with_one_bus(R"(power:
  cords:
    - { racks: row_1.rack_3, pdus: [pdu_a_21, pdu_b_1] }
    - { racks: [row_1.rak_4, network_rack_*], pdus: [pdu_a_1, pdu_b_1] }
  absent: generator_c_1
)"),
                R"(own.yaml:5:37: there is no PDU 'pdu_a_21'
    5 |     - { racks: row_1.rack_3, pdus: [pdu_a_21, pdu_b_1] }
      |                                     ^
      = did you mean 'pdu_a_1'?
own.yaml:6:17: there is no rack 'row_1.rak_4'
    6 |     - { racks: [row_1.rak_4, network_rack_*], pdus: [pdu_a_1, pdu_b_1] }
      |                 ^
      = did you mean 'row_1.rack_4'?
own.yaml:7:11: there is no 'generator_c_1' to leave out
    7 |   absent: generator_c_1
      |           ^
      = did you mean 'generator_a_1'?
3 problems in own.yaml
)");
  check_refused(own_with_one_bus("power: { cords: [{ racks: row_1.rack_*, pdus: [pdu_a_1, pdu_a_2] }] }\n"),
                R"(own.yaml:3:48: both cords of 'row_1.rack_1' are on one side: behind UPS 'ups_a', and 19 more
    3 | power: { cords: [{ racks: row_1.rack_*, pdus: [pdu_a_1, pdu_a_2] }] }
      |                                                ^
1 problem in own.yaml
)");
}

TEST_CASE("a UPS that nothing feeds is refused where its supply is left out", "[cli]") {
  check_refused(own_with_one_bus("power: { absent: [transformer_b, generator_b_*] }\n"),
                R"(own.yaml:3:19: no source reaches UPS 'ups_b': nothing feeds bus 'transformer_b.output'
    3 | power: { absent: [transformer_b, generator_b_*] }
      |                   ^
own.yaml:3:19: no source reaches 'row_1.rack_1': nothing feeds bus 'pdu_b_1.output', and 254 more
    3 | power: { absent: [transformer_b, generator_b_*] }
      |                   ^
2 problems in own.yaml
)");
}

TEST_CASE("a weather file that does not exist is refused where it is named", "[cli]") {
  check_refused(own("weather: { design_day: null, file: \"none.epw\" }\n"),
                R"(own.yaml:3:36: file: 'none.epw': no such file
    3 | weather: { design_day: null, file: "none.epw" }
      |                                    ^
      = a weather file is looked for relative to the file that names it
1 problem in own.yaml
)");
}

TEST_CASE("check reports the margin of every rating, for machines too", "[cli]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  folder.write("own.yaml",
               "format: 1\nextends: " WATTLOOP_SOURCE_DIR "/scenarios/one_rack.yaml\nhall: { racks: { nodes: 16 } }\n");
  const Outcome text = folder.run({"check", "own.yaml"});
  CHECK(text.exit_code == 0);
  CHECK(text.output.find("\n -64 %    164.2 kW   100 kW  -    pdu_1: its racks\n") != std::string::npos);
  const Outcome outcome = folder.run({"check", "own.yaml", "--json"});
  CHECK(outcome.exit_code == 0);
  const nlohmann::json json = nlohmann::json::parse(outcome.output);
  const auto row = std::ranges::find_if(json["rows"], [](const auto& other) { return other["name"] == "pdu_1"; });
  REQUIRE(row != json["rows"].end());
  CHECK((*row)["value"].template get<double>() == Approx(164.2e3));
  CHECK((*row)["margin_fraction"].template get<double>() == Approx(1.0 - 1.642));
  CHECK((*row)["unit"] == "W");
  CHECK((*row)["is_met"] == false);
  CHECK((*row)["trips_after_s"].template get<double>() == Approx(80.0 / (std::pow(1.642 / 1.1, 2) - 1.0)));
  CHECK_FALSE(json["rows"].back().contains("trips_after_s"));
  const auto is_of_pdu = [](const nlohmann::json& warning) {
    return warning == "pdu_1 must carry its racks, 164.2 kW, with a rating of 100 kW; it would trip after 1 min 5 s";
  };
  CHECK(std::ranges::any_of(json["warnings"], is_of_pdu));
  CHECK(json["limits_not_compared"].empty());
  CHECK(text.output.find("not compared") == std::string::npos);
}

TEST_CASE("check says where it compares no limits, for machines too", "[cli]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  std::vector<std::string> arguments{"check", WATTLOOP_SOURCE_DIR "/scenarios/one_rack.yaml", "--set",
                                     "power.pdus.with.rated_power=4 W"};
  const Outcome text = folder.run(arguments);
  CHECK(text.exit_code == 2);  // where `run` ends with it, too
  CHECK(text.errors.find(
            "one_rack.yaml: the hall has no steady state at nameplate load, so its limits are not known\n") !=
        std::string::npos);
  CHECK(text.output.find("\n\nlimits are not compared, whatever is out: no steady state was found at "
                         "nameplate load\n\nwarning: ") != std::string::npos);
  arguments.emplace_back("--json");
  const nlohmann::json json = nlohmann::json::parse(folder.run(arguments).output);
  CHECK(
      std::ranges::none_of(json["rows"], [](const auto& row) { return row["kind"] == "limit" && row["unit"] != "A"; }));
  CHECK(json["limits_not_compared"][0] == "nothing");
  CHECK(json["has_steady_state"] == false);
}

TEST_CASE("check warns of a rating that an override makes too small, with both figures", "[cli]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  const Outcome outcome = folder.run({"check", WATTLOOP_SOURCE_DIR "/scenarios/halls/one_low_voltage_bus.yaml", "--set",
                                      "power.generators.count=5", "--set", "hall.racks.with.psu.with.cords=1", "--set",
                                      "power.transformers.with.breaking_capacity=300 kA"});
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.output.find("limits first: with side a, feed b out, generator_b_1 of 10 must carry its share of all, "
                            "batteries recharging, "
                            "3.525 MW, with a rating of 3 MW; it would trip after 6.") != std::string::npos);
  CHECK(outcome.output.find("ratings are consistent") == std::string::npos);
}

TEST_CASE("set-points below freezing or above boiling are refused where they are written", "[cli]") {
  check_refused(own(R"(hall:
  cooling:
    loops: { supply_temperature: -40 degC }
    facility: { supply_temperature: 140 degC }
    rear_doors: { supply_temperature: -1 degC }
    crahs: { air_temperature: 90 degC }
)"),
                R"(own.yaml:5:34: supply_temperature: -40 degC is outside the range of pg25
    5 |     loops: { supply_temperature: -40 degC }
      |                                  ^
      = from 10 degC to 70 degC
own.yaml:6:37: supply_temperature: 140 degC is outside the range of water
    6 |     facility: { supply_temperature: 140 degC }
      |                                     ^
      = from 5 degC to 95 degC
own.yaml:7:39: supply_temperature: -1 degC is outside the range of water
    7 |     rear_doors: { supply_temperature: -1 degC }
      |                                       ^
      = from 5 degC to 95 degC
own.yaml:8:31: air_temperature: 90 degC is not a possible set-point of a room
    8 |     crahs: { air_temperature: 90 degC }
      |                               ^
      = write a value between 0 degC and 60 degC
4 problems in own.yaml
)");
}

TEST_CASE("events on parts that do not exist are refused by check as by run", "[cli]") {
  check_refused(own("events: [{ at: 1 min, fail: cdu_13 }]\n"),
                R"(own.yaml:3:29: this hall has no component 'cdu_13' that can fail
    3 | events: [{ at: 1 min, fail: cdu_13 }]
      |                             ^
      = did you mean 'cdu_1'?
1 problem in own.yaml
)");
}

TEST_CASE("check and run warn of water too cold for the air of its room, with both figures", "[cli]") {
  const std::string warning =
      "warning: rear doors may drip: water of 10.00 degC is less than 2 K above the dew point of 9.70 degC, the dew "
      "point of "
      "the outdoor air, because the room has no humidity control\n";
  const WorkFolder folder(WATTLOOP_PROGRAM);
  folder.write("own.yaml", "format: 1\nextends: " WATTLOOP_SOURCE_DIR
                           "/scenarios/one_rack.yaml\nduration: 10 s\n"
                           "hall: { cooling: { rear_doors: { supply_temperature: 10 degC } } }\n");
  const Outcome check = folder.run({"check", "own.yaml"});
  CHECK(check.exit_code == 0);
  CHECK(check.output.find(warning) != std::string::npos);
  const Outcome run = folder.run({"run", "own.yaml", "--quiet"});
  CHECK(run.exit_code == 0);
  CHECK(run.errors == warning);
}
