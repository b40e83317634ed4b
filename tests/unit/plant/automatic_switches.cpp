// Ties, transfer switches and interlocks of diagrams as drawn, step by step: what closes when, what opens for it, when it goes back, and
// what people and protection change in that. Expected times by hand: the rules of the scenarios.
#include "twin/actions/power/automatic_switches.hpp"

#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/halls/switchyard.hpp"
#include "twin/actions/power/power_protection.hpp"

using namespace wattloop;
using namespace wattloop::twin;
using electrical::BranchMode;
using tests::Switchyard;
using tests::with_events;

namespace {

Switchyard main_tie_main(const std::string& list) {
  return Switchyard("scenarios/one_line/main_tie_main.yaml", with_events(list));
}

Switchyard with_transfer(const std::string& list) {
  return Switchyard("tests/unit/mistakes/base/one_line.yaml", with_events(list));
}

}  // namespace

TEST_CASE("a tie closes after its time, opens the dead main first, and goes back after the feed has returned",
          "[power][ties]") {
  Switchyard yard = main_tie_main("{ at: 100 s, open: utility_a, for: 200 s }");
  yard.until(101.9);
  CHECK_FALSE(yard.is_live("lv_a"));
  CHECK(yard.mode("ups_a") == BranchMode::on_battery);
  yard.until(102.0);
  CHECK(yard.carries("tie"));
  CHECK_FALSE(yard.is_closed("transformer_a"));
  CHECK(yard.is_live("lv_a"));
  CHECK(yard.mode("ups_a") == BranchMode::carrying);
  yard.until(599.9);  // the feed is back at 300 s and stays for 300 s
  CHECK(yard.carries("tie"));
  yard.until(600.0);
  CHECK_FALSE(yard.is_closed("tie"));
  CHECK(yard.carries("transformer_a"));
  CHECK(yard.transfers_of("tie") == std::vector<std::string>{"lv_a dead: closes after 2 s, transformer_a opens",
                                                             "lv_a fed again: opens, transformer_a closes"});
}

TEST_CASE("either end of a tie may be the dead one", "[power][ties]") {
  Switchyard yard = main_tie_main("{ at: 100 s, fail: transformer_b }");
  yard.until(200.0);
  const std::size_t tie = *electrical::find_branch(yard.plant.power_tree, "tie");
  REQUIRE(yard.carries("tie"));
  CHECK(electrical::ends_of_flow(yard.plant.power_tree, yard.state.switches, tie).first ==
        yard.plant.power_tree.branch_from[tie]);
  Switchyard other = main_tie_main("{ at: 100 s, fail: transformer_a }");
  other.until(200.0);
  REQUIRE(other.carries("tie"));
  CHECK(electrical::ends_of_flow(other.plant.power_tree, other.state.switches, tie).first ==
        other.plant.power_tree.branch_to[tie]);
}

TEST_CASE("a feed that flickers for less than the time of a tie does not close it", "[power][ties]") {
  Switchyard yard =
      main_tie_main("{ at: 100 s, open: utility_a, for: 1900 ms }, { at: 103 s, open: utility_a, for: 1900 ms }");
  yard.until(1000.0);
  CHECK(yard.transfers_of("tie").empty());
  CHECK(yard.carries("transformer_a"));
}

TEST_CASE("a tie goes back at once where the feed that it uses is lost, and the other is there", "[power][ties]") {
  Switchyard yard = main_tie_main("{ at: 100 s, open: utility_a, for: 100 s }, { at: 250 s, open: utility_b }");
  yard.until(249.0);
  CHECK(yard.carries("tie"));
  yard.until(250.0);
  CHECK(yard.carries("transformer_a"));
  CHECK_FALSE(yard.is_live("lv_b"));
  yard.until(252.0);
  CHECK(yard.carries("tie"));
  CHECK(yard.is_live("lv_b"));
}

TEST_CASE("people who close a failed main again part the buses at once", "[power][ties]") {
  Switchyard yard = main_tie_main("{ at: 100 s, fail: transformer_a, for: 100 s }");
  yard.until(199.0);
  CHECK(yard.carries("tie"));
  yard.until(200.0);
  CHECK_FALSE(yard.is_closed("tie"));
  CHECK(yard.carries("transformer_a"));
}

TEST_CASE("with both feeds lost nothing closes, and whichever returns first feeds both buses", "[power][ties]") {
  Switchyard yard = main_tie_main("{ at: 100 s, open: [utility_a, utility_b] }, { at: 500 s, close: utility_b }");
  yard.until(499.0);
  CHECK_FALSE(yard.is_closed("tie"));
  CHECK_FALSE(yard.is_live("lv_a"));
  yard.until(502.0);
  CHECK(yard.carries("transformer_b"));
  CHECK(yard.carries("tie"));
  CHECK(yard.is_live("lv_a"));
}

TEST_CASE("an event on a tie takes it out of its rule until it is restored", "[power][ties]") {
  Switchyard yard = main_tie_main(
      "{ at: 50 s, open: tie }, { at: 100 s, open: utility_a }, { at: 200 s, restore: tie }, { at: 300 s, fail: tie }");
  yard.until(150.0);
  CHECK_FALSE(yard.is_live("lv_a"));
  yard.until(202.0);
  CHECK(yard.carries("tie"));
  yard.until(300.0);
  CHECK_FALSE(yard.is_closed("tie"));
  CHECK_FALSE(yard.is_live("lv_a"));
}

