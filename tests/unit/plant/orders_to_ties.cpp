// What the log says of orders of people to ties: closed between two live feeds, forbidden by an interlock; and a tie beside a bus that uses nothing.
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tests/support/catch.hpp"
#include "tests/support/halls/switchyard.hpp"

using namespace wattloop;
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
      "warning: it is closed between lv_a and lv_b, which are live from utility_a and utility_b";
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

TEST_CASE("an order to close what an interlock holds open says so", "[power][ties]") {
  Switchyard yard = drawn("{ at: 100 s, close: tie }", {});
  yard.until(150.0);
  CHECK_FALSE(yard.is_closed("tie"));
  CHECK(yard.details("close", "tie") == Details{"scenario; stays open while interlock two_of_three forbids it"});
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
