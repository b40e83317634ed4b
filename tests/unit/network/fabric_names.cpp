// Every component of a fabric is found by its name, and a name that no component has gets the nearest one.
#include "network/fabric/fabric_names.hpp"

#include <string>
#include <vector>

#include "network/fabric/fabric_health.hpp"
#include "tests/support/catch.hpp"

using namespace wattloop::network;

namespace {

Fabric small() { return build_fabric({.nodes = 127, .manager_ports = 4}); }

}  // namespace

TEST_CASE("every switch, link and NVLink is found by its own name", "[fabric_names]") {
  using Kind = Component::Kind;
  for (const Fabric& fabric : {small(), build_fabric({.nodes = 70, .radix = 8, .rails = 1})}) {
    for (std::size_t one = 0; one < fabric.switch_count(); ++one)
      CHECK(find_component(fabric, switch_name(fabric, one)) == Component{Kind::network_switch, one});
    for (std::size_t link = 0; link < fabric.link_count(); ++link)
      CHECK(find_component(fabric, link_name(fabric, link)) == Component{Kind::link, link});
    for (std::size_t gpu = 0; gpu < fabric.node_count() * 8; ++gpu)
      CHECK(find_component(fabric, name_of(fabric, {Kind::nvlink, gpu})) == Component{Kind::nvlink, gpu});
  }
  const Fabric fabric = small();
  CHECK(switch_name(fabric, 11) == "leaf_12");
  CHECK(switch_name(fabric, 32 + 2) == "spine_3");
  CHECK(link_name(fabric, fabric.first_up_link[11] + 2) == "leaf_12.to_spine_3");
  CHECK(link_name(fabric, fabric.node_link(6, 4)) == "node_7.rail_5");
  CHECK(link_name(fabric, 127 * 8 + 3) == "manager_4.port");
  CHECK(find_component(fabric, "rail_5") == Component{Kind::rail, 4});
  CHECK(switch_name(build_fabric({.nodes = 12'544}), 3 * 3136) == "super_core_1");
}

TEST_CASE("names that nothing has are unknown, with the nearest name", "[fabric_names]") {
  const Fabric fabric = small();
  for (const char* name : {"", "leaf", "leaf_", "leaf_0", "leaf_01", "leaf_33", "leaf_1x", "spine_-1", "core_1",
                           "leaf_1.to_leaf_2", "leaf_1.", "node_1", "node_1.rail_9", "node_128.rail_1", "rail_9",
                           "spine_1.to_leaf_1", "manager_5.port", "leaf_99999999999999999999"})
    CHECK_FALSE(find_component(fabric, name));
  CHECK(unknown_name(fabric, "leef_3") == "the fabric has no 'leef_3': did you mean 'leaf_3'?");
  CHECK(unknown_name(fabric, "leaf_33") == "the fabric has no 'leaf_33': it has leaf_1 to leaf_32");
  CHECK(unknown_name(fabric, "leaf_12.to_spin_3") ==
        "the fabric has no 'leaf_12.to_spin_3': did you mean 'leaf_12.to_spine_3'?");
  CHECK(unknown_name(fabric, "lef_12.to_spine_3") ==
        "the fabric has no 'lef_12.to_spine_3': did you mean 'leaf_12.to_spine_3'?");
  CHECK(unknown_name(fabric, "node_7.rial_5") == "the fabric has no 'node_7.rial_5': did you mean 'node_7.rail_5'?");
  CHECK(unknown_name(fabric, "node_200.rail_1") == "the fabric has no 'node_200.rail_1': it has node_1 to node_127");
  CHECK(unknown_name(fabric, "toaster") == "the fabric has no 'toaster'");
}

TEST_CASE("all mistakes in a list of failures are reported at once", "[fabric_names]") {
  const Fabric fabric = small();
  const std::vector<Impairment> wrong{{"leaf_1.to_spine_3"}, {"leaf_1.to_spine_3", 0.5}, {"spin_3"}, {"leaf_2", 1.5}};
  CHECK(mistakes_in(fabric, wrong) ==
        std::vector<std::string>{"'leaf_1.to_spine_3' is named twice",
                                 "the fabric has no 'spin_3': did you mean 'spine_3'?",
                                 "'leaf_2' cannot have 1.5 of its bandwidth: a fraction is from 0 to 1"});
  const std::vector<Impairment> right{{"leaf_1.to_spine_3"}, {"spine_3", 0.5}, {"rail_2"}, {"node_7.nvlink_5", 0.5}};
  CHECK(mistakes_in(fabric, right).empty());
  const FabricHealth health = health_with(fabric, right);
  CHECK(health.nvlink_fraction[6 * 8 + 4] == 0.5);
  const auto live = [&](const char* name) {
    return live_b_per_s(fabric, health, find_component(fabric, name)->number);
  };
  CHECK(live("leaf_1.to_spine_3") == 0.0);
  CHECK(live("leaf_3.to_spine_3") == 0.5 * 2 * 50e9);
  CHECK(live("leaf_3.to_spine_4") == 2 * 50e9);
  CHECK(live("node_100.rail_2") == 0.0);
  CHECK(live("leaf_10.to_spine_4") == 0.0);
  CHECK(node_b_per_s(fabric, health, 0) == 7 * 50e9);
}
