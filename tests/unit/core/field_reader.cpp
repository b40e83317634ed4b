#include "twin/document/field_reader.hpp"

#include <cmath>

#include "tests/support/catch.hpp"

using namespace wattloop;
using namespace wattloop::twin;

namespace {

struct Tank {
  double conductance_w_per_k = required;
  double supply_k = 303.15;
  double band_difference_k = 2.0;
  double efficiency_fraction = 0.95;
  double rated_va = 2.5e6;
  int pumps = 2;
  int racks = required_count;
  bool is_enabled = true;
  std::string fill = "hold";
  std::string trace;

  static constexpr auto fields() {
    using P = Tank;
    return std::array{
        Field<P>{&P::conductance_w_per_k, "design_conductance", "W/K", Range::positive,
                 "Conductance from plate to coolant at design flow."},
        Field<P>{&P::supply_k, "supply_temperature", "K", Range::positive, "Temperature of the supply."},
        Field<P>{&P::band_difference_k, "band", "delta_K", Range::non_negative, "Dead band of the controller."},
        Field<P>{&P::efficiency_fraction, "efficiency", "1", Range::positive_fraction, "Wire to water."},
        Field<P>{&P::rated_va, "rated_power", "V A", Range::positive, "Rated apparent power."},
        Field<P>{&P::pumps, "pumps", Range::non_negative, "Pumps in the unit."},
        Field<P>{&P::racks, "racks", Range::positive, "Racks on the unit."},
        Field<P>{&P::is_enabled, "enabled", "Whether it runs."},
        Field<P>{&P::fill, "fill", "hold|interpolate|zero", "What to put into holes."},
        Field<P>{&P::trace, "trace", "", "CSV file."},
    };
  }
};

/// Reads the text as a tank; the problems as a command would print them.
std::string problems_of(std::string_view text, Tank& tank, Sources sources = Sources::optional) {
  Problems problems;
  const Node root = read_document_text(text, "scenarios/bad.yaml", problems);
  read_params(root, "tank", tank, problems, sources);
  try {
    problems.throw_if_any("scenarios/bad.yaml");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

std::string problems_of(std::string_view text, Sources sources = Sources::optional) {
  Tank tank;
  return problems_of(text, tank, sources);
}

const std::string good = "design_conductance: 30 W/K\nracks: 4\ntrace: a.csv\n";

}  // namespace

TEST_CASE("fields of every type are read, absent ones keep their default", "[field_reader]") {
  Tank tank;
  CHECK(problems_of("design_conductance: 30 kW/K\nsupply_temperature: 45 degC\nband: 0.5 K\nefficiency: 90 %\n"
                    "rated_power: 630 kVA\nracks: 4\nenabled: false\nfill: zero\ntrace: 'my trace.csv'\n",
                    tank) == "");
  CHECK(tank.conductance_w_per_k == 3e4);
  CHECK(tank.supply_k == Approx(318.15).epsilon(1e-12));
  CHECK(tank.band_difference_k == 0.5);
  CHECK(tank.efficiency_fraction == 0.9);
  CHECK(tank.rated_va == 6.3e5);
  CHECK(tank.pumps == 2);
  CHECK(tank.racks == 4);
  CHECK_FALSE(tank.is_enabled);
  CHECK(tank.fill == "zero");
  CHECK(tank.trace == "my trace.csv");
}

TEST_CASE("a misspelt key and a wrong unit are reported together, with line, caret and hint", "[field_reader]") {
  CHECK(problems_of("racks: 4\ntrace: a.csv\ndesign_conductance: 20 W\nsuply_temperature: 45 degC\n") ==
        "scenarios/bad.yaml:3:21: design_conductance: '20 W' is in W, expected W/K\n"
        "    3 | design_conductance: 20 W\n"
        "      |                     ^\n"
        "      = Conductance from plate to coolant at design flow.\n"
        "scenarios/bad.yaml:4:1: tank has no parameter 'suply_temperature'\n"
        "    4 | suply_temperature: 45 degC\n"
        "      | ^\n"
        "      = did you mean 'supply_temperature'?\n"
        "2 problems in scenarios/bad.yaml");
}

TEST_CASE("a bare number is reported with an example", "[field_reader]") {
  CHECK(problems_of("design_conductance: 20\nracks: 4\ntrace: a.csv\n") ==
        "scenarios/bad.yaml:1:21: design_conductance: '20' has no unit, expected W/K\n"
        "    1 | design_conductance: 20\n"
        "      |                     ^\n"
        "      = write '20 W/K'\n"
        "1 problem in scenarios/bad.yaml");
}

TEST_CASE("8 degC as a difference is reported with 8 K", "[field_reader]") {
  CHECK(problems_of(good + "band: 8 degC\n") ==
        "scenarios/bad.yaml:4:7: band: '8 degC' is a temperature, expected a difference in K\n"
        "    4 | band: 8 degC\n"
        "      |       ^\n"
        "      = write '8 K'\n"
        "1 problem in scenarios/bad.yaml");
}

TEST_CASE("missing parameters are reported at the map", "[field_reader]") {
  CHECK(problems_of("trace:\n") ==
        "scenarios/bad.yaml:1:1: tank needs 'design_conductance'\n"
        "    1 | trace:\n"
        "      | ^\n"
        "      = W/K: Conductance from plate to coolant at design flow.\n"
        "scenarios/bad.yaml:1:1: tank needs 'racks'\n"
        "    1 | trace:\n"
        "      | ^\n"
        "      = a whole number: Racks on the unit.\n"
        "scenarios/bad.yaml:1:1: trace: no value, expected a text\n"
        "    1 | trace:\n"
        "      | ^\n"
        "      = CSV file.\n"
        "3 problems in scenarios/bad.yaml");
}

TEST_CASE("values out of range are reported with the range", "[field_reader]") {
  CHECK(problems_of("design_conductance: 0 W/K\nracks: 0\ntrace: a.csv\nefficiency: 120 %\nband: -1 K\npumps: -1\n") ==
        "scenarios/bad.yaml:1:21: design_conductance: '0 W/K' is out of range, expected more than 0\n"
        "    1 | design_conductance: 0 W/K\n"
        "      |                     ^\n"
        "      = Conductance from plate to coolant at design flow.\n"
        "scenarios/bad.yaml:5:7: band: '-1 K' is out of range, expected at least 0\n"
        "    5 | band: -1 K\n"
        "      |       ^\n"
        "      = Dead band of the controller.\n"
        "scenarios/bad.yaml:4:13: efficiency: '120 %' is out of range, expected more than 0, at most 1\n"
        "    4 | efficiency: 120 %\n"
        "      |             ^\n"
        "      = Wire to water.\n"
        "scenarios/bad.yaml:6:8: pumps: '-1' is out of range, expected at least 0\n"
        "    6 | pumps: -1\n"
        "      |        ^\n"
        "      = Pumps in the unit.\n"
        "scenarios/bad.yaml:2:8: racks: '0' is out of range, expected at least 1\n"
        "    2 | racks: 0\n"
        "      |        ^\n"
        "      = Racks on the unit.\n"
        "5 problems in scenarios/bad.yaml");
}

TEST_CASE("values of another type are reported", "[field_reader]") {
  const auto first_line = [](std::string_view text) {
    const std::string all = problems_of(good + std::string(text));
    return all.substr(0, all.find('\n'));
  };
  CHECK(first_line("pumps: 2.5\n") == "scenarios/bad.yaml:4:8: pumps: '2.5' is not a whole number");
  CHECK(first_line("pumps: 99999999999\n") == "scenarios/bad.yaml:4:8: pumps: '99999999999' is not a whole number");
  CHECK(first_line("enabled: yes\n") == "scenarios/bad.yaml:4:10: enabled: 'yes' is neither true nor false");
  CHECK(first_line("band: [1 K]\n") == "scenarios/bad.yaml:4:7: band: a list, expected a difference in K");
  CHECK(first_line("band: .nan\n") == "scenarios/bad.yaml:4:7: band: '.nan' is not finite, expected a difference in K");
  CHECK(first_line("fill: ''\n") == "scenarios/bad.yaml:4:7: fill: the text is empty");
  CHECK(problems_of(good + "fill: hodl\n") ==
        "scenarios/bad.yaml:4:7: fill: 'hodl' is unknown, expected one of hold, interpolate, zero\n"
        "    4 | fill: hodl\n"
        "      |       ^\n"
        "      = did you mean 'hold'?\n"
        "1 problem in scenarios/bad.yaml");
}

TEST_CASE("a value may carry its source", "[field_reader]") {
  Tank tank;
  CHECK(problems_of("design_conductance: { value: 30 W/K, source: incropera2011 }\n"
                    "racks: { value: 4, source: estimate }\ntrace: a.csv\n",
                    tank, Sources::demanded) == "");
  CHECK(tank.conductance_w_per_k == 30.0);
  CHECK(tank.racks == 4);
  CHECK(problems_of(good + "band: { valeu: 8 K, source: x }\n") ==
        "scenarios/bad.yaml:4:7: band needs 'value'\n"
        "    4 | band: { valeu: 8 K, source: x }\n"
        "      |       ^\n"
        "      = Dead band of the controller.\n"
        "scenarios/bad.yaml:4:9: band has no parameter 'valeu'\n"
        "    4 | band: { valeu: 8 K, source: x }\n"
        "      |         ^\n"
        "      = did you mean 'value'?\n"
        "2 problems in scenarios/bad.yaml");
}

TEST_CASE("the hardware library must name sources of its numbers", "[field_reader]") {
  CHECK(problems_of("design_conductance: 30 W/K\nracks: { value: 4 }\ntrace: a.csv\n", Sources::demanded) ==
        "scenarios/bad.yaml:1:21: design_conductance: '30 W/K' names no source\n    1 | design_conductance: 30 W/K\n   "
        "   |                     ^\n      = write { value: 30 W/K, source: key }\nscenarios/bad.yaml:2:8: racks needs "
        "'source'\n    2 | racks: { value: 4 }\n      |        ^\n      = write a key of the bibliography\n2 problems "
        "in scenarios/bad.yaml");
}

TEST_CASE("a mistake in an override is reported as what was typed", "[field_reader]") {
  Problems problems;
  const Node root = read_document_text(good, "scenarios/good.yaml", problems,
                                       {.overrides = {"band=8 degC", "pmups=3"}, .named_at = nullptr});
  Tank tank;
  read_params(root, "tank", tank, problems);
  REQUIRE(problems.size() == 2);
  CHECK(format_problem(problems.all()[0]) ==
        "--set band=8 degC: band: '8 degC' is a temperature, expected a difference in K\n      = write '8 "
        "K'\n");
  CHECK(format_problem(problems.all()[1]) ==
        "--set pmups=3: tank has no parameter 'pmups'\n      = did you mean 'pumps'?\n");
}

TEST_CASE("a section that is no map is one problem, not many", "[field_reader]") {
  Problems problems;
  const Node root = read_document_text("tank: 8\n", "test.yaml", problems);
  Tank tank;
  read_params(*find(root, "tank"), "tank", tank, problems);
  REQUIRE(problems.size() == 1);
  CHECK(problems.all()[0].message == "tank: expected a map, found '8'");
}

TEST_CASE("keys that a reader offers without reading are known", "[field_reader]") {
  Problems problems;
  const Node root = read_document_text("title: x\nunits: 3\nothr: 1\n", "test.yaml", problems);
  MapReader reader(root, "node", problems);
  reader.offer("title");
  CHECK(reader.require("units") != nullptr);
  CHECK(reader.find("other") == nullptr);
  reader.report_unknown_keys();
  REQUIRE(problems.size() == 1);
  CHECK(problems.all()[0].message == "node has no parameter 'othr'");
  CHECK(problems.all()[0].hint == "did you mean 'other'?");
}

TEST_CASE("the field table has one row for each field, as people read it", "[field_reader]") {
  Tank tank;
  const std::vector<FieldRow> rows = field_table(field_refs(tank));
  std::string text;
  for (const FieldRow& row : rows) {
    text += row.name + " | " + row.unit + " | " + row.default_value + " | " + row.range + "\n";
  }
  CHECK(text ==
        "design_conductance | W/K | required | more than 0\n"
        "supply_temperature | degC | 30 degC | \n"
        "band | K | 2 K | at least 0\n"
        "efficiency | ratio | 0.95 | more than 0, at most 1\n"
        "rated_power | VA | 2.5 MVA | more than 0\n"
        "pumps | count | 2 | at least 0\n"
        "racks | count | required | at least 1\n"
        "enabled | flag | true | true, false\n"
        "fill | text | hold | hold, interpolate, zero\n"
        "trace | text | required | \n");
  CHECK(rows.front().doc == "Conductance from plate to coolant at design flow.");
}
