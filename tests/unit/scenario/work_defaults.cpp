// Powers of a synthetic job that a scenario does not give follow the GPU of each group of racks.
#include <string>

#include "tests/support/catch.hpp"
#include "twin/planning/work/work.hpp"
#include "twin/scenario/scenario_reader.hpp"
#include "workload/training/training.hpp"

using namespace wattloop;
using namespace wattloop::twin;
using Catch::Matchers::Contains;

namespace {

const std::string scenarios = WATTLOOP_SOURCE_DIR "/scenarios/";

workload::TrainingParams job_of(const Scenario& scenario, std::size_t group) {
  const RacksSpec& racks = scenario.racks.at(group);
  return workload::with_powers_of_gpu(*workload_of(scenario, racks).get<workload::TrainingParams>(),
                                      racks.hardware.split);
}

}  // namespace

TEST_CASE("an H100 computes at 613 W and a GB200 at the same share of its limit", "[work_defaults]") {
  const Scenario h100 = read_scenario(scenarios + "one_rack.yaml", {});
  CHECK(job_of(h100, 0).compute_gpu_w == 613.0);
  CHECK(job_of(h100, 0).communication_gpu_w == 220.0);
  CHECK(job_of(h100, 0).checkpoint_gpu_w == 156.0);
  const Scenario mixed = read_scenario(scenarios + "halls/mixed.yaml", {"hall.racks.nvl72.workload=null"});
  CHECK(job_of(mixed, 0).compute_gpu_w == 613.0);
  CHECK(job_of(mixed, 1).compute_gpu_w == 613.0);
  const workload::TrainingParams nvl72 = job_of(mixed, 2);
  CHECK(nvl72.compute_gpu_w == Approx(1200.0 * 613.0 / 700.0));
  CHECK(nvl72.communication_gpu_w == Approx(1200.0 * 220.0 / 700.0));
}

TEST_CASE("a power that a scenario gives is taken as it is", "[work_defaults]") {
  const Scenario mixed = read_scenario(
      scenarios + "halls/mixed.yaml",
      {"hall.racks.nvl72.workload=null", "hall.racks.nvl72.workload={ kind: training, compute_gpu_power: 900 W }"});
  CHECK(job_of(mixed, 2).compute_gpu_w == 900.0);
  CHECK(job_of(mixed, 2).checkpoint_gpu_w == Approx(1200.0 * 156.0 / 700.0));
}

TEST_CASE("a power that a GPU cannot draw is refused with the group and its defaults", "[work_defaults]") {
  const Scenario mixed = read_scenario(
      scenarios + "halls/mixed.yaml",
      {"hall.racks.nvl72.workload=null", "hall.racks.nvl72.workload={ kind: training, compute_gpu_power: 1300 W }"});
  CHECK_THROWS_WITH(make_work(mixed),
                    Contains("racks nvl72: compute_gpu_power: 1300 W is not between") &&
                        Contains("defaults for a power limit of 1200 W: communication_gpu_power 377 W, "
                                 "checkpoint_gpu_power 267 W"));
}
