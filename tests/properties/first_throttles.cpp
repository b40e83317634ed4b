// When each GPU was below full clock for the first time: against clocks looked at every second, and by both integrators.
#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/scenario_run.hpp"

using namespace wattloop;
using namespace wattloop::twin;
using tests::ScenarioRun;
using By = ScenarioRun::By;

namespace {

/// Two racks that air cools; the fans of the first stand from 10 s on.
ScenarioRun hot_hall(By by, const std::string& events = "{at: 10 s, fail: row_1.rack_1.fans}") {
  return ScenarioRun(
      "halls/dgx_h100_air",
      {"hall.racks.rows=1", "hall.racks.count=2", "duration=90 s", "initial=steady", "events=[" + events + "]"}, by);
}

bool is_there(double time_s) { return !std::isnan(time_s); }

}  // namespace

TEST_CASE("the first time of each GPU below full clock is that at which its clock is seen lowered", "[throttles]") {
  ScenarioRun reference = hot_hall(By::monolithic);
  std::vector<double> seen_s(reference.plant.it.gpu_count(), std::nan(""));
  for (int second = 1; second <= 90; ++second) {
    reference.until(second);
    for (std::size_t gpu = 0; gpu < seen_s.size(); ++gpu) {
      if (reference.state().work.clock_fraction[gpu] < 1.0 && !is_there(seen_s[gpu])) seen_s[gpu] = second;
    }
  }
  const WorkState& work = reference.state().work;
  REQUIRE(work.gpu_first_throttle_s.size() == seen_s.size());
  REQUIRE(std::ranges::count_if(seen_s, is_there) > 8);
  for (std::size_t gpu = 0; gpu < seen_s.size(); ++gpu) {
    INFO(gpu);
    if (is_there(work.gpu_first_throttle_s[gpu])) CHECK(work.gpu_first_throttle_s[gpu] == seen_s[gpu]);
  }
  const auto firsts = work.gpu_first_throttle_s;
  CHECK(*std::ranges::min_element(firsts, {}, [](double s) { return is_there(s) ? s : 1e9; }) == work.first_throttle_s);
}

TEST_CASE("both integrators report the same first times of GPUs below full clock", "[throttles][multirate]") {
  ScenarioRun reference = hot_hall(By::monolithic), fast = hot_hall(By::multirate);
  reference.to_end();
  fast.to_end();
  const std::vector<double>&a = reference.state().work.gpu_first_throttle_s,
        &b = fast.state().work.gpu_first_throttle_s;
  REQUIRE(a.size() == b.size());
  REQUIRE(!a.empty());
  for (std::size_t gpu = 0; gpu < a.size(); ++gpu) {
    INFO(gpu);
    REQUIRE(is_there(a[gpu]) == is_there(b[gpu]));
    if (is_there(a[gpu])) CHECK(std::abs(a[gpu] - b[gpu]) <= 1.0);  // a look of firmware
  }
}

TEST_CASE("a run in which no GPU is slowed keeps no times of any", "[throttles]") {
  ScenarioRun cool = hot_hall(By::multirate, "");
  cool.to_end();
  CHECK(cool.state().work.gpu_first_throttle_s.empty());
}
