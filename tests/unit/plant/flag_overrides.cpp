// What `for:` leaves behind: the state that would be without it, whatever else was ordered meanwhile.
#include <algorithm>
#include <string>
#include <vector>

#include "core/text/name_pattern.hpp"
#include "tests/support/by_hand/two_sides.hpp"
#include "tests/support/catch.hpp"
#include "twin/actions/events/applied_events.hpp"
#include "twin/actions/events/scheduled_events.hpp"
#include "twin/build/plant_builder.hpp"
#include "twin/planning/events/event_resolver.hpp"

using namespace wattloop;
using namespace wattloop::twin;
using wattloop::tests::event;
using Kind = EventSpec::Kind;

namespace {

/// Orders alone, without a run.
struct Orders {
  Scenario scenario = tests::two_sided_scenario();
  Plant plant = build_plant(scenario);
  PlantState state = initial_state(plant);
  std::vector<EventRecord> log;
  std::vector<ScheduledEvent> events;
  std::size_t next = 0;

  explicit Orders(std::vector<EventSpec> specs) {
    scenario.events = std::move(specs);
    Problems problems;
    events = schedule_events(scenario, plant, problems);
    REQUIRE(problems.empty());
  }

  void until(double time_s) {
    for (; next < events.size() && events[next].at_s <= time_s; ++next) {
      state.time_s = events[next].at_s;
      apply_event(plant, events[next], state, log);
    }
  }

  /// "failed", "open", both or "whole" after all that is due until then.
  std::string feed(double time_s) {
    until(time_s);
    const std::size_t source = *electrical::find_source(plant.power_tree, "utility_a");
    const std::string text = std::string(state.switching.source_is_failed[source] != 0 ? "failed" : "") +
                             (state.switching.source_is_open[source] != 0 ? "open" : "");
    return text.empty() ? "whole" : text;
  }

  bool is_pump_failed(double time_s) {
    until(time_s);
    const auto& motors = plant.motors;
    const auto pump =
        std::find_if(motors.begin(), motors.end(), [](const MotorPart& m) { return m.name == "cdu_1.pump_a"; });
    REQUIRE(pump != motors.end());
    return state.equipment.is_failed[static_cast<std::size_t>(pump - motors.begin())] != 0;
  }
};

}  // namespace

TEST_CASE("failures that overlap last until the later end, in either order", "[orders]") {
  Orders nested({event(0, Kind::fail, {"cdu_1.pump_a"}, 60), event(10, Kind::fail, {"cdu_1.pump_a"}, 20)});
  CHECK(nested.is_pump_failed(29));
  CHECK(nested.is_pump_failed(31));
  CHECK_FALSE(nested.is_pump_failed(60));
  Orders staggered({event(0, Kind::fail, {"cdu_1.pump_a"}, 20), event(10, Kind::fail, {"cdu_1"}, 60)});
  CHECK(staggered.is_pump_failed(20));
  CHECK(staggered.is_pump_failed(69));
  CHECK_FALSE(staggered.is_pump_failed(70));
  CHECK(staggered.state.equipment.orders.empty());
}

TEST_CASE("what failed for good stays failed when a temporary failure ends", "[orders]") {
  Orders later({event(0, Kind::fail, {"cdu_1.pump_a"}, 60), event(30, Kind::fail, {"cdu_1.pump_a"})});
  CHECK(later.is_pump_failed(60));
  CHECK(later.log.back().kind == "order_over");
  CHECK(later.log.back().detail == "the end of a temporary fail; a later one remains in force");
  Orders earlier({event(0, Kind::fail, {"cdu_1.pump_a"}), event(30, Kind::fail, {"cdu_1.pump_a"}, 60)});
  CHECK(earlier.is_pump_failed(90));
  Orders feed({event(0, Kind::fail, {"utility_a"}, 60), event(30, Kind::fail, {"utility_a"})});
  CHECK(feed.feed(60) == "failed");
}

TEST_CASE("what was restored for good stays whole when a temporary failure ends", "[orders]") {
  Orders orders({event(0, Kind::fail, {"cdu_1.pump_a"}, 60), event(30, Kind::restore, {"cdu_1.pump_a"}),
                 event(40, Kind::fail, {"cdu_1.pump_a"})});
  CHECK_FALSE(orders.is_pump_failed(30));
  CHECK(orders.is_pump_failed(60));
}

TEST_CASE("a temporary repair of what is whole and a temporary closing of what is closed change nothing", "[orders]") {
  Orders pump({event(0, Kind::restore, {"cdu_1.pump_a"}, 60)});
  CHECK_FALSE(pump.is_pump_failed(0));
  CHECK(pump.log.back().detail == "scenario; changes nothing now");
  CHECK_FALSE(pump.is_pump_failed(60));
  CHECK(pump.log.back().kind == "order_over");  // nothing fails
  CHECK(pump.log.back().detail == "the end of a temporary restore; changes nothing");
  Orders closed({event(0, Kind::close, {"utility_a"}, 60)});
  CHECK(closed.feed(0) == "whole");
  CHECK(closed.feed(60) == "whole");
  Orders restored({event(0, Kind::restore, {"utility_a"}, 60)});
  CHECK(restored.feed(60) == "whole");
}

TEST_CASE("a temporary repair ends in the failure of before", "[orders]") {
  Orders orders({event(0, Kind::fail, {"cdu_1.pump_a"}), event(30, Kind::restore, {"cdu_1.pump_a"}, 60)});
  CHECK_FALSE(orders.is_pump_failed(89));
  CHECK(orders.is_pump_failed(90));
  CHECK(orders.log.back().kind == "fail");
  CHECK(orders.log.back().detail == "the end of a temporary restore");
  Orders mended({event(0, Kind::fail, {"cdu_1.pump_a"}, 60)});
  CHECK_FALSE(mended.is_pump_failed(60));
  CHECK(mended.log.back().kind == "restore");
  CHECK(mended.log.back().detail == "the end of a temporary fail");
}

TEST_CASE("a switch that was open before it failed is open after", "[orders]") {
  Orders orders({event(0, Kind::open, {"utility_a"}), event(10, Kind::fail, {"utility_a"}, 20),
                 event(40, Kind::close, {"utility_a"}, 20)});
  CHECK(orders.feed(10) == "failedopen");
  CHECK(orders.feed(30) == "open");
  CHECK(orders.feed(40) == "whole");
  CHECK(orders.feed(60) == "open");
  Orders twice({event(0, Kind::open, {"utility_a"}, 40), event(10, Kind::open, {"utility_a"}, 10)});
  CHECK(twice.feed(20) == "open");
  CHECK(twice.feed(40) == "whole");
}
