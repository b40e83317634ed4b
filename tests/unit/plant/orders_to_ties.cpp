// What the log says of orders of people to ties: closed between two live feeds, forbidden by an interlock; and a tie beside a bus that uses nothing.
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tests/support/catch.hpp"
#include "tests/support/halls/switchyard.hpp"
#include "twin/actions/power/automatic_switches.hpp"
#include "twin/actions/power/power_protection.hpp"

using namespace wattloop;
using namespace wattloop::twin;
using tests::Switchyard;
using tests::with_events;
using Details = std::vector<std::string>;

namespace {

Switchyard drawn(const std::string& events, const std::vector<std::string>& changes) {
  std::vector<std::string> overrides = with_events(events);
  overrides.insert(overrides.end(), changes.begin(), changes.end());
  return Switchyard("tests/unit/mistakes/base/one_line.yaml", overrides);
}

}  // namespace

TEST_CASE("a tie that people close between two live feeds is reported", "[power][ties]") {
  Switchyard yard =
      drawn("{ at: 100 s, close: tie, for: 50 s }, { at: 200 s, close: tie }", {"power.one_line.interlocks=null"});
  yard.until(99.0);
  CHECK(yard.details("feeds_in_parallel", "tie").empty());
  yard.until(150.0);
  const std::string warning =
      "warning: this branch is closed between lv_a and lv_b, which are live from utility_a and utility_b";
  CHECK(yard.details("feeds_in_parallel", "tie") == Details{warning});
  yard.until(300.0);
  CHECK(yard.details("feeds_in_parallel", "tie") == Details{warning, warning});
}

TEST_CASE("a tie that people close onto a dead bus joins no feeds", "[power][ties]") {
  Switchyard yard = drawn("{ at: 50 s, open: tie }, { at: 60 s, fail: transformer_b }, { at: 100 s, close: tie }", {});
  yard.until(200.0);
  CHECK(yard.carries("tie"));
  CHECK(yard.details("feeds_in_parallel", "tie").empty());
}

TEST_CASE("an order to close what an interlock holds open is refused, and says so", "[power][ties]") {
  Switchyard yard = drawn("{ at: 100 s, close: tie }", {});
  yard.until(150.0);
  CHECK_FALSE(yard.is_closed("tie"));
  CHECK(yard.details("close", "tie") == Details{"scenario; refused: interlock two_of_three forbids it"});
}

TEST_CASE("what an interlock opens stays open, and is in the log", "[power][ties]") {
  Switchyard yard = drawn(
      "{ at: 100 s, open: transformer_b }, { at: 101 s, close: tie }, { at: 200 s, close: transformer_b }, "
      "{ at: 300 s, open: transformer_b }",
      {});
  yard.until(199.0);
  CHECK(yard.carries("tie"));
  CHECK(yard.details("transfer", "tie").empty());
  yard.until(299.0);
  CHECK_FALSE(yard.is_closed("tie"));
  CHECK(yard.details("transfer", "tie") == Details{"opens: interlock two_of_three forbids it"});
  yard.until(400.0);
  CHECK_FALSE(yard.is_closed("tie"));
}

TEST_CASE("people who close a tie that its rule has closed change nothing of what carries", "[power][ties]") {
  Switchyard yard =
      drawn("{ at: 50 s, open: utility_a }, { at: 100 s, close: tie }, { at: 200 s, close: utility_a }", {});
  yard.until(99.0);
  REQUIRE(yard.carries("tie"));
  REQUIRE_FALSE(yard.is_closed("transformer_a"));
  yard.until(199.0);
  CHECK(yard.details("close", "tie") == Details{"scenario; changes nothing now"});
  CHECK(yard.carries("tie"));
  CHECK_FALSE(yard.is_closed("transformer_a"));
  yard.until(3000.0);  // people decide: it does not return by itself
  CHECK(yard.carries("tie"));
  CHECK(yard.is_live("lv_a"));
}

TEST_CASE("a tie that its rule has closed and that is restored goes on by its rule", "[power][ties]") {
  const std::string lost = "{ at: 50 s, open: utility_a, for: 300 s }, ", restored = "{ at: 200 s, restore: tie }";
  for (const std::string& events : {lost + restored, lost + "{ at: 100 s, close: tie }, " + restored}) {
    CAPTURE(events);
    Switchyard yard = drawn(events, {});
    for (const double at_s : {60.0, 110.0, 200.0, 349.0}) {
      yard.until(at_s);
      CHECK(yard.carries("tie"));
      CHECK(yard.is_live("lv_a"));
    }
    yard.until(3000.0);
    CHECK_FALSE(yard.is_closed("tie"));
    CHECK(yard.carries("transformer_a"));
    CHECK(yard.details("off_battery", "ups_a").size() == 1);
  }
}

