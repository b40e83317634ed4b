// Everything that is wrong with a fabric is reported at once, in sentences.
#include <stdexcept>
#include <string>
#include <vector>

#include "network/fabric/fabric.hpp"
#include "tests/support/catch.hpp"

using namespace wattloop::network;

namespace {

using Sentences = std::vector<std::string>;

std::string only(const FabricParams& params) {
  const Sentences mistakes = mistakes_in(params);
  REQUIRE(mistakes.size() == 1);
  return mistakes[0];
}

}  // namespace

TEST_CASE("all mistakes in the numbers of a fabric are reported at once", "[fabric]") {
  CHECK(mistakes_in({.nodes = 1280}).empty());
  const FabricParams params{.nodes = 0,
                            .radix = 63,
                            .rails = 3,
                            .tiers = 1,
                            .oversubscription = {0.5, 1.0, -4.0},
                            .island_nodes = -1,
                            .manager_ports = -2,
                            .link_b_per_s = 0.0,
                            .nvlink_domain_gpus = 12};
  CHECK(mistakes_in(params) ==
        Sentences{"a fabric needs at least 1 node, not 0", "the radix of a fabric must be even and at least 4, not 63",
                  "8 GPUs of a node cannot be divided among 3 rails", "a fabric has 2 to 8 tiers, not 1",
                  "manager ports must be 0 or more, not -2", "an island needs at least 1 node, not -1",
                  "an NVLink domain of 12 GPUs does not consist of whole nodes of 8 GPUs",
                  "the oversubscription of tier 1 must be at least 1, not 0.5",
                  "the oversubscription of tier 3 must be at least 1, not -4",
                  "the bandwidth of a link must be positive"});
  CHECK_THROWS_AS(build_fabric(params), std::invalid_argument);
}

TEST_CASE("a radix that is smaller than rails need is a mistake", "[fabric]") {
  CHECK(only({.nodes = 8, .radix = 4}) ==
        "a radix of 4 is too small for 8 rails with 2 tiers: a spine needs a port down to each of the 8 leaves of a "
        "unit, and has 4; a radix of 16 is enough");
  CHECK(only({.kind = FabricKind::ethernet_clos, .nodes = 8, .radix = 8}) ==
        "a radix of 8 is too small for 8 rails: a leaf needs 8 ports for one node; a radix of 16 is enough");
  CHECK(mistakes_in({.nodes = 4, .radix = 8}).empty());
  CHECK(only({.nodes = 8, .radix = 8}) == "8 nodes are too many: 2 tiers of radix 8 reach 4 nodes");
  CHECK(only({.nodes = 5000, .radix = 4, .rails = 1}) == "5000 nodes are too many: 8 tiers of radix 4 reach 512 nodes");
}

TEST_CASE("islands that no block reaches, that are not whole, or that have no tier above are mistakes", "[fabric]") {
  CHECK(only({.nodes = 1280, .tiers = 3, .island_nodes = 256}) ==
        "an island of 256 nodes is larger than the 2 tiers below the top tier reach: 128 nodes");
  CHECK(only({.nodes = 1280, .island_nodes = 100}) ==
        "an island of 100 nodes does not consist of whole units of 32 nodes");
  CHECK(only({.nodes = 256, .tiers = 2, .island_nodes = 128}) ==
        "islands of 128 nodes need a tier above them, and there are 2 tiers");
  CHECK(only({.nodes = 64, .radix = 8, .rails = 1, .tiers = 3, .island_nodes = 4}) ==
        "16 islands of 4 nodes are more than a switch of the top tier has ports: 8");
  CHECK(only({.nodes = 64, .island_nodes = 32, .spines = SpineLayout::by_rail}) ==
        "spines by rail have no islands: write only one of the two");
  CHECK(only({.kind = FabricKind::ethernet_clos, .nodes = 64, .spines = SpineLayout::by_rail}) ==
        "spines by rail need a leaf for each rail, but a Clos network has one leaf for all rails");
}

TEST_CASE("nodes that stated tiers do not reach are a mistake where the oversubscription is stated too", "[fabric]") {
  CHECK(only({.nodes = 12'544, .tiers = 3, .oversubscription = {1.0, 4.0}}) ==
        "12544 nodes are too many: 3 tiers of radix 64 reach 12288 nodes");
  CHECK(only({.nodes = 2049, .spines = SpineLayout::by_rail}) ==
        "2049 nodes are too many: 2 tiers of radix 64 reach 2048 nodes");
  CHECK(only({.nodes = 1280, .manager_ports = 4}) == "4 manager ports are more than the 0 free ports of the leaves");
  CHECK(only({.nodes = 600'000}) == "600000 nodes with 8 rails have more than 4000000 ports");
}

TEST_CASE("oversubscription of tiers that a fabric does not have is remarked", "[fabric]") {
  const Fabric fabric = build_fabric({.nodes = 1280, .oversubscription = {1.0, 1.0, 4.0}});
  CHECK(fabric.shape.remarks ==
        Sentences{
            "oversubscription is stated for 3 tiers, and the fabric has 3: switches of the top tier have no links up"});
}
