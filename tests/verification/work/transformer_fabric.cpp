// A transformer job on a modelled fabric that breaks, beside steps by closed forms: rails with 7/8 of their bandwidth where a leaf of eight is lost. 64 nodes,
// two units of 32 with 8 leaves each: leaf_12 carries rail 4 of nodes 33 to 64.
#include <memory>
#include <utility>
#include <vector>

#include "tests/support/by_hand/two_sides.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/halls/fabric_hall.hpp"
#include "tests/support/records/published_training.hpp"
#include "tests/support/work_run.hpp"
#include "twin/actions/work/rail_times.hpp"
#include "twin/build/plant_builder.hpp"
#include "twin/planning/work/explained_job.hpp"
#include "twin/planning/work/job_network.hpp"
#include "twin/planning/work/work.hpp"

using namespace wattloop;
using namespace wattloop::twin;

namespace {

workload::TransformerParams gpt3() {
  workload::TransformerParams params;
  params.model = *workload::find_published_model("gpt3_175b");
  params.precision = "fp8";
  params.batch = 256;
  params.parallel = {.tensor = 4, .pipeline = 8, .virtual_stages = 6};
  params.overlap.tensor_fraction = workload::by_precision;
  params.job.checkpoint_s = 0.0;
  params.job.sample_interval_s = 0.5;
  return params;
}

Scenario fabric_hall(std::vector<EventSpec> events, double duration_s) {
  return tests::fabric_hall(gpt3(), std::move(events), duration_s);
}

workload::NodeSet nodes_of(const Scenario& scenario) {
  const std::vector<std::size_t> jobs = jobs_of_groups(scenario);
  return nodes_in_job(scenario, jobs, 0);
}

/// A step over rails of this bandwidth, by closed forms.
workload::StepTime step_over(const workload::PlannedJob& job, double rail_b_per_s) {
  network::Links links = links_of_nodes(8);
  links.beyond.bandwidth_b_per_s = rail_b_per_s;
  return step_time(job.setup(RailTimes(links)));
}

struct FabricRun {
  Scenario scenario;
  Plant plant = build_plant(scenario);
  Work work = make_work(scenario);
  RunMethod run_method;
  std::unique_ptr<tests::WorkRun> simulation;

  FabricRun(Scenario of, bool is_multirate)
      : scenario(std::move(of)),
        run_method(is_multirate ? by_multirate() : by_monolithic()),
        simulation(std::make_unique<tests::WorkRun>(scenario, plant, *work.workload, run_method)) {
    simulation->start();
  }
  const workload::JobClock& clock() const { return simulation->state().work.job_clocks.front(); }
  double steps(double t_s) const { return work.workload->jobs().front().program->progress(clock(), t_s).steps; }
};

}  // namespace

TEST_CASE("over a sound fabric a transformer job has the step of free rails", "[transformer_fabric]") {
  const Scenario scenario = fabric_hall({}, 60.0);
  const ExplainedJob explained = explained_jobs(scenario).front();
  CHECK(explained.step.step_s == Approx(step_over(explained.job, 48e9).step_s).epsilon(1e-6));
  const FabricRun run(scenario, true);
  CHECK(run.work.workload->jobs().front().program->step_s() == Approx(explained.step.step_s).epsilon(1e-12));
  CHECK(run.clock().communication_ratio == 1.0);
}

TEST_CASE("a lost leaf lengthens the communication of a transformer job by 8/7 of what rails carry, until it is back",
          "[transformer_fabric]") {
  const workload::PlannedJob job = plan_job(gpt3(), nodes_of(fabric_hall({}, 60.0)));
  const workload::StepTime sound = step_over(job, 48e9), lost = step_over(job, 48e9 * 7.0 / 8.0);
  const double expected = (lost.step_s - clocked_s(sound)) / (sound.step_s - clocked_s(sound));
  REQUIRE(expected > 1.005);  // else nothing is tested
  std::vector<double> steps;
  for (const bool is_multirate : {true, false}) {
    EventSpec failed = tests::event(60.0, EventSpec::Kind::fail, {"leaf_12"});
    failed.for_s = 120.0;
    FabricRun run(fabric_hall({failed}, 300.0), is_multirate);
    run.simulation->run(120.0, {});
    CHECK(run.clock().communication_ratio == Approx(expected).epsilon(2e-3));
    run.simulation->run(300.0, {});
    CHECK(run.clock().communication_ratio == 1.0);
    steps.push_back(run.steps(300.0));
  }
  CHECK(steps[0] == steps[1]);
}
