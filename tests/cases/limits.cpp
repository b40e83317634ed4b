// Case: the hall at nameplate goes beyond its limits; scenarios/limits/, whose README has the event summary.
//
// Expected values and where they come from:
//   one cord     three of six Titanium supplies carry a node of 10.20 kW with 10.752 kW
//   UPS          600 s x 0.1^((L - 1.25) / 0.25) [mge_galaxy_pw], L from the load present
//   substation   120 s / (L / 1.1 - 1) [iec_60255_151], the long inverse curve, L the same; 1 %, because towers change their power meanwhile
//   generators   stall a second after what they cannot carry, ten seconds after the feeds
//   air          slowed at the tick of 5 s after 35 degC, off after 45 degC, before nodes and around UPS as recorded
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/scenario_run.hpp"

using namespace wattloop;
using namespace wattloop::twin;
using tests::ScenarioRun;

namespace {

constexpr double loss_at_s = 60.0, generator_start_s = 10.0;
constexpr double zero_c = 273.15;

/// What 1,280 nodes draw more on one cord, 10.752 instead of 10.20 kW, with the loss of 3 % of a UPS.
constexpr double on_one_cord_w = 1280 * 552.0 * 1.03;

/// The only one of its kind.
double at_s(const ScenarioRun& run, const char* kind, const char* target) {
  const std::vector<double> times_s = run.times_s(kind, target);
  INFO(kind << " " << target);
  REQUIRE(times_s.size() == 1);
  return times_s.front();
}

double loading(const ScenarioRun& run, const char* branch) {
  return run.evaluation().power.branch_loading_fraction[*electrical::find_branch(run.plant.power_tree, branch)];
}

std::size_t nodes_on(const ScenarioRun& run) {
  return static_cast<std::size_t>(std::ranges::count_if(run.state().work.node_is, is_switched_on));
}

/// Hall and UPS rooms that lose their cooling: slowed, off, dark, each at a tick and in this order.
void check_heating_up(const ScenarioRun& run) {
  const double slowed_s = at_s(run, "inlet_slowdown", "160 racks"), off_s = at_s(run, "inlet_shutdown", "160 racks");
  CHECK(std::fmod(slowed_s, 5.0) == 0.0);
  CHECK(std::fmod(off_s, 5.0) == 0.0);
  CHECK(at_s(run, "limit_exceeded", "row_1.rack_1") < slowed_s);
  CHECK(slowed_s < off_s);
  CHECK(nodes_on(run) == 0);
  CHECK(std::abs(run.energy_residual()) < 1e-9);
}

}  // namespace

TEST_CASE("all chillers lost: nodes are slowed and off, and UPS switch off in hot rooms", "[limits]") {
  ScenarioRun run("limits/all_chillers_lost", {}, ScenarioRun::By::multirate);
  run.until(1800.0);
  check_heating_up(run);
  CHECK(run.times_s("tripped").empty());  // electronics and batteries of the UPS store heat
  run.to_end();
  const double off_s = at_s(run, "tripped", "ups_b_1");
  CHECK(std::fmod(off_s, 5.0) == 0.0);
  CHECK(at_s(run, "on_bypass", "ups_b_8") == off_s);
  CHECK(run.times_s("lost_power").empty());
}

TEST_CASE("doors without water: nodes are off 75 s later, and no aisle is hotter than where they go", "[limits]") {
  ScenarioRun run("limits/doors_stopped", {}, ScenarioRun::By::multirate);
  run.until(600.0);
  check_heating_up(run);
  CHECK(at_s(run, "inlet_shutdown", "160 racks") == Approx(135.0).margin(5.0));
  CHECK(run.node_k("row_4.cold_aisle") - zero_c < 50.0);
}

TEST_CASE("ten of twelve generators do not start: two stall a second after they took load", "[limits]") {
  ScenarioRun run("limits/ten_generators_fail", {}, ScenarioRun::By::multirate);
  run.until(300.0);
  for (const char* generator : {"generator_a_6", "generator_b_6"})
    CHECK(at_s(run, "tripped", generator) == Approx(loss_at_s + generator_start_s + 1.0).margin(1e-3));
  check_heating_up(run);
  CHECK(run.charge("ups_a") > 0.9);
}

TEST_CASE("a UPS with a module out carries both sides for as long as its curve says", "[limits]") {
  ScenarioRun run("limits/ups_module_out", {}, ScenarioRun::By::multirate);
  run.until(120.0);
  const double loading_ratio = loading(run, "ups_b");
  CHECK(loading_ratio == Approx(1.19 + on_one_cord_w / 12e6).margin(0.01));
  run.until(1200.0);
  const double endured_s = 600.0 * std::pow(0.1, (loading_ratio - 1.25) / 0.25);
  CHECK(at_s(run, "tripped", "ups_b") - loss_at_s == Approx(endured_s).epsilon(1e-3));
  CHECK(at_s(run, "on_bypass", "ups_b") == at_s(run, "tripped", "ups_b"));
  CHECK(run.times_s("lost_power").empty());
  CHECK(std::abs(run.energy_residual()) < 1e-9);
}

TEST_CASE("one of two feeders is lost: the battery ends, the partner carries both sides and trips by its curve",
          "[limits]") {
  ScenarioRun run("limits/feeder_lost", {}, ScenarioRun::By::multirate);
  run.until(50.0);
  for (const char* substation : {"substation_a", "substation_b"})
    CHECK(loading(run, substation) == Approx(0.9).margin(0.01));
  run.until(900.0);
  const double empty_s = at_s(run, "battery_empty", "ups_a");
  const double loading_ratio = loading(run, "substation_b");
  CHECK(loading_ratio == Approx(1.8 + on_one_cord_w / 8.6e6).margin(0.02));
  run.until(1200.0);
  const double endured_s = 120.0 / (loading_ratio / 1.1 - 1.0);
  CHECK(at_s(run, "tripped", "substation_b") - empty_s == Approx(endured_s).epsilon(0.01));
  check_heating_up(run);
}
