// Promises of the multirate integrator: any number of threads gives the same bytes, the loop allocates nothing, what it shows
// inside a window is what it would have shown at its end, guards stop it where they stop the reference integrator, the order in the length
// of a window is that of its prediction, and a thermal runaway ends with a message.

#include <omp.h>

#include <cmath>
#include <string>

#include "core/text/problem.hpp"
#include "physics/units/cold_plate.hpp"
#include "tests/support/allocation_count.hpp"
#include "tests/support/by_hand/two_sides.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/halls/one_rack.hpp"
#include "twin/build/plant_builder.hpp"
#include "twin/commands/command_line.hpp"
#include "twin/planning/run_planner.hpp"
#include "twin/plant/snapshot/energy_balance.hpp"
#include "twin/run/meters/statistics.hpp"
#include "twin/simulation/simulation.hpp"

using namespace wattloop;
using namespace wattloop::twin;

namespace {

/// Smooth work, the same for all, in samples of a quarter of a second.
class SwellWork final : public workload::Workload {
 public:
  double next_change_s(double t_s) const override { return (std::floor(t_s * 4.0 + 1e-9) + 1.0) / 4.0; }
  void sample(double t_s, workload::NodeRange, std::span<double> gpu_w, std::span<double> node_ac_w) const override {
    const double middle_s = (std::floor(t_s * 4.0 + 1e-9) + 0.5) / 4.0;
    const double w = 450.0 + 150.0 * std::sin(2.0 * 3.14159265358979 * middle_s / 30.0);
    std::fill(gpu_w.begin(), gpu_w.end(), w);
    std::fill(node_ac_w.begin(), node_ac_w.end(), 1600.0 + 1.12 * 8.0 * w);
  }
};

/// Keeps everything that it is shown, single units included.
class Keeper final : public Observer {
 public:
  void observe(const PlantState& state, const Evaluation& evaluation) override {
    time_s.push_back(state.time_s);
    states.push_back(state.states);
    feed_w.push_back(evaluation.power.source_total_w);
    racks.push_back(evaluation.racks);
    unit_power_w.push_back(evaluation.unit_power_w);
  }

  std::vector<double> time_s, feed_w;
  std::vector<std::vector<double>> states;
  std::vector<std::vector<RackDigest>> racks;
  std::vector<std::vector<std::vector<double>>> unit_power_w;
};

Scenario ten_racks() {
  Scenario scenario = tests::one_rack_scenario();
  scenario.racks.front().count = 10;  // enough for parallel loops
  scenario.cooling.loops.front().cdus = 10;
  scenario.power.pdus = 10;
  EventSpec failure;
  failure.at_s = 21.3;
  failure.targets = {"cdu_1", "cdu_2", "cdu_3", "cdu_4", "cdu_5", "cdu_6", "cdu_7", "cdu_8"};
  failure.for_s = 30.0;
  scenario.events.push_back(failure);
  return scenario;
}

/// So many threads while it lives, then one again.
struct Threads {
  explicit Threads(int count) { omp_set_num_threads(count); }
  ~Threads() { omp_set_num_threads(1); }
};

SolverStatistics run_ten_racks(int thread_count, Observer& observer) {
  const Threads threads(thread_count);
  const Scenario scenario = ten_racks();
  const Plant plant = build_plant(scenario);
  const auto integrator = make_multirate_integrator(plant, {});
  const tests::SquareWork work(20.0);
  const RunPlan plan = plan_run(scenario, plant, work);
  Simulation simulation(plant, plan, work, *integrator);
  simulation.start();
  simulation.run(120.0, {&observer});
  return simulation.solver_statistics();
}

Keeper run_with_threads(int threads) {
  Keeper keeper;
  CHECK(run_ten_racks(threads, keeper).racks_again > 0);
  return keeper;
}

/// A recorder whose disk is full from a time on.
class FailingObserver final : public Observer {
 public:
  double last_s = -1.0;

  void observe(const PlantState& state, const Evaluation&) override {
    if (state.time_s >= 7.0) throw FileError("no space");
    last_s = state.time_s;
  }
  bool looks_at_units(double) const override { return false; }
};

}  // namespace

