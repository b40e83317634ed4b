// Cords and equipment that differ from the regular one-line diagram, in the power tree of the reference hall with one low-voltage bus a side.
#include <filesystem>

#include "tests/support/catch.hpp"
#include "twin/build/plant_builder.hpp"
#include "twin/scenario/scenario_reader.hpp"

using namespace wattloop;
using namespace wattloop::twin;

namespace {

Plant hall(const std::vector<std::string>& overrides) {
  return build_plant(read_scenario(
      std::filesystem::path(WATTLOOP_SOURCE_DIR) / "scenarios/halls/one_low_voltage_bus.yaml", overrides));
}

template <class Part>
std::vector<std::string> buses_of(const Plant& plant, const std::vector<Part>& parts, const std::string& name) {
  for (const Part& part : parts) {
    if (part.name != name) continue;
    std::vector<std::string> names;
    for (const int bus : plant.power_tree.load_bus[part.load]) {
      if (bus != electrical::no_bus) names.push_back(plant.power_tree.bus_name[static_cast<std::size_t>(bus)]);
    }
    return names;
  }
  return {};
}
std::vector<std::string> buses_of(const Plant& plant, const std::string& rack) {
  return buses_of(plant, plant.it.racks, rack);
}

}  // namespace

TEST_CASE("racks hang on the PDUs that cords say, the others in turn", "[power]") {
  using Names = std::vector<std::string>;
  const Plant plant =
      hall({"power.cords=[{ racks: row_1.rack_*, pdus: [pdu_a_7, pdu_b_9] }, { racks: row_2.rack_1, pdus: pdu_b_3 }]"});
  CHECK(buses_of(plant, "row_1.rack_1") == Names{"pdu_a_7.output", "pdu_b_9.output"});
  CHECK(buses_of(plant, "row_1.rack_20") == Names{"pdu_a_7.output", "pdu_b_9.output"});
  CHECK(buses_of(plant, "row_2.rack_1") == Names{"pdu_b_3.output"});
  CHECK(buses_of(plant, "row_2.rack_2") == Names{"pdu_a_2.output", "pdu_b_2.output"});
}

TEST_CASE("equipment that is absent is not in the power tree", "[power]") {
  const Plant plant = hall({"power.absent=[transformer_b, generator_a_*, generator_b_6]"});
  const electrical::PowerTree& tree = plant.power_tree;
  CHECK(electrical::find_branch(tree, "transformer_a"));
  CHECK_FALSE(electrical::find_branch(tree, "transformer_b"));
  CHECK_FALSE(electrical::find_source(tree, "generator_a_1"));
  REQUIRE(plant.standby.size() == 1);
  CHECK(plant.standby.front().name == "generator_b");
  CHECK(plant.standby.front().sources.size() == 5);
}

TEST_CASE("motors hang on the blocks that cords say, the others in turn", "[power]") {
  using Names = std::vector<std::string>;
  const Plant plant =
      hall({"power.cords=[{ motors: [crah_*, cdu_1], blocks: b }, { motors: crah_2, blocks: [b, a] }]"});
  const Plant regular = hall({});
  const auto hung = [](const Plant& of, const std::string& motor) { return buses_of(of, of.motors, motor); };
  CHECK(hung(plant, "crah_1") == Names{"transformer_b.output"});
  CHECK(hung(plant, "crah_2") == Names{"transformer_b.output", "transformer_a.output"});
  CHECK(hung(plant, "cdu_1.pump_a") == Names{"ups_b.output"});
  CHECK(hung(plant, "cdu_1.pump_b") == Names{"ups_b.output"});
  CHECK(hung(plant, "cdu_2.pump_a") == hung(regular, "cdu_2.pump_a"));
  CHECK(hung(regular, "cdu_1.pump_a").size() == 2);
}

TEST_CASE("motors and blocks that are not there, and a third block, are reported at their places", "[power]") {
  const auto reported = [](const std::string& cords) -> std::string {
    try {
      hall({"power.cords=" + cords});
    } catch (const std::exception& mistake) {
      return mistake.what();
    }
    return {};
  };
  const std::string both = reported("[{ motors: craa_1, blocks: c }]");
  for (const char* text : {"there is no motor 'craa_1'", "did you mean 'crah_1'?", "there is no power block 'c'"}) {
    INFO(both);
    CHECK(both.find(text) != std::string::npos);
  }
  CHECK(reported("[{ motors: crah_1, blocks: [b, b] }]").find("motors name block b twice") != std::string::npos);
  CHECK(reported("[{ motors: [], blocks: b }]").find("motors names nothing") != std::string::npos);
  CHECK(reported("[{ motors: crah_1, racks: row_1.rack_1, blocks: b }]")
            .find("write racks and pdus, racks and buses, motors and blocks, or motors and buses") !=
        std::string::npos);
  CHECK(reported("[{ blocks: b }]")
            .find("write racks and pdus, racks and buses, motors and blocks, or motors and buses") !=
        std::string::npos);
  CHECK(reported("[{ motors: crah_1, pdus: pdu_a_1 }]").find("'blocks'") != std::string::npos);
}

TEST_CASE("a motor rides through the gap of its switch where the blocks of its cords have UPS", "[power]") {
  const std::string blocks =
      "power.blocks={ a: { transformers: { count: 6, hardware: transformer_2500kva }, ups: { modules: 12, hardware: "
      "ups_1500kw }, "
      "pdus: { count: 24, hardware: pdu_1mva } }, b: { like: a }, c: { like: a, ups: none } }";
  const auto three = [&](const std::string& cords) {
    return hall({"power=null", "power.redundancy=distributed", blocks, "power.cords=" + cords});
  };
  const Plant plant = three("[{ motors: cdu_1, blocks: [a, b] }, { motors: cdu_2, blocks: [c, a] }]");
  const auto rides = [&](const std::string& name) {
    return std::ranges::find(plant.motors, name, &MotorPart::name)->rides_through;
  };
  CHECK(rides("cdu_1.pump_a"));
  CHECK_FALSE(rides("cdu_2.pump_a"));
  CHECK_FALSE(rides("crah_1"));
  CHECK_THROWS_WITH(three("[{ motors: cdu_1, blocks: [a, b, c] }]"),
                    Catch::Matchers::Contains("motors are fed by 3 blocks, but a transfer switch has two sides"));
}
