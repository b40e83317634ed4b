// Columns of a modelled fabric against what was taken from it: a switch that failed, a link that failed and slow ones, counted by hand.
#include <algorithm>
#include <map>
#include <string>

#include "tests/support/catch.hpp"
#include "tests/support/halls/small_hall.hpp"
#include "twin/build/plant_builder.hpp"
#include "twin/plant/state/plant_state.hpp"
#include "twin/run/recording/recorder.hpp"

using namespace wattloop;
using namespace wattloop::twin;
using network::Component;

namespace {

/// 64 nodes, two units of 32 with 8 leaves each, below spines.
struct FabricOfHall {
  Scenario scenario = of_fabric();
  Plant plant = build_plant(scenario);
  PlantState state = initial_state(plant);
  Evaluation evaluation{plant};

  static Scenario of_fabric() {
    Scenario scenario = tests::small_hall_scenario();
    scenario.network.fabric.kind = "fat_tree";
    return scenario;
  }
  const network::Fabric& fabric() const { return plant.fabric->fabric; }

  void lose(const Component& component, int percent) {
    state.fabric.losses.push_back(
        {static_cast<std::uint32_t>(part_number(fabric(), component)), static_cast<std::uint8_t>(percent)});
    std::ranges::sort(state.fabric.losses, {}, &FabricLoss::part);
  }
  /// By the names of items.
  std::map<std::string, double> column(const std::string& group, const std::string& name) const {
    std::map<std::string, double> values;
    for (const RecordedTable& table : fabric_tables(*plant.fabric, scenario.record)) {
      if (table.spec.group != group) continue;
      for (const RecordedColumn& one : table.columns) {
        if (one.spec.name != name) continue;
        std::vector<double> filled(table.spec.items.size());
        one.fill(PlantSnapshot{plant, state, evaluation}, filled);
        for (std::size_t item = 0; item < filled.size(); ++item) {
          values[table.spec.items[item]] = filled[item];
          CHECK(one.value(PlantSnapshot{plant, state, evaluation}, item) == filled[item]);
        }
      }
    }
    return values;
  }
};

}  // namespace

TEST_CASE("tiers of a fabric count switches that failed, and links that failed, are slow, or are of such a switch",
          "[results][recorded_fabric]") {
  FabricOfHall hall;
  const double leaves = 16.0, nodes_of_leaf = 32.0;
  CHECK(hall.column("fabric_tiers", "switches").at("leaf") == leaves);
  CHECK(hall.column("fabric_tiers", "links").at("leaf") == leaves * nodes_of_leaf);
  CHECK(hall.column("fabric_tiers", "impaired_links").at("leaf") == 0.0);
  hall.lose({Component::Kind::network_switch, 11}, 100);
  const double up = double(hall.fabric().first_up_link[12]) - double(hall.fabric().first_up_link[11]);
  CHECK(hall.column("fabric_tiers", "failed_switches") == std::map<std::string, double>{{"leaf", 1.0}, {"spine", 0.0}});
  CHECK(hall.column("fabric_tiers", "impaired_links").at("leaf") == nodes_of_leaf);
  CHECK(hall.column("fabric_tiers", "impaired_links").at("spine") == up);
  const std::map<std::string, double> states = hall.column("fabric_switches", "state");
  CHECK(states.at("leaf_12") == 1.0);
  CHECK(std::ranges::count_if(states, [](const auto& one) { return one.second != 0.0; }) == 1);
  // Two links of nodes to leaf_1, one at half of its bandwidth and one without any, and one link of leaf_1 to a spine at three quarters.
  hall.lose({Component::Kind::link, hall.fabric().node_link(0, 0)}, 50);
  hall.lose({Component::Kind::link, hall.fabric().node_link(1, 0)}, 100);
  hall.lose({Component::Kind::link, hall.fabric().first_up_link[0]}, 25);
  CHECK(hall.column("fabric_tiers", "impaired_links").at("leaf") == nodes_of_leaf + 2.0);
  CHECK(hall.column("fabric_tiers", "impaired_links").at("spine") == up + 1.0);
  CHECK(hall.column("fabric_tiers", "failed_switches").at("leaf") == 1.0);
}

TEST_CASE("loads of a fabric are those of their own tier, mean and most, and of their own switch",
          "[results][recorded_fabric]") {
  FabricOfHall hall;
  CHECK(hall.column("fabric_tiers", "mean_link_load").at("leaf") == 0.0);  // until jobs are known
  hall.state.fabric.block_mean_fraction = {0.11, 0.12};
  hall.state.fabric.block_most_fraction = {0.51, 0.52};
  hall.state.fabric.switch_traffic.assign(hall.fabric().switch_count(), 0.0);
  hall.state.fabric.switch_traffic[3] = 0.33;
  CHECK(hall.column("fabric_tiers", "mean_link_load") ==
        std::map<std::string, double>{{"leaf", 0.11}, {"spine", 0.12}});
  CHECK(hall.column("fabric_tiers", "max_link_load") == std::map<std::string, double>{{"leaf", 0.51}, {"spine", 0.52}});
  CHECK(hall.column("fabric_switches", "traffic").at("leaf_4") == 0.33);
}
