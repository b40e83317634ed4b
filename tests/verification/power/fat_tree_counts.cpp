// Switch and cable counts against the published tables of the DGX SuperPOD
// [superpod_b200_reference_architecture]: exact integers. data/equipment/superpod_counts.csv:
// ref,SU,nodes,gpus,leaf,spine,core,node_leaf_cables,leaf_spine_cables,spine_core_cables
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "network/fat_tree.hpp"
#include "network/switch_power.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/verification.hpp"

using wattloop::network::fat_tree;
using wattloop::network::FatTree;
using wattloop::network::FatTreeParams;

namespace {

struct PublishedRow {
  std::string reference;
  std::vector<int> numbers;  ///< SU, nodes, gpus, leaf, spine, core, three cable counts
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
    for (std::string cell; row.numbers.size() < 9 && std::getline(cells, cell, ',');) {
      row.numbers.push_back(std::stoi(cell));
    }
    rows.push_back(row);
  }
  return rows;
}

}  // namespace

TEST_CASE("the fat tree has the switches and cables of every published B200 SuperPOD size", "[fat_tree]") {
  int rows = 0;
  for (const PublishedRow& row : published_rows()) {
    if (row.reference.rfind("B200", 0) != 0) continue;
    ++rows;
    INFO(row.reference << ", " << row.numbers[1] << " nodes");
    const FatTree tree = fat_tree(FatTreeParams{}, row.numbers[1]);
    CHECK(tree.scalable_units == row.numbers[0]);
    CHECK(tree.leaf_switches() == row.numbers[3]);
    CHECK(tree.spine_switches() == row.numbers[4]);
    CHECK(tree.core_switches() == row.numbers[5]);
    wattloop::tests::report_verification(
        {"fat tree of " + std::to_string(row.numbers[1]) + " nodes", "superpod_b200_reference_architecture", "switches",
         static_cast<double>(tree.all_switches()),
         static_cast<double>(row.numbers[3] + row.numbers[4] + row.numbers[5]), 0.0, "1"});
    CHECK(tree.cables[0] == row.numbers[6]);
    CHECK(tree.cables[1] == row.numbers[7]);
    CHECK((tree.cables.size() > 2 ? tree.cables[2] : 0) == row.numbers[8]);
  }
  CHECK(rows == 6);
}

TEST_CASE("1,280 nodes need 320 leaf, 320 spine and 160 core switches", "[fat_tree]") {
  // 10,240 ports at 32 a leaf; every tier below the top has as many ports up as down; a core switch has 64
  // down.
  const FatTree tree = fat_tree(FatTreeParams{}, 1280);
  CHECK(tree.leaf_switches() == 320);
  CHECK(tree.spine_switches() == 320);
  CHECK(tree.core_switches() == 160);
  CHECK(tree.all_switches() == 800);
}

TEST_CASE("radix 64 reaches 2,048 ports with two tiers and 65,536 with three", "[fat_tree]") {
  CHECK(fat_tree(FatTreeParams{}, 256).switches.size() == 2);
  CHECK(fat_tree(FatTreeParams{}, 257).switches.size() == 3);
  CHECK(fat_tree(FatTreeParams{}, 8192).switches.size() == 3);
  CHECK(fat_tree(FatTreeParams{}, 8193).switches.size() == 4);
}

TEST_CASE("no switch of a fat tree has more cables than ports", "[fat_tree]") {
  for (const int nodes : {1, 8, 31, 32, 33, 95, 127, 257, 1280, 12800}) {
    for (const int radix : {8, 40, 64, 128}) {
      const FatTree tree = fat_tree(FatTreeParams{.radix = radix}, nodes);
      INFO(nodes << " nodes, radix " << radix);
      for (std::size_t tier = 0; tier < tree.switches.size(); ++tier) {
        const int above = tier + 1 < tree.cables.size() ? tree.cables[tier + 1] : 0;
        CHECK(tree.cables[tier] + above <= tree.switches[tier] * radix);
      }
    }
  }
}