TEST_CASE("a closing that an interlock refuses does not come later, and leaves the tie to its lock-out",
          "[power][ties]") {
  Switchyard yard = drawn("{ at: 100 s, close: tie }", {});
  yard.until(200.0);
  const std::size_t main = *electrical::find_branch(yard.plant.power_tree, "transformer_a");
  yard.state.switching.branch_is_open[main] = 1;
  lock_out_after_trip(yard.plant, main, yard.state);
  switch_power(yard.plant, yard.state, yard.events);
  yard.until(1000.0);
  CHECK_FALSE(yard.is_closed("tie"));
}

TEST_CASE("protection of a generator locks the tie beside it out", "[power][ties]") {
  Switchyard yard = drawn("{ at: 50 s, fail: utility_a }", {"power.one_line.branches.tie.after=30 s"});
  yard.until(79.0);
  REQUIRE(yard.is_live("lv_a"));  // by its generator
  PartOverload& overload = yard.state.overload.sources[*electrical::find_source(yard.plant.power_tree, "genset")];
  overload.loading_ratio = 2.0;
  overload.is_used_up = true;
  CHECK(protect_power(yard.plant, true, yard.state, yard.events));
  switch_power(yard.plant, yard.state, yard.events);
  yard.until(1000.0);
  CHECK_FALSE(yard.is_closed("tie"));
  CHECK_FALSE(yard.is_live("lv_a"));
  CHECK(yard.is_live("lv_b"));
}

TEST_CASE("a leg of a transfer switch that its protection opens is not followed by the other", "[power][ties]") {
  Switchyard yard = drawn("", {});
  const std::size_t leg = *electrical::find_branch(yard.plant.power_tree, "sts.preferred");
  REQUIRE(yard.carries("sts.preferred"));
  yard.state.time_s = 100.0;
  yard.state.switching.branch_is_open[leg] = 1;
  lock_out_after_trip(yard.plant, leg, yard.state);
  switch_power(yard.plant, yard.state, yard.events);
  yard.until(200.0);
  CHECK_FALSE(yard.is_closed("sts.alternate"));
  CHECK_FALSE(yard.is_live("critical"));
}

TEST_CASE("a tie does not close onto a bus that has nothing but a generator", "[power][ties]") {
  const std::vector<std::string> generator_bus{
      "power.one_line.buses.reserve=415 V",
      "power.one_line.sources.genset=null",
      "power.one_line.sources.genset_r={ bus: reserve, hardware: genset_3mw, enabled: false }",
      "power.one_line.branches.tie=null",
      "power.one_line.interlocks=null",
      "power.one_line.branches.tie_r={ between: [lv_a, reserve], open: true, closes: when_one_is_dead, after: 2 s }"};
  Switchyard yard = drawn("", generator_bus);
  yard.until(100.0);
  CHECK_FALSE(yard.is_closed("tie_r"));
  CHECK_FALSE(yard.is_live("reserve"));
  std::vector<std::string> with_ups = generator_bus;  // which uses power: it does close
  with_ups.insert(with_ups.end(),
                  {"power.one_line.buses.reserve_ups=415 V",
                   "power.one_line.branches.ups_r={ from: reserve, to: reserve_ups, hardware: ups_1500kw }"});
  Switchyard other = drawn("", with_ups);
  other.until(100.0);
  CHECK(other.carries("tie_r"));
}

TEST_CASE("generators stop when a tie brings a feed, whichever end is written first", "[power][ties]") {
  for (const char* between : {"[lv_a, lv_b]", "[lv_b, lv_a]"}) {
    CAPTURE(between);
    Switchyard yard(
        "tests/unit/mistakes/base/one_line.yaml",
        {fmt::format("power.one_line.branches.tie={{ between: {}, open: true, closes: null, after: null }}", between),
         "power.one_line.interlocks=null", "duration=1 h",
         "events=[{ at: 100 s, fail: utility_a }, { at: 200 s, close: tie }]"});
    yard.until(199.0);
    CHECK(yard.details("generator_stop", "genset").empty());
    yard.until(3000.0);
    CHECK(yard.details("generator_stop", "genset") == std::vector<std::string>{"feed back for 5 min"});
    CHECK(yard.carries("tie"));
    CHECK(yard.is_live("lv_a"));
  }
}

