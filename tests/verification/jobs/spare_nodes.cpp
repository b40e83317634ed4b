// Spare nodes of a queue: no job starts on them, and they take the places of lost nodes. By hand, on a rack of eight nodes.
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/mistake_of.hpp"
#include "tests/support/scenario_run.hpp"
#include "twin/actions/work/job_figures.hpp"

using namespace wattloop;
using Catch::Matchers::Contains;
using Catch::Matchers::WithinAbs;

namespace {

using Run = tests::ScenarioRun;

const std::string program =
    "program: {kind: training, evaluation_time: 0 s, evaluation_dip_time: 0 s, detection_time: 1 min, restart_time: 2 "
    "min, "
    "checkpoint_interval: 4 min, checkpoint_time: 4 s";

std::vector<std::string> with(const std::string& jobs, const std::string& events = "events=[]") {
  return {"workload=null", "jobs={" + jobs + "}", "duration=40 min", events};
}

}  // namespace

TEST_CASE("a spare node takes the place of a lost one of a job of a queue", "[verification][queued_jobs]") {
  for (const Run::By integrator : {Run::By::monolithic, Run::By::multirate}) {
    Run run("one_rack",
            with("scheduler: {spare_nodes: 1}, queue: [{name: large, nodes: 4, " + program +
                     "}}, {name: small, nodes: 3, count: 2, submit: 1 min, run_time: 12 min, " + program + "}}]",
                 "events=[{at: 10 min, fail: row_1.rack_1.node_2, for: 5 min}]"),
            integrator);
    run.until(90.0);
    const std::vector<std::uint32_t>& slots = run.state().work.queue.where.slot_of_node;
    CHECK(slots[7] == workload::Placement::free_node);  // the last node is the spare one
    CHECK(run.state().work.queue.records[2].starts == 0);
    run.to_end();
    CHECK(run.times_s("spare_nodes", "large") == std::vector<double>{660.0});
    CHECK(run.times_s("job_requeued").empty());
    REQUIRE(run.times_s("job_resumed").size() == 1);
    CHECK_THAT(run.times_s("job_resumed")[0], WithinAbs(780.0, 1e-9));
    CHECK(run.state().work.queue.records[0].starts == 1);
    CHECK(slots[7] != workload::Placement::free_node);
    CHECK(slots[1] == workload::Placement::free_node);  // repaired: the spare one from then on
    CHECK(run.state().work.node_is[1] == twin::NodeIs::at_work);
    CHECK(run.state().work.queue.records[2].first_start_s == 780.0);  // as the second small job waits for the first
    CHECK(std::abs(run.energy_residual()) < 1e-9);
  }
}

TEST_CASE("a job without enough spare nodes waits in the queue", "[verification][queued_jobs]") {
  Run run("one_rack",
          with("scheduler: {spare_nodes: 1}, queue: [{name: large, nodes: 4, " + program + "}}]",
               "events=[{at: 10 min, fail: row_1.rack_1.node_1}, {at: 10 min, fail: row_1.rack_1.node_2}]"));
  run.to_end();
  CHECK(run.times_s("job_requeued", "large") == std::vector<double>{660.0});
  CHECK(run.times_s("spare_nodes").empty());
}

TEST_CASE("an elastic job takes free nodes where no job waits, else it goes on with fewer",
          "[verification][queued_jobs][elastic_jobs]") {
  const std::string elastic = "queue: [{name: large, nodes: 6, " + program + ", elastic: true}}";
  const std::string two =
      "events=[{at: 10 min, fail: row_1.rack_1.node_1}, {at: 10 min, fail: row_1.rack_1.node_2}, {at: "
      "10 min, fail: row_1.rack_1.node_3}]";
  Run alone("one_rack", with(elastic + "]", two));
  alone.to_end();
  CHECK(alone.times_s("spare_nodes") == std::vector<double>{660.0});  // two of them
  CHECK(alone.times_s("job_shrunk") == std::vector<double>{660.0});
  CHECK_THAT(alone.state().work.job_clocks[0].size_fraction, WithinAbs(5.0 / 6.0, 1e-12));
  Run other("one_rack", with(elastic + ", {name: waits, nodes: 8, submit: 1 min, " + program + "}}]", two));
  other.to_end();
  CHECK(other.times_s("spare_nodes").empty());
  CHECK_THAT(other.state().work.job_clocks[0].size_fraction, WithinAbs(3.0 / 6.0, 1e-12));
}

TEST_CASE("mistakes about spare nodes of a queue are reported", "[scenario][queued_jobs]") {
  CHECK_THAT(tests::mistake_of(with("scheduler: {spare_nodes: 8}, queue: [{nodes: 1, " + program + "}}]")),
             Contains("8 of 8 nodes are spare, so that no node is left for jobs"));
  CHECK_THAT(tests::mistake_of(with("scheduler: {spare_nodes: 2}, queue: [{nodes: 7, " + program + "}}]")),
             Contains("needs 7 nodes, the hall has 8, of which 2 are spare"));
  CHECK_THAT(tests::mistake_of(with("queue: [{nodes: 7, " + program + ", spare_nodes: 1}}]")),
             Contains("jobs: { scheduler: { spare_nodes: 4 } }"));
  CHECK_THAT(tests::mistake_of(with("scheduler: {placement: power}, queue: [{nodes: 7, " + program + "}}]")),
             Contains("`placement: power` needs budgets, and none is given"));
}
