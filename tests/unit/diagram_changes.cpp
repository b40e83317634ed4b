// Cords and equipment that differ from the regular one-line diagram, in the power tree of the reference hall.
#include <filesystem>

#include "tests/support/catch.hpp"
#include "twin/build/plant_builder.hpp"
#include "twin/scenario/scenario_reader.hpp"

using namespace wattloop;
using namespace wattloop::twin;

namespace {

Plant hall(const std::vector<std::string>& overrides) {
  return build_plant(read_scenario(std::filesystem::path(WATTLOOP_SOURCE_DIR) / "scenarios/h100_10k.yaml", overrides));
}

std::vector<std::string> buses_of(const Plant& plant, const std::string& rack) {
  for (const RackPart& part : plant.it.racks) {
    if (part.name != rack) continue;
    std::vector<std::string> names;
    for (const int bus : plant.power_tree.load_bus[part.load]) {
      if (bus != electrical::no_bus) names.push_back(plant.power_tree.bus_name[static_cast<std::size_t>(bus)]);
    }
    return names;
  }
  return {};
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