TEST_CASE("a fat tree refuses odd radix, no rails and negative nodes, and is empty without nodes", "[fat_tree]") {
  CHECK_THROWS_AS(fat_tree(FatTreeParams{.radix = 63}, 8), std::invalid_argument);
  CHECK_THROWS_AS(fat_tree(FatTreeParams{.radix = 64, .rails = 0}, 8), std::invalid_argument);
  CHECK_THROWS_AS(fat_tree(FatTreeParams{}, -1), std::invalid_argument);
  CHECK(fat_tree(FatTreeParams{}, 0).all_switches() == 0);
}

TEST_CASE("without a typical power 800 switches draw 0.6 MW idle and 1.376 MW at full traffic", "[switch_power]") {
  // 64-port NDR switch: 1.72 kW at most [qm9700_power]; 747 W typical with passive copper cables.
  constexpr wattloop::network::SwitchParams params{.idle_w = 747.0, .max_w = 1720.0};
  const int switches = fat_tree(FatTreeParams{}, 1280).all_switches();
  CHECK(switches * switch_power_w(params, 0.0) == Approx(597.6e3).epsilon(1e-12));
  CHECK(switches * switch_power_w(params, 1.0) == Approx(1.376e6).epsilon(1e-12));
  CHECK(switch_power_w(params, 0.5) == Approx(1233.5).epsilon(1e-12));
  CHECK(switch_power_w(params, 7.0) == 1720.0);
}

TEST_CASE("a switch goes from idle over its typical power to its maximum", "[switch_power]") {
  constexpr wattloop::network::SwitchParams params{
      .idle_w = 1170.0, .typical_w = 1227.0, .typical_traffic_fraction = 0.5, .max_w = 1720.0};
  CHECK(switch_power_w(params, 0.0) == 1170.0);
  CHECK(switch_power_w(params, 0.25) == Approx(1198.5).epsilon(1e-12));
  CHECK(switch_power_w(params, 0.5) == Approx(1227.0).epsilon(1e-12));
  CHECK(switch_power_w(params, 0.75) == Approx(1473.5).epsilon(1e-12));
  CHECK(switch_power_w(params, 1.0) == 1720.0);
  CHECK(check(params).empty());
}

TEST_CASE("powers of a switch that fall with traffic are refused", "[switch_power]") {
  using wattloop::network::SwitchParams;
  CHECK(check(SwitchParams{.idle_w = 1300.0, .typical_w = 1227.0, .max_w = 1720.0}) ==
        std::vector<std::string>{"typical_power of a switch is below its idle_power"});
  CHECK(check(SwitchParams{.idle_w = 1100.0, .typical_w = 1227.0, .max_w = 1200.0}) ==
        std::vector<std::string>{"max_power of a switch is below its typical_power"});
  CHECK(check(SwitchParams{.idle_w = 1100.0, .max_w = 1000.0}) ==
        std::vector<std::string>{"max_power of a switch is below its idle_power"});
}

// Powers of a switch contain its optics, which never sleep: they draw at most what the switch draws without traffic.
TEST_CASE("optics that draw more than a switch without traffic are refused", "[switch_power]") {
  using wattloop::network::SwitchParams;
  CHECK(check(SwitchParams{.idle_w = 1100.0, .max_w = 1720.0, .optics_w = 1100.0}).empty());
  CHECK(check(SwitchParams{.idle_w = 1100.0, .max_w = 1720.0, .optics_w = 1101.0}) ==
        std::vector<std::string>{"optics_power of a switch is above its idle_power"});
  CHECK(check(SwitchParams{.idle_w = 1300.0, .typical_w = 1227.0, .max_w = 1000.0, .optics_w = 1500.0}) ==
        std::vector<std::string>{"typical_power of a switch is below its idle_power",
                                 "optics_power of a switch is above its idle_power",
                                 "max_power of a switch is below its typical_power"});
}
