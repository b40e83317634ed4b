// Nodes that a fabric cut in two separates are named.
#include "network/fabric/connectivity.hpp"

#include <string>
#include <vector>

#include "tests/support/catch.hpp"

using namespace wattloop::network;

namespace {

using Sentences = std::vector<std::string>;

Sentences cuts(const Fabric& fabric, const std::vector<Impairment>& impairments) {
  return cuts_in(fabric, health_with(fabric, impairments));
}

}  // namespace

TEST_CASE("a fabric without its spines is cut between its units", "[connectivity]") {
  const Fabric fabric = build_fabric({.nodes = 70, .radix = 64, .rails = 1});
  CHECK(fabric.switches_of(1) == 2);
  CHECK(cuts(fabric, {}).empty());
  CHECK(cuts(fabric, {{"spine_1"}}).empty());
  CHECK(cuts(fabric, {{"spine_1"}, {"spine_2"}}) == Sentences{"node_1 to node_32 cannot reach node_33 to node_64",
                                                              "node_1 to node_32 cannot reach node_65 to node_70",
                                                              "node_33 to node_64 cannot reach node_65 to node_70"});
  CHECK(cuts(fabric, {{"leaf_2.to_spine_1"}, {"leaf_2.to_spine_2"}, {"node_69.rail_1"}}) ==
        Sentences{"node_1 to node_32, node_65 to node_68, node_70 cannot reach node_33 to node_64",
                  "no port of node_69 is live"});
}

TEST_CASE("nodes with another rail are not cut off, and pass nothing on between rails", "[connectivity]") {
  const Fabric fabric = build_fabric({.nodes = 64, .rails = 2, .spines = SpineLayout::by_rail});
  CHECK(cuts(fabric, {}).empty());
  CHECK(cuts(fabric, {{"rail_1"}}).empty());
  CHECK(cuts(fabric, {{"leaf_1"}}).empty());  // nodes of the first unit have their second rail
  // Node 1 has only its first rail, node 40 only its second: all others reach both.
  CHECK(cuts(fabric, {{"node_1.rail_2"}, {"node_40.rail_1"}}) == Sentences{"node_1 cannot reach node_40"});
  CHECK(cuts(fabric, {{"rail_1"}, {"rail_2"}}) == Sentences{"no port of node_1 to node_64 is live"});
}
