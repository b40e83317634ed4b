// Nodes that heat switches off, folded in lists of events: which, how many, and what is reported of them.
#include "twin/report/events/event_groups.hpp"

#include <fmt/format.h>

#include "tests/support/catch.hpp"

using namespace wattloop::twin;

namespace {

EventRecord shutdown(double time_s, int row, int rack, int node, double die_degc = 95.0) {
  return {time_s, "thermal_shutdown", fmt::format("row_{}.rack_{}.node_{}.gpu_3", row, rack, node),
          fmt::format("die at {:.2f} degC", die_degc)};
}

}  // namespace

TEST_CASE("nodes of a row that heat switches off within a minute are one line, rows apart", "[event_groups]") {
  std::vector<EventRecord> events{{60.0, "fail", "cdu_1.pump_a", "scenario"}};
  for (int k = 0; k < 10; ++k) {
    events.push_back(shutdown(93.0 + 0.1 * k, 1, 1 + k % 2, 1 + k, 95.0 + 0.04 * k));
    events.push_back(shutdown(93.0 + 0.1 * k, 2, 7, 1 + k));
  }
  events.push_back({94.0, "battery_empty", "ups_a", ""});
  events.push_back(shutdown(200.0, 1, 1, 20));
  const std::vector<EventRecord> list = folded_events(events);
  REQUIRE(list.size() == 5);
  CHECK(list[0] == events[0]);
  CHECK(list[1] == EventRecord{93.0, "thermal_shutdown", "10 nodes of row_1",
                               "die at 95.00 to 95.36 degC, first row_1.rack_1.node_1.gpu_3, last at 1 min 34 s"});
  CHECK(list[2] == EventRecord{93.0, "thermal_shutdown", "10 nodes of row_2.rack_7",
                               "die at 95.00 degC, first row_2.rack_7.node_1.gpu_3, last at 1 min 34 s"});
  CHECK(list[3].kind == "battery_empty");
  CHECK(list[4] == events.back());
}

TEST_CASE("a few nodes keep their lines, and so do those of another minute", "[event_groups]") {
  std::vector<EventRecord> events;
  for (int k = 0; k < 3; ++k) events.push_back(shutdown(100.0 + k, 1, 1, 1 + k));
  CHECK(folded_events(events) == events);
  for (int k = 0; k < 4; ++k) events.push_back(shutdown(200.0, 1, 2, 1 + k));
  CHECK(folded_events(events).size() == 4);
}

TEST_CASE("of many rows the nodes of all are one line", "[event_groups]") {
  std::vector<EventRecord> events;
  for (int row = 1; row <= 9; ++row)
    for (int node = 1; node <= 5; ++node) events.push_back(shutdown(100.0, row, 1, node));
  const std::vector<EventRecord> list = folded_events(events);
  REQUIRE(list.size() == 1);
  CHECK(list[0].target == "45 nodes of 9 rows");
}

TEST_CASE("nodes that go off again within the minute count once", "[event_groups]") {
  std::vector<EventRecord> events;
  for (int time = 0; time < 5; ++time)
    for (int node = 1; node <= 8; ++node) events.push_back(shutdown(100.0 + 10.0 * time, 1, 2, node));
  events.push_back({140.0, "thermal_shutdown", "row_1.rack_2.node_1.gpu_5", "die at 95.00 degC"});  // of the same node
  const std::vector<EventRecord> list = folded_events(events);
  REQUIRE(list.size() == 1);
  CHECK(list[0].target == "8 nodes of row_1.rack_2");
  CHECK(list[0].detail == "die at 95.00 degC, first row_1.rack_2.node_1.gpu_3, 41 times in all, last at 2 min 20 s");
}

TEST_CASE("of many jobs those that start in an hour are one line, and so are those that end, but a few keep theirs",
          "[event_groups]") {
  std::vector<EventRecord> events;
  for (int job = 0; job < 30; ++job) {
    events.push_back({100.0 * job, "job_started", fmt::format("job_{}", job), ""});
    events.push_back({100.0 * job + 50.0, "job_ended", fmt::format("job_{}", job), ""});
  }
  events.push_back({2950.0, "job_stopped", "job_3", "1 of 4 nodes lost"});
  events.push_back({3650.0, "job_started", "late", ""});
  const std::vector<EventRecord> list = folded_events(events);
  REQUIRE(list.size() == 4);
  CHECK(list[0] == EventRecord{0.0, "job_started", "30 jobs", "first job_0, last job_29 at 48 min 20 s"});
  CHECK(list[1] == EventRecord{50.0, "job_ended", "30 jobs", "first job_0, last job_29 at 49 min 10 s"});
  CHECK(list[2].kind == "job_stopped");
  CHECK(list[3] == events.back());
  events.resize(20);
  CHECK(folded_events(events) == events);
}
