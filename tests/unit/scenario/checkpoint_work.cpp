// Checkpoints that fit no job: reported with where they are written, all at once. What the program says of those that do.
#include <cmath>
#include <cstddef>
#include <string>

#include <fmt/format.h>

#include "core/text/problem.hpp"
#include "core/units/units.hpp"
#include "tests/support/catch.hpp"
#include "twin/planning/work/work.hpp"
#include "twin/scenario/scenario_reader.hpp"
#include "workload/queue/job_queue.hpp"
#include "workload/training/training.hpp"
#include "workload/training/training_clock.hpp"

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

/// A queue of jobs that save 5.2 TB each.
Scenario queue_of(const std::string& entries, const std::string& failures = "failures: {rates: llama3_16k}, ") {
  return read_scenario(WATTLOOP_SOURCE_DIR "/scenarios/h100_10k.yaml",
                       {"workload=null", "jobs={" + failures + "queue: [" + entries + "]}"});
}

std::string saving_job(const std::string& name_and_nodes, const std::string& interval) {
  return "{" + name_and_nodes +
         ", program: {kind: training, checkpoint: {parameters: 4e11, precision: bf16, interval: " + interval + "}, " +
         storage + "}}";
}

}  // namespace

TEST_CASE("checkpoints that fit no job are refused", "[checkpoint_work]") {
  CHECK_THROWS_WITH(
      make_work(saving("interval: daly")),
      Contains("checkpoint: `interval: daly` is computed from the `failures` of the job, and the job has none"));
  CHECK_THROWS_WITH(make_work(saving("interval: 40 s")),
                    Contains("checkpoint: the interval is 40 s, and GPUs wait 43.75 s for each save: write a longer "
                             "interval, or a storage that writes faster"));
  CHECK_THROWS_WITH(
      make_work(saving("ranks: 65, contents: optimizer, optimizer: none")),
      Contains(
          "checkpoint: with `contents: optimizer` and `optimizer: none` nothing is saved: change one of the two") &&
          Contains("checkpoint: 65 ranks save, and the job has only 64 GPUs at work: write fewer ranks") &&
          Contains("2 problems"));
  CHECK_THROWS_WITH(make_work(saving("ranks: 64", ", spare_nodes: 1")),
                    Contains("64 ranks save, and the job has only 56 GPUs"));
}

TEST_CASE("the program says what a save costs and what decides it", "[checkpoint_work]") {
  // (600 - 43.75) s of steps of 10.765 s and a twelfth of an evaluation of 12.97 s: 46.96; 54 d 16,384 / 419 / 64 GPUs: 33 d
  CHECK(make_work(saving("interval: 10 min")).notes.front() ==
        "a checkpoint has 14 TB: 14 B for each parameter (weights 2, master copy 4, moments 8), 1.75 TB on each node; "
        "a save takes 43.75 s at 320 GB/s, the limit of 8 nodes, "
        "a restart reads for 43.75 s at 320 GB/s, the limit of 8 nodes; "
        "GPUs wait 43.75 s in each save, and a save begins every 10 min 1 s, after 47 steps");
  CHECK_THAT(make_work(saving("interval: young", ", failures: {rates: llama3_16k}")).notes.front(),
             Contains("(interval by young, with 33 d between failures)"));
  CHECK_THAT(
      make_work(saving("mode: asynchronous, interval: 20 s")).notes.front(),
      Contains("the interval of the scenario is 20 s, but a save begins only after the save before it is written"));
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

TEST_CASE("intervals of jobs of a queue follow from the failures of their own nodes", "[checkpoint_work]") {
  // 14 B a parameter at 500 GB/s: d = 11.2 s; 419 failures of 16,384 GPUs in 54 days
  const auto mean_time_s = [](double nodes) { return 54.0 * 86400.0 * 16384.0 / 419.0 / (8.0 * nodes); };
  const auto note_of = [](double interval_s, const char* rule, double between_s, int nodes) {
    return fmt::format("checkpoint interval by the rule {}: {}, for a mean time of {} between failures of its {} nodes",
                       rule, format_quantity(interval_s, "s"), format_quantity(between_s, "s"), nodes);
  };
  const Work work = make_work(queue_of(saving_job("name: large, nodes: 1000", "daly") + ", " +
                                       saving_job("name: small, nodes: 100", "young") + ", " +
                                       saving_job("name: fixed, nodes: 100", "30 min")));
  const double large_s = mean_time_s(1000.0), small_s = mean_time_s(100.0), save_s = 11.2;
  const double ratio = save_s / (2.0 * large_s);
  const double daly_s = std::sqrt(2.0 * save_s * large_s) * (1.0 + std::sqrt(ratio) / 3.0 + ratio / 9.0);
  const double young_s = std::sqrt(2.0 * save_s * small_s) + save_s;
  REQUIRE(work.notes.size() == 5);
  CHECK(work.notes[1] == "large: " + note_of(daly_s, "daly", large_s, 1000));
  CHECK(work.notes[3] == "small: " + note_of(young_s, "young", small_s, 100));
  // what the programs do: steps of 10.765 s, a tenth of an evaluation for each, as many as fit between two saves
  const auto steps_of = [&](std::size_t job) {
    const auto& program = dynamic_cast<const workload::TrainingClock&>(*work.workload->queue()->programs.at(job));
    return program.schedule().steps_per_checkpoint;
  };
  const double step_and_evaluation_s = 10.765 + 12.97 / 12.0;
  CHECK(steps_of(0) == std::round((daly_s - save_s) / step_and_evaluation_s));
  CHECK(steps_of(1) == std::round((young_s - save_s) / step_and_evaluation_s));
  CHECK(steps_of(2) == std::round((1800.0 - save_s) / step_and_evaluation_s));
}

TEST_CASE("a rule for the interval of a job of a queue needs failures", "[checkpoint_work]") {
  CHECK_THROWS_WITH(
      queue_of(saving_job("name: large, nodes: 1000", "daly"), ""),
      Contains("checkpoint: `interval: daly` of large is computed from failures, and `jobs` has no failures"));
  CHECK_NOTHROW(queue_of(saving_job("name: large, nodes: 1000", "1 h"), ""));
}
