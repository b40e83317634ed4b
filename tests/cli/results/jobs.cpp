// `wattloop jobs`: single jobs of a results file as a table and as JSON, which add up to what the summary of the same file says.
#include <algorithm>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "tests/support/catch.hpp"
#include "tests/support/run_program.hpp"
#include "twin/report/charts/job_charts.hpp"
#include "twin/results/reader/results_reader.hpp"

using namespace wattloop::tests;
using Catch::Matchers::Contains;
using Catch::Matchers::WithinRel;

namespace {

/// Three jobs of a rack of eight nodes, one of which loses a node and one of which never starts.
void run_queue(const WorkFolder& folder) {
  const std::string program = "program: {kind: training, checkpoint_time: 0 s, detection_time: 10 s}";
  REQUIRE(folder
              .run({"run", one_rack, "--set", "workload=null", "--set", "duration=4 min", "--set",
                    "jobs={queue: [{name: first, nodes: 5, run_time: 2 min, " + program +
                        "}, {name: second, nodes: 3, submit: 30 s, " + program +
                        "}, {name: third, nodes: 8, submit: 40 s, " + program + "}]}",
                    "--event", "at: 100 s, fail: row_1.rack_1.node_7", "-o", "x.h5", "-q"})
              .exit_code == 0);
}

nlohmann::json json_of(const WorkFolder& folder, const std::vector<std::string>& arguments) {
  return nlohmann::json::parse(folder.run(arguments).output);
}

}  // namespace

TEST_CASE("jobs prints every job, and their numbers add up to the summary", "[cli][jobs]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  run_queue(folder);
  const nlohmann::json jobs = json_of(folder, {"jobs", "x.h5", "--json"});
  const nlohmann::json summary = json_of(folder, {"summary", "x.h5", "--json"});
  const auto rows = wattloop::twin::ResultsReader(folder / "x.h5").jobs();
  REQUIRE(jobs.size() == 3);
  REQUIRE(rows.size() == 3);
  double energy_j = 0.0, node_time_s = 0.0, waits_s = 0.0;
  for (std::size_t k = 0; k < jobs.size(); ++k) {
    CHECK(jobs[k].at("name") == rows[k].name);
    CHECK(jobs[k].at("energy_j") == rows[k].energy_j);
    CHECK(jobs[k].at("why") == rows[k].why);
    energy_j += jobs[k].at("energy_j").get<double>();
    node_time_s += jobs[k].at("node_time_s").get<double>();
    waits_s += jobs[k].at("wait_s").get<double>();
  }
  const auto figure = [&](const char* name) { return summary.at(name).at("value").get<double>(); };
  constexpr double rounding_ratio = 1e-9;  // of sums in another order
  CHECK(energy_j > 0.0);
  CHECK_THAT(figure("job_energy"), WithinRel(energy_j, rounding_ratio));
  CHECK_THAT(figure("job_energy") + figure("idle_node_energy"), WithinRel(figure("node_energy"), rounding_ratio));
  CHECK_THAT(figure("job_node_time_ratio"), WithinRel(node_time_s / (8.0 * 240.0), rounding_ratio));
  CHECK_THAT(figure("mean_job_wait"), WithinRel(waits_s / 3.0, rounding_ratio));
  CHECK(figure("stuck_jobs") == 1.0);
  CHECK(summary.at("verdict").at("value") == "LOST");
}

TEST_CASE("jobs sorts by a column, and says what a job waits for", "[cli][jobs]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  run_queue(folder);
  const Outcome table = folder.run({"jobs", "x.h5", "--sort", "wait", "--most", "1"});
  CHECK(table.exit_code == 0);
  CHECK_THAT(table.output, Contains("never fits: needs 8 nodes, but only 7 work and are not drained") &&
                               Contains("and 2 more") && !Contains("second"));
  const nlohmann::json by_energy = json_of(folder, {"jobs", "x.h5", "--json", "--sort", "energy"});
  CHECK(by_energy[0].at("energy_j") >= by_energy[1].at("energy_j"));
  CHECK(by_energy[0].at("name") == "first");
  CHECK(by_energy[2].at("name") == "third");
}

TEST_CASE("lanes and the time of GPUs are drawn from the same numbers as the table", "[cli][jobs]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  run_queue(folder);
  const wattloop::twin::ResultsReader results(folder / "x.h5");
  const std::vector<wattloop::twin::Lane> lanes = wattloop::twin::job_lanes(results);
  REQUIRE(lanes.size() == 3);
  CHECK(lanes[0].title == "first (5 nodes)");
  REQUIRE(lanes[0].spans.size() == 1);
  CHECK(lanes[0].spans[0].state == wattloop::twin::LaneState::runs);
  CHECK(lanes[0].spans[0].end_s == results.jobs()[0].ended_s);
  REQUIRE(lanes[1].spans.size() >= 3);
  CHECK(lanes[1].spans[0].begin_s == 30.0);
  CHECK(lanes[1].spans[1].state == wattloop::twin::LaneState::stopped);
  REQUIRE(lanes[2].spans.size() == 1);
  CHECK(lanes[2].spans[0].state == wattloop::twin::LaneState::waits);
  const wattloop::twin::Sankey sankey = wattloop::twin::gpu_time_sankey(results);
  const auto flow = [&](bool is_out, std::size_t node) {
    double sum_gpu_h = 0.0;
    for (const auto& one : sankey.flows) sum_gpu_h += (is_out ? one.from : one.to) == node ? one.value : 0.0;
    return 3600.0 * sum_gpu_h;
  };
  constexpr double rounding_ratio = 1e-9;  // of sums in another order
  CHECK_THAT(flow(true, 0), WithinRel(64.0 * 240.0, rounding_ratio));
  CHECK_THAT(flow(true, 1), WithinRel(flow(false, 1), rounding_ratio));
  CHECK_THAT(flow(true, 2), WithinRel(flow(false, 2), rounding_ratio));
  double held_s = 0.0;
  for (const auto& job : results.jobs()) held_s += 8.0 * job.node_time_s;
  CHECK_THAT(flow(false, 1), WithinRel(held_s, rounding_ratio));
}

TEST_CASE("results without a queue have no jobs, which is said", "[cli][jobs]") {
  const WorkFolder folder(WATTLOOP_PROGRAM);
  REQUIRE(folder.run({"run", one_rack, "--set", "duration=10 s", "-o", "y.h5", "-q"}).exit_code == 0);
  const Outcome refused = folder.run({"jobs", "y.h5"});
  CHECK(refused.exit_code != 0);
  CHECK_THAT(refused.errors, Contains("no jobs of a queue"));
}