TEST_CASE("generators are no feed of each other", "[power][ties]") {
  Switchyard yard(
      "tests/unit/mistakes/base/one_line.yaml",
      {"power.one_line.branches.tie={ between: [lv_a, lv_b], open: true, closes: null, after: null }",
       "power.one_line.interlocks=null", "power.one_line.sources.genset_b={ bus: lv_b, hardware: genset_3mw }",
       "duration=1 h", "events=[{ at: 100 s, fail: [utility_a, utility_b] }, { at: 200 s, close: tie }]"});
  yard.until(3000.0);
  CHECK(yard.is_live("lv_a"));
  CHECK(yard.is_live("lv_b"));
  for (const char* set : {"genset", "genset_b"}) CHECK(yard.details("generator_stop", set).empty());
}

TEST_CASE("a ring that people close is reported where the flow leaves it out", "[power][ties]") {
  for (const auto& [flow, warnings] : {std::pair{"watts", 1}, {"radial", 1}, {"auto", 0}}) {
    CAPTURE(flow);
    Switchyard yard("scenarios/one_line/ring.yaml",
                    {std::string("power.flow=") + flow, "events=[{ at: 100 s, close: cable_2 }]"});
    yard.until(200.0);
    CHECK(std::ranges::count(yard.events, "loop_closed", &EventRecord::kind) == warnings);
  }
}

TEST_CASE("a breaker before the cable of a lost feed opens, and a ring with two feeds closes", "[power][ties]") {
  Switchyard yard(
      "scenarios/one_line/ring.yaml",
      {"power.one_line.buses.second=20 kV", "power.one_line.sources.utility_2={ bus: second }",
       "power.one_line.branches.incomer_2={ from: second, to: rmu_b, hardware: cable_240al_20kv, length: 700 m, "
       "breaker: breaker_630a_24kv }",
       "power.one_line.branches.cable_3=null",
       "power.one_line.interlocks={ two_of_three: { of: [incomer_2, cable_1, cable_2], at_most: 2 } }",
       "events=[{ at: 100 s, fail: utility_2 }]"});
  REQUIRE(yard.carries("incomer_2.breaker"));
  yard.until(129.0);
  CHECK_FALSE(yard.is_live("rmu_b"));
  yard.until(130.0);
  CHECK(yard.carries("cable_2"));
  CHECK(yard.is_live("rmu_b"));
  CHECK_FALSE(yard.is_closed("incomer_2.breaker"));
  CHECK(yard.is_closed("incomer_2"));
}

TEST_CASE("a tie that is restored after its feed has returned opens by its rule", "[power][ties]") {
  const std::string lost = "{ at: 50 s, fail: utility_a, for: 100 s }, ";
  for (const char* orders :
       {"{ at: 100 s, close: tie }, { at: 400 s, restore: tie }", "{ at: 100 s, close: tie, for: 300 s }"}) {
    CAPTURE(orders);
    Switchyard yard = drawn(lost + orders, {});
    yard.until(399.0);
    CHECK(yard.carries("tie"));
    CHECK_FALSE(yard.is_closed("transformer_a"));
    yard.until(3000.0);
    CHECK_FALSE(yard.is_closed("tie"));
    CHECK(yard.carries("transformer_a"));
  }
}

TEST_CASE("what an interlock holds open when it is restored closes when it is allowed, and the log says both",
          "[power][ties]") {
  Switchyard yard = drawn("{ at: 50 s, fail: transformer_b, for: 100 s }, { at: 300 s, open: tie }",
                          {"power.one_line.interlocks.two_of_three.of=[transformer_a, tie, transformer_b]"});
  yard.until(299.0);
  CHECK(yard.carries("tie"));
  CHECK(
      yard.details("restore", "transformer_b").back().ends_with("stays open while interlock two_of_three forbids it"));
  yard.until(301.0);
  CHECK(yard.carries("transformer_b"));
  CHECK(yard.is_live("lv_b"));
  CHECK(yard.details("transfer", "transformer_b") == Details{"closes: no order or interlock keeps it open now"});
}

TEST_CASE("a tie that people closed and that fails for a while is left to its rule where it may not close",
          "[power][ties]") {
  Switchyard yard =
      drawn("{ at: 50 s, fail: utility_a }, { at: 100 s, close: tie }, { at: 200 s, fail: tie, for: 10 s }",
            {"power.one_line.sources.genset.enabled=false"});
  yard.until(211.0);
  CHECK_FALSE(yard.is_live("lv_a"));
  yard.until(213.0);
  CHECK(yard.carries("tie"));
  CHECK(yard.is_live("lv_a"));
}
