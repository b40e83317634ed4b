// Checkpoints that fit no job: reported with where they are written, all at once. What the program says of those that do.
#include <string>

#include "core/text/problem.hpp"
#include "tests/support/catch.hpp"
#include "twin/actions/work/work.hpp"
#include "twin/scenario/scenario_reader.hpp"
#include "workload/training/training.hpp"

using namespace wattloop;
using namespace wattloop::twin;
using Catch::Matchers::Contains;

namespace {

const std::string one_rack = WATTLOOP_SOURCE_DIR "/scenarios/one_rack.yaml";
const std::string storage = "storage: {read: 1 TB/s, write: 500 GB/s}";

Scenario saving(const std::string& checkpoint, const std::string& more = "") {
  return read_scenario(one_rack, {"workload={kind: training, checkpoint: {parameters: 1e12, " + checkpoint + "}, " +
                                  storage + more + "}"});
}

}  // namespace

TEST_CASE("checkpoints that fit no job are refused", "[checkpoint_work]") {
  CHECK_THROWS_WITH(make_work(saving("interval: daly")),
                    Contains("checkpoint: `interval: daly` follows from `failures`, which the job does not have"));
  CHECK_THROWS_WITH(make_work(saving("interval: 40 s")),
                    Contains("checkpoint: interval 40 s is no longer than a save, in which GPUs wait for 43.75 s"));
  CHECK_THROWS_WITH(make_work(saving("ranks: 65, contents: optimizer, optimizer: none")),
                    Contains("checkpoint: `contents: optimizer` of `optimizer: none` saves nothing") &&
                        Contains("checkpoint: ranks 65 are more than the 64 GPUs that work in the job") &&
                        Contains("2 problems"));
  CHECK_THROWS_WITH(make_work(saving("ranks: 64", ", spare_nodes: 1")), Contains("ranks 64 are more than the 56 GPUs"));
}

TEST_CASE("the program says what a save costs and what decides it", "[checkpoint_work]") {
  // (600 - 43.75) s of steps of 10.765 s and a twelfth of an evaluation of 12.97 s: 46.96; 54 d 16,384 / 419 / 64 GPUs: 33 d
  CHECK(make_work(saving("interval: 10 min")).notes.front() ==
        "a checkpoint has 14 TB: 14 B a parameter (weights 2, master copy 4, moments 8), 1.75 TB a node; "
        "it is written in 43.75 s at 320 GB/s, the limit of 8 nodes, "
        "a restart reads it in 43.75 s at 320 GB/s, the limit of 8 nodes; "
        "GPUs wait 43.75 s for a save, every 10 min 1 s or 47 steps");
  CHECK_THAT(make_work(saving("interval: young", ", failures: {rates: llama3_16k}")).notes.front(),
             Contains("(young, 33 d between failures)"));
  CHECK_THAT(make_work(saving("mode: asynchronous, interval: 20 s")).notes.front(),
             Contains("20 s is asked for, but no save begins while the last one is written"));
  CHECK(make_work(read_scenario(one_rack)).notes.empty());
}

TEST_CASE("checkpoints of a job of several groups of racks are those of all its nodes", "[checkpoint_work]") {
  const Scenario mixed =
      read_scenario(WATTLOOP_SOURCE_DIR "/scenarios/halls/mixed.yaml",
                    {"hall.racks.nvl72.workload=null",
                     "workload={kind: training, checkpoint: {parameters: 1e12, interval: 1 h}, " + storage + "}"});
  const Work work = make_work(mixed);
  REQUIRE(work.notes.size() > 1);
  for (const std::string& note : work.notes)  // behind the name of the group
    CHECK(note.substr(note.find(": a checkpoint")) ==
          work.notes.front().substr(work.notes.front().find(": a checkpoint")));
}
