// Nodes that are kept for the jobs that name a reservation. By hand, on a rack of eight nodes, decisions every 30 s.
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/scenario_run.hpp"

using namespace wattloop;
using Catch::Matchers::Contains;

namespace {

using Run = tests::ScenarioRun;

std::string job(const std::string& keys) { return "{" + keys + ", program: {kind: constant, node_power: 5 kW}}"; }

std::vector<std::string> rack_with(const std::string& jobs) {
  return {"workload=null", "jobs={" + jobs + "}", "duration=40 min"};
}

std::string reported(const std::string& jobs) {
  try {
    Run run("one_rack", rack_with(jobs));
  } catch (const InputError& error) {
    return error.what();
  }
  return "nothing";
}

}  // namespace

TEST_CASE("reserved nodes are for the jobs that name them, from begin to end", "[verification][queued_jobs]") {
  for (const Run::By integrator : {Run::By::monolithic, Run::By::multirate}) {
    // Nodes 1 to 4 are kept for `demo` from 10 to 20 min.
    Run run("one_rack",
            rack_with("reservations: {demo: {nodes: [row_1.rack_1.node_1, row_1.rack_1.node_2, row_1.rack_1.node_3, "
                      "row_1.rack_1.node_4], from: 10 min, to: 20 min}}, queue: [" +
                      job("name: short, nodes: 4, submit: 1 min, run_time: 3 min, time_limit: 5 min") + ", " +
                      job("name: long, nodes: 4, submit: 1 min, run_time: 12 min, time_limit: 15 min") + ", " +
                      job("name: waits, nodes: 3, submit: 5 min, run_time: 5 min, time_limit: 10 min") + ", " +
                      job("name: demo_job, nodes: 4, submit: 12 min, run_time: 4 min, time_limit: 5 min, reservation: "
                          "demo") +
                      "]"),
            integrator);
    run.to_end();
    const auto start_s = [&](std::size_t number) { return run.state().work.queue.records.at(number).first_start_s; };
    CHECK(start_s(0) == 60.0);  // ends by its limit before the reservation begins: nodes 1 to 4
    CHECK(start_s(1) == 60.0);  // would last into it: nodes 5 to 8
    CHECK(start_s(2) ==
          780.0);  // nodes 1 to 4 are free at 4 min but kept from 10 min on; nodes 5 to 8 are free at 13 min
    CHECK(start_s(3) == 720.0);
  }
}

TEST_CASE("mistakes in reservations are reported at once", "[scenario][queued_jobs]") {
  const std::string queue = ", queue: [" + job("nodes: 2, run_time: 5 min, reservation: demos") + "]";
  CHECK_THAT(reported("reservations: {demo: {nodes: row_1.rack_1, from: 10 min, to: 5 min}}" + queue),
             Contains("reservation demo ends before it begins") && Contains("there is no reservation 'demos'") &&
                 Contains("did you mean 'demo'?"));
  const std::string plain = ", queue: [" + job("nodes: 2, run_time: 5 min") + "]";
  CHECK_THAT(reported("reservations: {a: {nodes: [row_1.rack_1.node_11, row_1.rack_2], to: 5 min}}" + plain),
             Contains("no node or rack 'row_1.rack_1.node_11'") && Contains("no node or rack 'row_1.rack_2'"));
  CHECK_THAT(
      reported("reservations: {a: {nodes: row_1.rack_1, to: 5 min}, b: {nodes: row_1.rack_1.node_3, from: 4 min}}" +
               plain),
      Contains("row_1.rack_1.node_3 is reserved by a and by b at one time"));
  CHECK(reported("reservations: {a: {nodes: row_1.rack_1, to: 5 min}, b: {nodes: row_1.rack_1.node_3, from: 5 min}}" +
                 plain) == "nothing");
  CHECK_THAT(reported("reservations: {a: {from: 4 min}}" + plain), Contains("nodes"));
}