TEST_CASE("the multirate integrator gives the same bytes for any number of threads", "[multirate][determinism]") {
  const Keeper one = run_with_threads(1), two = run_with_threads(2), three = run_with_threads(3);
  CHECK(one.time_s == two.time_s);
  CHECK(one.states == two.states);
  CHECK(one.states == three.states);
  CHECK(one.feed_w == three.feed_w);
}

TEST_CASE("what an observer throws within a window reaches who runs the simulation, with any number of threads",
          "[multirate]") {
  const int threads = GENERATE(1, 2);
  FailingObserver observer;
  CHECK_THROWS_AS(run_ten_racks(threads, observer), FileError);
  CHECK(observer.last_s == 6.0);
}

TEST_CASE("the multirate loop allocates nothing", "[multirate][allocation]") {
  const Scenario scenario = tests::one_rack_scenario();
  const Plant plant = build_plant(scenario);
  const auto integrator = make_multirate_integrator(plant, {});
  const tests::SquareWork work(20.0);
  const RunPlan plan = plan_run(scenario, plant, work);
  Simulation simulation(plant, plan, work, *integrator);
  Statistics statistics(plant);
  const std::vector<Observer*> observers{&statistics};
  simulation.start();
  simulation.run(240.0, observers);
  const tests::AllocationCount count;
  simulation.run(480.0, observers);
  CHECK(count.allocations() == 0);
  CHECK(simulation.state().time_s == 480.0);
}

// What is shown inside a window comes from samples; at its end from an evaluation of the whole plant.
TEST_CASE("instants inside a window are shown as whole as those at its end", "[multirate]") {
  Scenario scenario = tests::one_rack_scenario();
  const Plant plant = build_plant(scenario);
  const auto integrator = make_multirate_integrator(plant, {});
  const SwellWork work;
  const RunPlan plan = plan_run(scenario, plant, work);
  Simulation simulation(plant, plan, work, *integrator);
  Keeper keeper;
  simulation.start();
  simulation.run(60.0, {&keeper});
  REQUIRE(keeper.time_s.size() == 241);
  Evaluation evaluation(plant);
  std::vector<double> rates(plant.map.state_count);
  AskedWatts asked(plant.it);
  PlantState state = simulation.state();
  for (std::size_t k = 1; k < keeper.time_s.size(); ++k) {
    INFO("at " << keeper.time_s[k] << " s");
    CHECK(keeper.time_s[k] == static_cast<double>(k) / 4.0);
    state.time_s = keeper.time_s[k];
    state.states = keeper.states[k];
    const NodeHardware& node = scenario.racks.front().hardware;
    apply_work(plant, {{node.split, node.protection, node.psu}}, work, state, asked);
    std::copy(state.inputs.begin(), state.inputs.end(), evaluation.inputs().begin());
    evaluate(plant, state.switches, state.states, evaluation, rates);
    digest_racks(plant, state, evaluation.racks);
    CHECK(keeper.feed_w[k] == Approx(evaluation.power.source_total_w).epsilon(1e-12));
    CHECK(keeper.unit_power_w[k][0][17] == Approx(evaluation.unit_power_w[0][17]).epsilon(1e-12));
    CHECK(keeper.racks[k][0].hottest_k == evaluation.racks[0].hottest_k);
    CHECK(keeper.racks[k][0].gpu_power_w ==
          Approx(evaluation.station_power_w[plant.it.groups.front().gpu_units][0]).epsilon(1e-12));
  }
}

TEST_CASE("an empty battery stops both integrators at the same instant", "[multirate][guards]") {
  double empty_s[2], residual_ratio[2];
  for (const int which : {0, 1}) {
    Scenario scenario = tests::two_sided_scenario();
    scenario.power.topology = "single";
    scenario.power.generators.is_enabled = false;
    scenario.events = {tests::event(10.0, EventSpec::Kind::open, {"utility_a"})};
    const Plant plant = build_plant(scenario);
    const auto integrator = which == 0 ? make_monolithic_integrator(plant, {}) : make_multirate_integrator(plant, {});
    const tests::SquareWork work(16.0);
    const RunPlan plan = plan_run(scenario, plant, work);
    Simulation simulation(plant, plan, work, *integrator);
    simulation.start();
    simulation.run(600.0, {});
    empty_s[which] = tests::event_time_s(simulation.events(), "battery_empty");
    residual_ratio[which] = energy_balance(plant, simulation.state(), simulation.initial_energy()).residual_ratio();
  }
  INFO("residuals " << residual_ratio[0] << ", " << residual_ratio[1]);
  CHECK(empty_s[1] == Approx(empty_s[0]).margin(0.02));
  CHECK(std::abs(residual_ratio[1]) < 1e-6);
}

