// Who was slowed first, why, and how many by when: of three GPUs by hand, through a results file.
#include "twin/report/events/first_throttles.hpp"

#include <cmath>

#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"
#include "twin/results/reader/results_reader.hpp"
#include "twin/results/writer/results_writer.hpp"

using namespace wattloop;
using namespace wattloop::twin;

namespace {

const GpuThrottles by_hand{.names = {"r.rack_1.node_1.gpu_1", "r.rack_1.node_1.gpu_2", "r.rack_2.node_1.gpu_1"},
                           .first_s = {61.0, std::nan(""), 30.0},
                           .resistance_ratio = {1.02, 1.3, 0.9},
                           .flow_ratio = {0.95, 1.0, 1.1},
                           .leakage_ratio = {1.04, 1.0, 1.0}};

}  // namespace

TEST_CASE("GPUs that were slowed are listed in time, each with what differs most to its disadvantage", "[throttles]") {
  const std::vector<EventRecord> events = first_throttles(by_hand);
  REQUIRE(events.size() == 2);
  CHECK(events[0] == EventRecord{30.0, "first_throttle", "r.rack_2.node_1.gpu_1",
                                 "not by its own spread: resistance 0.900, flow 1.100, leakage 1.000 of the mean"});
  CHECK(events[1] == EventRecord{61.0, "first_throttle", "r.rack_1.node_1.gpu_1",
                                 "most by its flow: resistance 1.020, flow 0.950, leakage 1.040 of the mean"});
  CHECK(first_throttles({}).empty());
}

TEST_CASE("a report counts GPUs by when they were slowed first", "[throttles][report]") {
  const std::string table = first_throttles_table(by_hand);
  CHECK_THAT(table, Catch::Matchers::Contains("2 of 3 GPUs were below full clock"));
  CHECK_THAT(table, Catch::Matchers::Contains("<td>30 s</td><td class='number'>1</td>"));
  CHECK(first_throttles_table({}).empty());
}

TEST_CASE("results keep when each GPU was slowed first, NaN where it never was", "[throttles][results]") {
  const tests::TemporaryFolder folder;
  const auto write = [&](const char* name, const GpuThrottles& throttles) {
    ResultsWriter writer(folder / name, "2026-01-01T00:00:00");
    writer.write_events({});
    writer.write_throttles(throttles);
    writer.finish();
    return ResultsReader(folder / name).throttles();
  };
  const GpuThrottles read = write("some.h5", by_hand);
  CHECK(read.names == by_hand.names);
  CHECK(read.first_s[0] == 61.0);
  CHECK(std::isnan(read.first_s[1]));
  CHECK(read.resistance_ratio == by_hand.resistance_ratio);
  CHECK(read.flow_ratio == by_hand.flow_ratio);
  CHECK(read.leakage_ratio == by_hand.leakage_ratio);
  CHECK(write("none.h5", {}).names.empty());
}
