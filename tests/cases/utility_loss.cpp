// Case: the hall at nameplate loses both of its feeds; scenarios/utility_loss/, whose README has the event summary.
//
// Expected values and where they come from:
//   times      of generators, towers and chillers: the delays of the scenario and the library, by hand
//   batteries  E = n (P_r + loss(P_r)) t_b lasts E / (P + loss(P)), with P by hand from nameplates and data sheets; CDU pumps
//              from the run, which is 1 % of P. Without generators: charge used = energy served + energy lost, from meters
//   heating    without facility water every die follows its loop: t = C (87 degC - T_0) / P, C of coolant, units and plates'
//              water, P the liquid heat of the nodes at nameplate and the pumps'; 5 %, because the coolant is not well mixed
//              and the facility pumps coast for some seconds

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <vector>

#include <fmt/format.h>

#include "tests/support/catch.hpp"
#include "tests/support/scenario_run.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/verification.hpp"
#include "twin/commands/run/run_command.hpp"
#include "twin/results/reader/results_equality.hpp"

using namespace wattloop;
using namespace wattloop::twin;
using tests::ScenarioRun;
using By = ScenarioRun::By;
using Times = std::vector<double>;

namespace {

constexpr double zero_c = 273.15;
constexpr double loss_at_s = 60.0;

/// One low-voltage bus a side, and so one battery, whose drain is a sum by hand.
const std::vector<std::string> one_bus{"power.transformers.low_voltage_buses=1", "power.generators.count=6",
                                       "power.ups.modules=12", "power.pdus.count=20"};

std::vector<std::string> with(std::vector<std::string> overrides, const char* another) {
  overrides.emplace_back(another);
  return overrides;
}

constexpr double nodes_w = 1280 * 10.2e3;
constexpr double fabric_w = 800 * (747.0 + 32 * 15.0);

/// Fans of active doors: 1 kW at 2.11 kg/s, by the cube of the flow behind racks of 8 x 0.153 kg/s and network racks of 2.1.
constexpr double door_fans_w = 160 * 195.2 + 40 * 985.8;

/// 12 modules of 1500 kW.
double ups_loss_w(double output_w) {
  const double load = output_w / 18e6;
  return 18e6 * (0.007 + 0.008 * load + 0.016 * load * load);
}

/// 20 of 1 MVA.
double pdu_loss_w(double output_w) { return 20e6 * (0.001 + 0.007 * std::pow(output_w / 20e6, 2)); }

double battery_j(double minutes) { return (18e6 + ups_loss_w(18e6)) * 60.0 * minutes; }

/// What the battery of a side gives for this share of racks and these pumps.
double drain_w(double rack_share_fraction, double pumps_w) {
  const double racks_w = rack_share_fraction * (nodes_w + fabric_w + door_fans_w);
  const double output_w = racks_w + pdu_loss_w(racks_w) + pumps_w;
  return output_w + ups_loss_w(output_w);
}

/// J that batteries gave or, without feed, that loads and losses took since the start.
double taken_j(const ScenarioRun& run) {
  double sum_j = run.state().states[run.plant.meters.electrical_loss];
  for (const UseOfPower& use : run.plant.uses) sum_j += run.used_j(use.name);
  return sum_j;
}

double supply_c(const ScenarioRun& run) { return run.node_k("loop_1.supply") - zero_c; }
double chilled_c(const ScenarioRun& run) { return run.node_k("chilled_water.supply") - zero_c; }

std::filesystem::path recorded(const std::filesystem::path& folder, int threads) {
  RunOptions options;
  options.scenario = std::string(WATTLOOP_SOURCE_DIR) + "/scenarios/utility_loss/feeds_lost_40s.yaml";
  options.output = folder / (threads == 1 ? "one.h5" : "two.h5");
  options.overrides = {"duration=2 min 20 s"};
  options.threads = threads;
  options.is_quiet = true;
  REQUIRE(run(options) == 0);
  omp_set_num_threads(1);
  return options.output;
}

}  // namespace

