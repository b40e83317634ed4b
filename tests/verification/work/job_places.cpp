// Where jobs of a queue have their nodes. By hand: in two racks, of which the first is filled first; and nodes times time of the rows of a job are what
// the scheduler counts for it.
#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/scenario_run.hpp"
#include "twin/run/figures/summary.hpp"
#include "twin/run/recording/placement_log.hpp"

using namespace wattloop;
using Catch::Matchers::WithinRel;

namespace {

using Run = tests::ScenarioRun;

class Watch final : public twin::Observer {
 public:
  explicit Watch(const twin::ItEquipment& it) : log(it) {}
  void observe(const twin::PlantState& state, const twin::Evaluation&) override {
    log.observe(state.work.queue, state.time_s);
  }

  twin::PlacementLog log;
};

/// Two racks of eight nodes.
std::vector<std::string> two_racks(const std::string& queue, const std::string& more = "title=x") {
  return {"workload=null",
          "hall.racks.count=2",
          "power.pdus.count=2",
          "hall.racks.gpu_spread=none",
          "duration=20 min",
          "jobs={scheduler: {interval: 30 s}, queue: [" + queue + "]}",
          more};
}

std::string job(const std::string& keys) { return "{" + keys + ", program: {kind: constant, node_power: 3 kW}}"; }

}  // namespace

TEST_CASE("rows of a job have its nodes by rack from its start to its end", "[verification][job_places]") {
  for (const Run::By integrator : {Run::By::monolithic, Run::By::multirate}) {
    Run run(
        "one_rack",
        two_racks(job("name: large, nodes: 11, run_time: 5 min") + ", " + job("name: small, nodes: 4, submit: 1 min")),
        integrator);
    Watch watch(run.plant.it);
    run.to_end(&watch);
    const std::vector<twin::JobPlace> places = watch.log.places();
    REQUIRE(places.size() == 3);
    const auto is_row = [&](std::size_t row, std::int64_t of_job, std::int64_t rack, std::int64_t nodes) {
      return places[row].job == of_job && places[row].rack == rack && places[row].nodes == nodes;
    };
    CHECK(is_row(0, 0, 0, 8));  // rows are by begin, then by rack
    CHECK(is_row(1, 0, 1, 3));
    CHECK(is_row(2, 1, 1, 4));
    for (const std::size_t row : {0, 1}) {
      CHECK(places[row].begin_s == 0.0);
      CHECK(places[row].end_s == Approx(300.0));
    }
    CHECK(places[2].begin_s == 60.0);
    CHECK(std::isnan(places[2].end_s));
    CHECK((places[2].is_at(60.0) && places[2].is_at(1200.0) && !places[2].is_at(59.9)));
    CHECK((places[0].is_at(0.0) && !places[0].is_at(places[0].end_s)));
  }
}

TEST_CASE("nodes times time of the rows of a job are what the scheduler counts", "[verification][job_places]") {
  Run run("one_rack",
          two_racks(job("name: large, nodes: 9, run_time: 4 min") + ", " +
                        job("name: many, nodes: 3, count: 6, submit: 1 min, every: 70 s, run_time: 3 min") + ", " +
                        job("name: last, nodes: 16, submit: 9 min, run_time: 2 min"),
                    "events=[{at: 100 s, fail: row_1.rack_1.node_2}, {at: 6 min, restore: row_1.rack_1.node_2}]"));
  Watch watch(run.plant.it);
  run.to_end(&watch);
  const std::vector<twin::JobOutcome> jobs =
      twin::job_outcomes({run.plant, run.scenario, run.simulation(), run.statistics});
  std::map<std::int64_t, double> node_time_s;
  for (const twin::JobPlace& place : watch.log.places())
    node_time_s[place.job] +=
        static_cast<double>(place.nodes) * ((std::isnan(place.end_s) ? 1200.0 : place.end_s) - place.begin_s);
  REQUIRE(jobs.size() == 8);
  CHECK(std::ranges::any_of(jobs, [](const twin::JobOutcome& one) { return one.starts > 1; }));  // it lost its node
  for (std::size_t k = 0; k < jobs.size(); ++k) {
    INFO(jobs[k].name);
    REQUIRE(jobs[k].node_time_s > 0.0);
    CHECK_THAT(node_time_s[static_cast<std::int64_t>(k)], WithinRel(jobs[k].node_time_s, 1e-9));
  }
  for (double time_s = 0.0; time_s <= 1200.0; time_s += 7.0) {
    std::map<std::int64_t, std::int64_t> nodes;
    for (const twin::JobPlace& place : watch.log.places())
      if (place.is_at(time_s)) nodes[place.rack] += place.nodes;
    for (const auto& [rack, taken] : nodes) CHECK((rack < 2 && taken <= 8));
  }
}

TEST_CASE("work that has fixed nodes has no rows", "[verification][job_places]") {
  Run run("one_rack", {"duration=2 min"});
  Watch watch(run.plant.it);
  run.to_end(&watch);
  CHECK(watch.log.places().empty());
}
