// Switches and cables of a fabric, counted on its graph, against the published sizes of SuperPODs and against the rule of network/fat_tree.hpp.
// data/equipment/superpod_counts.csv: ref,SU,nodes,gpus,leaf,spine,core,node_leaf_cables,leaf_spine_cables,spine_core_cables
#include <fstream>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "network/fabric/fabric.hpp"
#include "network/fat_tree.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/verification.hpp"

using namespace wattloop::network;
using Catch::Matchers::Contains;

namespace {

struct PublishedRow {
  std::string reference;
  std::vector<std::size_t> numbers;  ///< SU, nodes, gpus, leaf, spine, core, three cable counts
};

std::vector<PublishedRow> published_rows() {
  std::ifstream file(wattloop::tests::reference_data() + "/equipment/superpod_counts.csv");
  REQUIRE(file);
  std::vector<PublishedRow> rows;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::istringstream cells(line);
    PublishedRow row;
    std::getline(cells, row.reference, ',');
    for (std::string cell; row.numbers.size() < 9 && std::getline(cells, cell, ',');)
      row.numbers.push_back(std::stoul(cell));
    rows.push_back(row);
  }
  return rows;
}

/// H100: four ports for two fabric managers, equal links. B300: spines of one rail each, of whose 144 ports 64 are in use.
FabricParams params_of(const PublishedRow& row) {
  FabricParams params{.nodes = static_cast<int>(row.numbers[1])};
  if (row.reference.starts_with("H100")) {
    params.has_equal_links = true;
    params.manager_ports = 4;
  }
  if (row.reference.starts_with("B300")) params.spines = SpineLayout::by_rail;
  return params;
}

std::size_t at(const std::vector<std::size_t>& counts, std::size_t tier) {
  return tier < counts.size() ? counts[tier] : 0;
}

std::string source_of(const PublishedRow& row) {
  if (row.reference.starts_with("H100")) return "superpod_h100_reference_architecture";
  return row.reference.starts_with("B300") ? "superpod_b300_reference_architecture"
                                           : "superpod_b200_reference_architecture";
}

}  // namespace

TEST_CASE("counts by traversal equal every published size of a SuperPOD", "[verification][fabric]") {
  const std::vector<PublishedRow> rows = published_rows();
  CHECK(rows.size() == 15);
  for (const PublishedRow& row : rows) {
    INFO(row.reference << ", " << row.numbers[1] << " nodes");
    const FabricCounts counts = count_by_traversal(build_fabric(params_of(row)));
    for (std::size_t tier = 0; tier < 3; ++tier) {
      CHECK(at(counts.switches, tier) == row.numbers[3 + tier]);
      CHECK(at(counts.cables, tier) == row.numbers[6 + tier]);
      CHECK(at(counts.most_ports, tier) <= 64);
    }
    const auto switches = std::accumulate(counts.switches.begin(), counts.switches.end(), std::size_t{0});
    wattloop::tests::report_verification(
        {fmt::format("graph of the fabric of {} nodes, {}", row.numbers[1], row.reference), source_of(row), "switches",
         double(switches), double(row.numbers[3] + row.numbers[4] + row.numbers[5]), 0.0, "1", "published"});
  }
}

TEST_CASE("equal links of 95 nodes need 16 spines, and 12 where links may differ by one", "[verification][fabric]") {
  FabricParams params{.nodes = 95};
  CHECK(count_by_traversal(build_fabric(params)).switches == std::vector<std::size_t>{24, 12});
  params.has_equal_links = true;
  const Fabric fabric = build_fabric(params);
  CHECK(count_by_traversal(fabric).switches == std::vector<std::size_t>{24, 16});
  for (std::size_t link = fabric.tier_link[1]; link < fabric.link_count(); ++link) CHECK(fabric.link_cables[link] == 2);
}

TEST_CASE("counts by traversal equal the rule of the fat tree", "[verification][fabric]") {
  for (const int radix : {16, 32, 64, 128}) {
    for (const int nodes : {1, 8, 31, 33, 95, 256, 257, 511, 1280, 2048, 2500}) {
      INFO(nodes << " nodes, radix " << radix);
      const FatTree tree = fat_tree({.radix = radix}, nodes);
      const FabricCounts counts = count_by_traversal(build_fabric({.nodes = nodes, .radix = radix}));
      CHECK(counts.switches == std::vector<std::size_t>(tree.switches.begin(), tree.switches.end()));
      CHECK(counts.cables == std::vector<std::size_t>(tree.cables.begin(), tree.cables.end()));
      for (const std::size_t ports : counts.most_ports) CHECK(ports <= std::size_t(radix));
    }
  }
}

TEST_CASE("beyond 65536 ports a fabric states the tier or the oversubscription that it took",
          "[verification][fabric]") {
  FabricParams params{.nodes = 12'544};
  const Fabric four = build_fabric(params);
  CHECK(count_by_traversal(four).switches == std::vector<std::size_t>{3136, 3136, 3136, 1568});
  REQUIRE(four.shape.remarks.size() == 1);
  CHECK(four.shape.remarks[0] == "3 tiers of radix 64 reach 8192 nodes, and the fabric has 12544: it has 4 tiers");
  params.tiers = 3;
  const Fabric three = build_fabric(params);
  CHECK(three.tiers() == 3);
  REQUIRE(three.shape.remarks.size() == 1);
  CHECK_THAT(three.shape.remarks[0], Contains("switches of tier 2 are oversubscribed 7 : 1"));
  CHECK(build_fabric({.nodes = 8192}).shape.remarks.empty());
}

TEST_CASE("islands at 4 to 1 have a quarter of their bandwidth above them", "[verification][fabric]") {
  const Fabric fabric = build_fabric({.nodes = 12'288, .oversubscription = {1.0, 1.0, 4.0}, .island_nodes = 2048});
  const FabricCounts counts = count_by_traversal(fabric);
  CHECK(fabric.tiers() == 4);
  CHECK(fabric.shape.islands == 6);
  CHECK(fabric.shape.remarks == std::vector<std::string>{"6 islands of 2048 nodes need 4 tiers"});
  CHECK(fabric.shape.ports[2].down == 51);
  CHECK(counts.cables[1] == 98'304);
  CHECK(counts.cables[2] == 98'304);
  CHECK(double(counts.cables[2]) / double(counts.cables[3]) == Approx(51.0 / 13.0).epsilon(0.01));
  CHECK(fabric.switch_island[fabric.tier_switch[0]] == 0);
  CHECK(fabric.switch_island[fabric.tier_switch[1] - 1] == 5);
  CHECK(fabric.switch_island[fabric.tier_switch[3]] == no_island);
  CHECK(build_fabric({.nodes = 1280, .oversubscription = {1.0, 1.0, 4.0}, .island_nodes = 2048}).tiers() == 3);
}

TEST_CASE("a Clos has all ports of a node on one leaf", "[verification][fabric]") {
  const Fabric fabric = build_fabric({.kind = FabricKind::ethernet_clos, .nodes = 64});
  CHECK(count_by_traversal(fabric).switches == std::vector<std::size_t>{16, 8});
  for (std::size_t rail = 0; rail < 8; ++rail) CHECK(fabric.link_upper[fabric.node_link(7, rail)] == 1);
  CHECK(fabric.switch_rail[0] == no_rail);
}