TEST_CASE("both feeds lost for 40 s: batteries, then generators carry, water plants stand and return", "[case]") {
  const By by = GENERATE(By::monolithic, By::multirate);
  ScenarioRun run("utility_loss/feeds_lost_40s", one_bus, by);
  const double supply_at_start_c = supply_c(run), chilled_at_start_c = chilled_c(run);
  run.until(loss_at_s);
  CHECK(run.evaluation().power.source_total_w == 0.0);
  CHECK(run.use_w("node") == Approx(nodes_w));
  const double pumps_w = run.use_w("cdu_pump");
  CHECK(pumps_w > 0.0);
  for (const char* use : {"facility_pump", "tower", "chiller", "chilled_water_pump", "crah"}) {
    CHECK(run.use_w(use) == 0.0);
  }
  run.until(loss_at_s + 10.0);
  const double used_j = 10.0 * (drain_w(0.5, pumps_w) + drain_w(0.5, 0.0));
  CHECK((2.0 - run.charge("ups_a") - run.charge("ups_b")) * battery_j(5.0) == Approx(used_j).epsilon(0.001));
  CHECK(supply_c(run) > supply_at_start_c + 0.5);

  run.until(loss_at_s + 70.0);  // chilled water is warmest when the chillers return
  CHECK(chilled_c(run) > chilled_at_start_c + 1.0);
  run.to_end();
  CHECK(supply_c(run) == Approx(supply_at_start_c).margin(0.05));
  CHECK(chilled_c(run) == Approx(chilled_at_start_c).margin(0.3));
  CHECK(run.statistics.node_w.lowest == Approx(nodes_w));
  CHECK(run.use_w("chiller") > 0.0);
  CHECK(run.times_s("first_throttle").empty());

  for (const std::string side : {"a", "b"}) {
    CHECK(run.times_s("on_battery", "ups_" + side) == Times{loss_at_s});
    CHECK(run.times_s("generator_on_load", "generator_" + side + "_*") == Times{loss_at_s + 10.0});
    CHECK(run.times_s("off_battery", "ups_" + side) == Times{loss_at_s + 10.0});
    CHECK(run.times_s("generator_stop", "generator_" + side + "_*") == Times{loss_at_s + 40.0 + 300.0});
  }
  for (const char* use : {"tower", "chiller"}) {
    CHECK(run.times_s("lost_power", use) == Times{loss_at_s});
    CHECK(run.times_s("power_back", use) == Times{loss_at_s + 10.0});
  }
  CHECK(run.times_s("start", "tower_1") == Times{loss_at_s + 10.0 + 20.0});
  for (int machine = 1; machine <= 3; ++machine)  // one after the other
    CHECK(run.times_s("start", fmt::format("chiller_{}", machine)) ==
          Times{loss_at_s + 10.0 + 60.0 + 45.0 * (machine - 1)});
  for (const char* use : {"node", "fabric", "cdu_pump"}) CHECK(run.times_s("lost_power", use).empty());
  CHECK(std::abs(run.energy_residual()) < 1e-6);
}

TEST_CASE("without generators hot air stops the nodes before dies or batteries give up", "[case]") {
  const By by = GENERATE(By::monolithic, By::multirate);
  ScenarioRun run("utility_loss/no_generators_10min", one_bus, by);
  run.until(loss_at_s);
  const double taken_before_j = taken_j(run);
  run.until(loss_at_s + 600.0);
  CHECK(run.times_s("inlet_slowdown", "160 racks") ==
        Times{loss_at_s + 30.0});  // 35 degC after 25 to 28 s: the next tick
  REQUIRE(run.times_s("inlet_shutdown", "160 racks").size() == 1);
  CHECK(run.times_s("inlet_shutdown").front() > loss_at_s + 30.0);
  CHECK(run.use_w("node") == 0.0);
  CHECK(run.statistics.die_k.highest < 87.0 + zero_c);
  CHECK(run.times_s("battery_empty").empty());
  const double gave_j = (2.0 - run.charge("ups_a") - run.charge("ups_b")) * battery_j(5.0);
  CHECK(gave_j == Approx(taken_j(run) - taken_before_j).epsilon(1e-6));

  run.until(loss_at_s + 780.0);  // chillers start one after the other, from a minute after the feeds on
  REQUIRE(run.times_s("node_start", "160 racks").size() == 1);
  const double start_s = run.times_s("node_start").front();
  CHECK(start_s > loss_at_s + 610.0);  // not before the air handlers, which start 10 s after the feeds
  CHECK(run.use_w("node") == Approx(1280 * (1600.0 + 1.12 * 8 * 72.0)).epsilon(1e-9));
  run.to_end();
  CHECK(run.times_s("nodes_back") == Times{start_s + 300.0});
  CHECK(run.use_w("node") == Approx(nodes_w));
  CHECK(run.times_s("thermal_shutdown").empty());
  CHECK(std::abs(run.energy_residual()) < 1e-6);
}

