// Blocks of power with several low-voltage buses: what stands at each of them, and what is lost with one. Expected values by hand.
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/text/problem.hpp"
#include "tests/support/catch.hpp"
#include "twin/build/plant_builder.hpp"
#include "twin/scenario/scenario_reader.hpp"

using namespace wattloop;
using namespace wattloop::twin;

namespace {

using Texts = std::vector<std::string>;

const std::filesystem::path hall_10k = std::filesystem::path(WATTLOOP_SOURCE_DIR) / "scenarios/h100_10k.yaml";

const electrical::PowerTree& tree_of_hall() {
  static const Plant plant = build_plant(read_scenario(hall_10k));
  return plant.power_tree;
}

std::string bus_before(const electrical::PowerTree& tree, const std::string& branch) {
  return tree.bus_name[static_cast<std::size_t>(tree.branch_from[*electrical::find_branch(tree, branch)])];
}

std::string bus_of_source(const electrical::PowerTree& tree, const std::string& source) {
  return tree.bus_name[static_cast<std::size_t>(tree.source_bus[*electrical::find_source(tree, source)])];
}

/// What the reference hall is refused for with these overrides, with the hint of each.
Texts refused(const Texts& overrides) {
  Texts texts;
  try {
    read_scenario(hall_10k, overrides);
  } catch (const InputError& error) {
    for (const Problem& problem : error.problems()) texts.push_back(problem.message + " | " + problem.hint);
  }
  return texts;
}

}  // namespace

TEST_CASE("each unit substation has a transformer, a generator, a UPS of two modules and three PDUs",
          "[blocks][scenario]") {
  const electrical::PowerTree& tree = tree_of_hall();
  for (const char* side : {"a", "b"}) {
    for (int unit = 1; unit <= 8; ++unit) {
      const std::string at = fmt::format("{}_{}", side, unit);
      CHECK(bus_before(tree, "transformer_" + at) == fmt::format("substation_{}.output", side));
      CHECK(bus_of_source(tree, "generator_" + at) == fmt::format("transformer_{}.output", at));
      CHECK(bus_before(tree, "ups_" + at) == fmt::format("transformer_{}.output", at));
      CHECK(bus_before(tree, fmt::format("ups_{}.bypass", at)) == fmt::format("transformer_{}.output", at));
      for (int pdu = 3 * unit - 2; pdu <= 3 * unit; ++pdu)
        CHECK(bus_before(tree, fmt::format("pdu_{}_{}", side, pdu)) == fmt::format("ups_{}.output", at));
      const std::size_t ups = *electrical::find_branch(tree, "ups_" + at);
      CHECK(tree.branch_modules[ups] == 2);
      CHECK(tree.branch_rated_w[ups] == 3e6);
      CHECK(tree.module_name[tree.branch_first_module[ups] + 1] == fmt::format("ups_{}.module_2", at));
      CHECK(tree.branch_rated_w[*electrical::find_branch(tree, fmt::format("ups_{}.bypass", at))] == 3e6);
    }
  }
  CHECK_FALSE(electrical::find_branch(tree, "pdu_a_25"));
  CHECK_FALSE(electrical::find_branch(tree, "transformer_a"));
}

// Racks are numbered through, and go to 24 PDUs in turn: PDUs 7 to 9 of the third unit have 7 of 160 each.
TEST_CASE("a transformer that is lost moves an eighth of the racks of its side to the other", "[blocks][power_tree]") {
  const electrical::PowerTree& tree = tree_of_hall();
  electrical::SwitchState switches = electrical::normal_switch_state(tree);
  switches.branch_closed[*electrical::find_branch(tree, "transformer_a_3")] = 0;
  CHECK(electrical::energise(tree, switches).empty());
  std::size_t moved = 0;
  for (std::size_t load = 0; load < tree.load_name.size(); ++load) {
    const std::string& name = tree.load_name[load];
    if (!name.starts_with("row_") || name.ends_with("door_fans")) continue;
    const std::string& first = tree.bus_name[static_cast<std::size_t>(tree.load_bus[load][0])];
    const bool is_on_it = first == "pdu_a_7.output" || first == "pdu_a_8.output" || first == "pdu_a_9.output";
    CHECK(switches.cord_share[load][0] == (is_on_it ? 0.0 : 0.5));
    CHECK(switches.cord_share[load][1] == (is_on_it ? 1.0 : 0.5));
    moved += is_on_it ? 1 : 0;
  }
  CHECK(moved == 21);
}

TEST_CASE("motors are laid over the low-voltage buses of both sides in turn", "[blocks][scenario]") {
  const electrical::PowerTree& tree = tree_of_hall();
  std::vector<int> motors_at(tree.bus_name.size(), 0);
  for (std::size_t load = 0; load < tree.load_name.size(); ++load) {
    if (tree.load_transfers[load] == 0) continue;
    ++motors_at[static_cast<std::size_t>(tree.load_bus[load][0])];
    const std::string &first = tree.bus_name[static_cast<std::size_t>(tree.load_bus[load][0])],
                      &second = tree.bus_name[static_cast<std::size_t>(tree.load_bus[load][1])];
    INFO(tree.load_name[load] << ": " << first << ", " << second);
    CHECK(first.substr(first.size() - 9) == second.substr(second.size() - 9));  // of one number: "_3.output"
    CHECK(first != second);
  }
  for (const char* bus : {"transformer_a_1.output", "transformer_a_8.output", "transformer_b_1.output"}) {
    const auto place = std::ranges::find(tree.bus_name, bus);
    REQUIRE(place != tree.bus_name.end());
    CHECK(motors_at[static_cast<std::size_t>(place - tree.bus_name.begin())] > 0);
  }
}

TEST_CASE("equipment that cannot be divided among the buses is refused, all at once", "[blocks][scenario][mistakes]") {
  CHECK(refused({"power.generators.count=6", "power.ups.modules=12", "power.pdus.count=20"}) ==
        Texts{"6 generators cannot be divided equally among 8 low-voltage buses | count: 8",
              "20 PDUs cannot be divided equally among 8 low-voltage buses | count: 16 or 24",
              "12 UPS modules cannot be divided equally among 8 low-voltage buses | modules: 8 or 16"});
  CHECK(refused({"power.transformers.low_voltage_buses=3"}).size() == 3);  // 24 PDUs can
  CHECK(refused({"power.transformers.low_voltage_buses=0"}).size() == 1);
  CHECK(refused({"power.ups.redundant=2"}) == Texts{"redundant is 2, but there are 2 modules at a low-voltage bus | "
                                                    "write at most 1: the others carry the whole load"});
}