// Tangents over H miss H^2/2 of the second derivative; with short samples and a tight core that is what is left.
TEST_CASE("without re-runs the error of the windows is of order two in their length", "[multirate][order]") {
  const Scenario scenario = tests::one_rack_scenario();
  const Plant plant = build_plant(scenario);
  const SwellWork work;
  const auto run_with = [&](double window_s, int passes) {
    const auto integrator = make_multirate_integrator(plant, {.window_s = window_s,
                                                              .calm_window_s = window_s,
                                                              .core_tolerance_ratio = 1e-3,
                                                              .largest_mismatch_k = 0.0,
                                                              .most_passes = passes});
    const RunPlan plan = plan_run(scenario, plant, work);
    Simulation simulation(plant, plan, work, *integrator);
    Keeper keeper;
    simulation.start();
    simulation.run(120.0, {&keeper});
    return keeper;
  };
  const Keeper exact = run_with(1.0, 4);
  std::array<double, 3> error_k{};
  std::array windows_s{4.0, 2.0, 1.0};
  for (std::size_t w = 0; w < 3; ++w) {
    const Keeper keeper = run_with(windows_s[w], 1);
    for (std::size_t k = 0; k < exact.states.size(); ++k) {
      for (std::size_t s = 0; s < 2; ++s) {
        const std::size_t slot = plant.groups[0]->state_slot(s, 5);
        error_k[w] = std::max(error_k[w], std::abs(keeper.states[k][slot] - exact.states[k][slot]));
      }
    }
  }
  INFO(error_k[0] << " " << error_k[1] << " " << error_k[2] << " K");
  CHECK(std::log2(error_k[0] / error_k[1]) > 1.6);
  CHECK(std::log2(error_k[1] / error_k[2]) > 1.6);
}

TEST_CASE("a thermal runaway ends with a message that names when, what and how fast, and exit code 2", "[multirate]") {
  Scenario scenario = tests::one_rack_scenario();
  scenario.initial = InitialState::cold;
  scenario.racks.front().hardware.protection.is_enabled = false;
  for (NodeUnits& units : scenario.racks.front().hardware.units) {
    if (units.name != "gpu") continue;
    auto& params = std::any_cast<physics::ColdPlate::Params&>(units.spec.params);
    params.leakage_w_per_k = 30.0;  // more than the plate carries away at a tenth of the flow
    params.leakage_reference_k = 300.0;
  }
  scenario.cooling.loops.front().pump_speed_fraction = 0.1;  // a tenth of the flow
  scenario.trips = "off";                                    // or a PDU ends it before
  const Plant plant = build_plant(scenario);
  const auto integrator = make_multirate_integrator(plant, {});
  const tests::ConstantWork work(560.0, 6900.0);
  const RunPlan plan = plan_run(scenario, plant, work);
  Simulation simulation(plant, plan, work, *integrator);
  std::string message;
  const int exit_code = run_action([&] {
    try {
      simulation.start();
      simulation.run(600.0, {});
    } catch (const SolverError& error) {
      message = error.what();
      throw;
    }
    return 0;
  });
  INFO(message);
  CHECK(exit_code == solver_failure);
  CHECK(message.find("multirate integrator gave up at ") == 0);
  CHECK(message.find(" s (") != std::string::npos);
  CHECK(message.find("thermal runaway") != std::string::npos);
  const std::size_t most = message.find("moving most: row_1.rack_1.node_");
  REQUIRE(most != std::string::npos);
  CHECK(std::count(message.begin() + static_cast<std::ptrdiff_t>(most), message.end(), '=') == 3);
  CHECK(simulation.state().time_s > 5.0);
}
