// `breaker:` of a branch is a branch of its own in series: the same hall as with that branch written out.
#include <filesystem>
#include <string>
#include <vector>

#include "electrical/tree_voltages.hpp"
#include "tests/support/catch.hpp"
#include "twin/build/plant_builder.hpp"
#include "twin/ratings/power/fault_levels.hpp"
#include "twin/ratings/power/fault_table.hpp"
#include "twin/ratings/power/selectivity.hpp"
#include "twin/run/hall_run.hpp"
#include "twin/scenario/scenario_reader.hpp"

using namespace wattloop;
using namespace wattloop::twin;

namespace {

/// Main-tie-main with these changes of its one-line diagram.
Plant plant_with(const std::string& one_line) {
  const std::filesystem::path beside =
      std::filesystem::path(WATTLOOP_SOURCE_DIR) / "scenarios/one_line/with_breakers.yaml";
  return build_plant(
      read_scenario_text("extends: main_tie_main.yaml\npower:\n  one_line:\n" + one_line, beside.string()));
}

constexpr const char* by_key =
    "    branches:\n"
    "      transformer_a: { breaker: breaker_4000a }\n"
    "      pdu_a_1: { breaker: fuse_630a }\n";
constexpr const char* written_out =
    "    buses: { transformer_a.terminals: 400 V, pdu_a_1.terminals: 400 V }\n"
    "    branches:\n"
    "      transformer_a: { to: transformer_a.terminals }\n"
    "      transformer_a.breaker: { from: transformer_a.terminals, to: lv_a, hardware: breaker_4000a, modules: 2 }\n"
    "      pdu_a_1: { from: pdu_a_1.terminals }\n"
    "      pdu_a_1.breaker: { from: ups_a.output, to: pdu_a_1.terminals, hardware: fuse_630a }\n";

}  // namespace

TEST_CASE("a breaker of a branch is the same as a branch in series, behind transformers and before all else",
          "[power][one_line]") {
  const Plant plant = plant_with(by_key), drawn = plant_with(written_out);
  const electrical::PowerTree &a = plant.power_tree, &b = drawn.power_tree;
  REQUIRE(a.branch_name.size() == b.branch_name.size());
  for (std::size_t branch = 0; branch < a.branch_name.size(); ++branch) {
    const auto same = electrical::find_branch(b, a.branch_name[branch]);
    INFO(a.branch_name[branch]);
    REQUIRE(same);
    const auto bus = [](const electrical::PowerTree& tree, int number) {
      return tree.bus_name[static_cast<std::size_t>(number)];
    };
    CHECK(bus(a, a.branch_from[branch]) == bus(b, b.branch_from[*same]));
    CHECK(bus(a, a.branch_to[branch]) == bus(b, b.branch_to[*same]));
    CHECK(a.branch_modules[branch] == b.branch_modules[*same]);
    CHECK(a.branch_rated_w[branch] == b.branch_rated_w[*same]);
  }
  CHECK(electrical::nominal_voltages(a) == electrical::nominal_voltages(b));
}

TEST_CASE("a breaker of a branch is no equipment of its own that check takes out", "[power][one_line]") {
  const Plant plain = plant_with("    buses: {}\n"), plant = plant_with(by_key);
  CHECK(plant.switch_rules.may_be_out == plain.switch_rules.may_be_out);
}

TEST_CASE("an interlock of a branch is one of its breaker, so that a tie closes when its feed is dead",
          "[power][one_line][run]") {
  const Plant plant = plant_with(by_key);
  REQUIRE(plant.switch_rules.interlocks.size() == 1);
  std::vector<std::string> names;
  for (const std::size_t branch : plant.switch_rules.interlocks.front().branches)
    names.push_back(plant.power_tree.branch_name[branch]);
  CHECK(names == std::vector<std::string>{"transformer_a.breaker", "transformer_b", "tie"});
  const std::filesystem::path beside =
      std::filesystem::path(WATTLOOP_SOURCE_DIR) / "scenarios/one_line/with_breakers.yaml";
  HallRun run(read_scenario_text(std::string("extends: main_tie_main.yaml\nduration: 4 min\npower:\n  one_line:\n") +
                                     by_key + "events: [ { at: 1 min, open: utility_a } ]\n",
                                 beside.string()));
  run.begin();
  run.advance_to(240.0);
  const auto happened = [&](const char* target, const char* kind) {
    return std::ranges::any_of(run.events(), [&](const EventRecord& event) {
      return event.target == target && event.kind == kind && event.detail.find("stays open") == std::string::npos;
    });
  };
  CHECK(happened("tie", "transfer"));
  CHECK(happened("ups_a", "off_battery"));
}