TEST_CASE("a tie beside a main that protection has opened is locked out", "[power][ties]") {
  Switchyard yard = main_tie_main("");
  const std::size_t main = *electrical::find_branch(yard.plant.power_tree, "transformer_a");
  yard.state.time_s = 100.0;
  yard.state.switching.branch_is_open[main] = 1;
  lock_out_after_trip(yard.plant, main, yard.state);
  switch_power(yard.plant, yard.state, yard.events);
  yard.until(1000.0);
  CHECK_FALSE(yard.is_live("lv_a"));
  CHECK_FALSE(yard.is_closed("tie"));
}

TEST_CASE("a tie that a rule has closed is opened by its protection and stays open", "[power][ties]") {
  Switchyard yard = main_tie_main("{ at: 100 s, open: utility_a, for: 200 s }");
  yard.until(150.0);
  REQUIRE(yard.carries("tie"));
  PartOverload& overload = yard.state.overload.branches[*electrical::find_branch(yard.plant.power_tree, "tie")];
  overload.loading_ratio = 2.0;
  overload.is_used_up = true;
  CHECK(protect_power(yard.plant, true, yard.state, yard.events));
  switch_power(yard.plant, yard.state, yard.events);
  CHECK_FALSE(yard.is_closed("tie"));
  CHECK_FALSE(protect_power(yard.plant, true, yard.state, yard.events));
  yard.until(299.0);
  CHECK_FALSE(yard.is_live("lv_a"));
  yard.until(
      400.0);  // the feed is back since 300 s: the overload may be behind what the tie fed, so that people decide
  CHECK_FALSE(yard.carries("transformer_a"));
  CHECK_FALSE(yard.is_closed("tie"));
}

TEST_CASE("an interlock keeps open what would be one closed too many", "[power][ties]") {
  Switchyard yard = main_tie_main("{ at: 100 s, close: tie }, { at: 200 s, open: transformer_a }");
  yard.until(201.9);  // the refused order is forgotten: what closes the tie later is its rule
  CHECK_FALSE(yard.is_closed("tie"));
  yard.until(202.0);
  CHECK(yard.carries("tie"));
}

TEST_CASE("interlocks that name branches in opposite order end", "[power][ties]") {
  std::vector<std::string> overrides = with_events("{ at: 100 s, close: tie }");
  overrides.push_back(
      "power.one_line.interlocks={ one: { of: [transformer_a, tie], at_most: 1 }, other: { of: [tie, transformer_a], "
      "at_most: 1 "
      "} }");
  Switchyard yard("tests/unit/mistakes/base/one_line.yaml", overrides);
  CHECK(yard.carries("transformer_a"));
  CHECK_FALSE(yard.is_closed("tie"));
  yard.until(200.0);
  CHECK_FALSE((yard.is_closed("tie") && yard.is_closed("transformer_a")));
}

TEST_CASE("a tie answers what one that is listed later has made live", "[power][ties]") {
  std::vector<std::string> overrides = with_events("{ at: 100 s, open: [utility_a, utility_b] }");
  for (const char* change :
       {"power.one_line.buses.lv_c=415 V", "power.one_line.sources.utility_c={ bus: lv_c }",
        "power.one_line.sources.genset.enabled=false",
        "power.one_line.branches.tie_c={ between: [lv_b, lv_c], open: true, closes: when_one_is_dead, after: 2 s }"})
    overrides.emplace_back(change);
  Switchyard yard("tests/unit/mistakes/base/one_line.yaml", overrides);
  yard.until(102.0);
  CHECK(yard.carries("tie_c"));
  CHECK_FALSE(yard.is_live("lv_a"));
  yard.until(104.0);
  CHECK(yard.carries("tie"));
  CHECK(yard.is_live("lv_a"));
}

TEST_CASE("a transfer switch goes to its other bus without a gap, and returns after ten seconds", "[power][ties]") {
  Switchyard yard = with_transfer("{ at: 100 s, fail: [ups_a, ups_a.bypass], for: 100 s }");
  yard.until(99.0);
  CHECK(yard.carries("sts.preferred"));
  yard.until(100.0);
  CHECK(yard.carries("sts.alternate"));
  CHECK_FALSE(yard.is_closed("sts.preferred"));
  CHECK(yard.is_live("critical"));
  yard.until(209.9);
  CHECK(yard.carries("sts.alternate"));
  yard.until(210.0);
  CHECK(yard.carries("sts.preferred"));
  CHECK_FALSE(yard.is_closed("sts.alternate"));
}

TEST_CASE("a generator carries the bus of a tie whose feeds are both lost", "[power][ties]") {
  Switchyard yard = with_transfer("{ at: 100 s, open: [utility_a, utility_b] }");
  yard.until(200.0);
  CHECK(yard.is_live("lv_a"));
  CHECK(yard.carries("tie"));
  CHECK(yard.is_live("lv_b"));
  CHECK_FALSE(yard.is_closed("transformer_b"));
}

TEST_CASE("what a tie remembers is in a snapshot: a copy goes on as its parent does", "[power][ties]") {
  Switchyard yard = main_tie_main("{ at: 100 s, open: utility_a, for: 200 s }");
  yard.until(350.0);
  Switchyard copy = main_tie_main("{ at: 100 s, open: utility_a, for: 200 s }");
  copy.state = yard.state;
  copy.until(600.0);
  yard.until(600.0);
  CHECK(copy.state.switches == yard.state.switches);
  CHECK(copy.carries("transformer_a"));
}