TEST_CASE("without generators dies give up before batteries do, if hot air stops nothing", "[case]") {
  const By by = GENERATE(By::monolithic, By::multirate);
  ScenarioRun run("utility_loss/no_generators_10min", with(one_bus, "hall.racks.with.inlet_air.enabled=false"), by);
  const double start_die_k = run.hottest_die_k(run.plant.it.gpu_count());
  run.until(loss_at_s);
  const double taken_before_j = taken_j(run);
  const double pumps_w = run.use_w("cdu_pump");

  constexpr double pg25_j_per_m3_k = 1012.0 * 3951.0, water_j_per_m3_k = 998.0 * 4180.0;
  const double coolant_j_per_k = (4 * 3.0 + 1280 * 2e-3 + 12 * 0.12) * pg25_j_per_m3_k + 12 * 0.06 * water_j_per_m3_k;
  const double units_j_per_k = 10240 * 392.0 + 1280 * 2400.0;
  const double heat_w = 1280 * 7525.2 + pumps_w;  // 8 x 700 W and half of the other 3850.4 W behind supplies and fans
  const double throttle_s = (coolant_j_per_k + units_j_per_k) * (87.0 + zero_c - start_die_k) / heat_w;
  const double empty_s = battery_j(5.0) / drain_w(0.5, pumps_w);
  CHECK(throttle_s < empty_s);  // what physics gives: dies first

  run.until(loss_at_s + 600.0);
  REQUIRE_FALSE(run.times_s("first_throttle").empty());
  REQUIRE_FALSE(run.times_s("thermal_shutdown").empty());
  const double first_throttle_s = run.times_s("first_throttle").front();
  if (by == By::multirate) {  // reported as users get it
    tests::report_verification({"hall without facility water, first GPU to throttle", "closed form",
                                "time after the loss", first_throttle_s - loss_at_s, throttle_s, 0.05 * throttle_s,
                                "s"});
  }
  CHECK(first_throttle_s - loss_at_s == Approx(throttle_s).epsilon(0.05));
  CHECK(first_throttle_s < run.times_s("thermal_shutdown").front());
  CHECK(run.times_s("thermal_shutdown").size() == run.plant.it.node_count());
  CHECK(run.times_s("thermal_shutdown").front() - loss_at_s < empty_s);
  CHECK(run.times_s("battery_empty").empty());
  CHECK(run.times_s("lost_power", "node").empty());
  const double gave_j = (2.0 - run.charge("ups_a") - run.charge("ups_b")) * battery_j(5.0);
  CHECK(gave_j == Approx(taken_j(run) - taken_before_j).epsilon(1e-6));

  const double charge_at_return = run.charge("ups_a");
  run.to_end();
  CHECK(run.use_w("node") == 0.0);  // nodes that shut down stay off
  CHECK(run.use_w("tower") > 0.0);
  CHECK(run.charge("ups_a") > charge_at_return);
  CHECK(std::abs(run.energy_residual()) < 1e-6);
}

TEST_CASE("a minute of battery at constant load ends at its closed form, and the hall is dark", "[case]") {
  const By by = GENERATE(By::monolithic, By::multirate);
  ScenarioRun run("utility_loss/battery_of_one_minute", {}, by);
  run.until(loss_at_s);
  const double pumps_w = run.use_w("cdu_pump");
  run.to_end();

  // Pump a of every CDU hangs on side a: it ends first, and side b then carries all, for a moment.
  const double a_s = battery_j(1.0) / drain_w(0.5, pumps_w);
  const double b_s = a_s + (battery_j(1.0) - a_s * drain_w(0.5, 0.0)) / drain_w(1.0, pumps_w);
  for (const auto& [ups, expected_s] : {std::pair{"ups_a", a_s}, {"ups_b", b_s}}) {
    REQUIRE(run.times_s("battery_empty", ups).size() == 1);
    const double empty_s = run.times_s("battery_empty", ups).front() - loss_at_s;
    CHECK(std::abs(empty_s - expected_s) < 1e-4 * expected_s);
    if (by == By::monolithic) continue;
    tests::report_verification({std::string("hall at nameplate on ") + ups + ", a minute of battery at rated power",
                                "closed form", "time to empty", empty_s, expected_s, 1e-4 * expected_s, "s"});
  }
  const double dark_s = run.times_s("battery_empty", "ups_b").front();
  CHECK(run.times_s("lost_power", "node") == Times{dark_s});
  CHECK(run.times_s("lost_power", "cdu_pump") == Times{dark_s});
  CHECK(run.evaluation().power.served_w == 0.0);
  CHECK(run.evaluation().power.source_total_w == 0.0);
  CHECK(run.evaluation().power.battery_total_w == 0.0);
  for (const double state : run.state().states) CHECK(std::isfinite(state));
  for (const double watts : run.evaluation().power.branch_output_w) CHECK(watts == 0.0);
  CHECK(run.times_s("first_throttle").empty());  // protection is off
  CHECK(std::abs(run.energy_residual()) < 1e-6);
}

TEST_CASE("the reference hall gives the same data for one and for two threads", "[case]") {
  const tests::TemporaryFolder folder;
  const ResultsEquality equality = results_equal(recorded(folder.path(), 1), recorded(folder.path(), 2));
  INFO(equality.difference);
  CHECK(equality.equal);
}