TEST_CASE("a breaker and its transformer need no order, and what it interrupts is compared with its fault level",
          "[power][one_line][selectivity]") {
  const Plant plant = plant_with(by_key);
  for (const CheckRow& row : protection_rows(plant.power_tree, true)) {
    CHECK(row.of != "selectivity of transformer_a and transformer_a.breaker");
    CHECK(row.of != "selectivity of pdu_a_1.breaker and pdu_a_1");
  }
  const std::vector<CheckRow> rows = fault_level_rows(plant.power_tree);
  for (const char* name : {"transformer_a.breaker", "pdu_a_1.breaker"}) {
    const bool is_there = std::ranges::any_of(rows, [&](const CheckRow& row) {
      return row.name == name && row.quantity.ends_with("fault level of its bus") && row.is_met();
    });
    CHECK(is_there);
  }
}

TEST_CASE("the table of fault levels has what check compares, and what breakers there interrupt",
          "[power][one_line][short_circuit]") {
  const Plant plant = plant_with(by_key);
  const std::vector<BusFaultLevels> table = fault_table(plant.power_tree);
  const auto at = [&](const char* bus) {
    const auto found = std::ranges::find(table, bus, &BusFaultLevels::bus);
    REQUIRE(found != table.end());
    return *found;
  };
  for (const CheckRow& row : fault_level_rows(plant.power_tree)) {
    if (row.name != "transformer_a.breaker") continue;
    CHECK(std::max(at("lv_a").largest_a, at("lv_a").largest_earth_a) == row.value);
    CHECK(at("lv_a").breaking_a <= row.limit);
  }
  CHECK(at("lv_a").smallest_a < at("lv_a").largest_a);
  CHECK(at("lv_a").largest_earth_a > 0.9 * at("lv_a").largest_a);
  CHECK(at("feed_a").largest_earth_a == 0.0);
  CHECK(at("pdu_a_1.terminals").largest_a > 0.0);
}

// docs/models/overcurrent.md, "Making a path selective".
TEST_CASE("the path of the page on selectivity is not selective, and is with twice the time of its main",
          "[power][one_line][selectivity]") {
  const auto rows_with = [](const char* of_main) {
    std::vector<CheckRow> rows = protection_rows(
        plant_with(std::string("    branches:\n      transformer_a: { breaker: { hardware: breaker_1600a, "
                               "with: { curve: iec_very_inverse") +
                   of_main +
                   " } } }\n      pdu_a_1: { breaker: { hardware: breaker_1600a, with: { rated_current: "
                   "630 A, curve: iec_very_inverse } } }\n")
            .power_tree,
        true);
    std::erase_if(rows, [](const CheckRow& row) { return !row.of.starts_with("selectivity of "); });
    return rows;
  };
  const std::vector<CheckRow> rows = rows_with("");
  REQUIRE(rows.size() == 2);
  CHECK(rows.front().of == "selectivity of transformer_a.breaker and pdu_a_1.breaker");
  CHECK(rows.back().of == "selectivity of transformer_a.breaker and pdu_a_2");
  CHECK(rows.front().value == Approx(0.112).margin(5e-4));
  CHECK_THAT(rows.front().quantity, Catch::Matchers::StartsWith("for currents of 15.4 kA to 25.93 kA"));
  CHECK(rows_with(", time_multiplier: 0.2").empty());
}
