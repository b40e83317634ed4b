// Properties of whole runs: the energy balance can fail, the loop allocates nothing, the same scenario gives the same data.

#include <omp.h>

#include <cmath>
#include <filesystem>

#include "physics/fluids/advection.hpp"
#include "tests/support/allocation_count.hpp"
#include "tests/support/by_hand/two_sides.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/halls/one_rack.hpp"
#include "tests/support/halls/plant_names.hpp"
#include "tests/support/temporary_folder.hpp"
#include "twin/build/plant_builder.hpp"
#include "twin/parts/part_set_of.hpp"
#include "twin/planning/run_planner.hpp"
#include "twin/plant/snapshot/energy_balance.hpp"
#include "twin/results/reader/results_equality.hpp"
#include "twin/run/meters/statistics.hpp"
#include "twin/run/recording/recorder.hpp"

using namespace wattloop;
using namespace wattloop::twin;

namespace {

/// A stream that loses a ten-thousandth of the heat it delivers.
struct LeakyDelivery {
  static constexpr std::string_view kind = "leaky_delivery";
  static constexpr std::string_view doc = "A stream that loses heat on its way.";
  using Params = physics::Advection::Params;
  struct Now {
    double from_k;
    double flow_kg_per_s;
  };
  struct Effect {
    Heat to;
  };
  static constexpr auto ports() {
    return std::array{
        Port<LeakyDelivery>{"from", "K", &Now::from_k},
        Port<LeakyDelivery>{"flow", "kg/s", &Now::flow_kg_per_s},
        Port<LeakyDelivery>{"to", &Effect::to},
    };
  }
  static Effect effect(const Params& p, const Now& now) noexcept {
    const double above_k = now.from_k - physics::Advection::reference_k;
    return {.to = {.heat_w = -1e-4 * now.flow_kg_per_s * p.specific_heat_j_per_kg_k * above_k}};
  }
};

double residual_after(const Plant& plant, const Scenario& scenario, double end_s) {
  const auto integrator = make_monolithic_integrator(plant, {});
  const tests::SquareWork work(20.0);
  const RunPlan plan = plan_run(scenario, plant, work);
  Simulation simulation(plant, plan, work, *integrator);
  simulation.start();
  simulation.run(end_s, {});
  return energy_balance(plant, simulation.state(), simulation.initial_energy()).residual_ratio();
}

void write_run(const std::filesystem::path& file, int threads) {
  omp_set_num_threads(threads);
  Scenario scenario = tests::one_rack_scenario();
  scenario.racks.front().count = 32;  // enough stations for a parallel loop
  scenario.cooling.loops.front().cdus = 32;
  scenario.power.pdus = 32;
  const Plant plant = build_plant(scenario);
  const auto integrator = make_monolithic_integrator(plant, {});
  const tests::SquareWork work(20.0);
  const RunPlan plan = plan_run(scenario, plant, work);
  Simulation simulation(plant, plan, work, *integrator);
  ResultsWriter writer(file, scenario.start);
  Recorder recorder(plant, scenario.record, writer);
  simulation.start();
  simulation.run(20.0, {&recorder});
  writer.finish();
  omp_set_num_threads(1);
}

}  // namespace

TEST_CASE("a flux that loses 0.01 % of its heat on the way makes the energy balance fail", "[conservation]") {
  const Scenario scenario = tests::one_rack_scenario();
  Plant plant = build_plant(scenario);
  CHECK(std::abs(residual_after(plant, scenario, 120.0)) < 1e-6);

  const Link& plates = tests::link_named(plant, "row_1.rack_1.cold_plates");
  auto leak = std::make_unique<PartSetOf<LeakyDelivery>>();
  const LeakyDelivery::Now seen{.from_k = static_cast<double>(plant.nodes[plates.to_node].temperature_signal),
                                .flow_kg_per_s = static_cast<double>(plates.flow_signal)};
  const LeakyDelivery::Effect done{
      .to = {static_cast<double>(plant.nodes[tests::node_named(plant, "loop_1.return")].heat_sink)}};
  const auto from = numbers_in(seen);
  const auto to = numbers_in(done);
  leak->add({.params = LeakyDelivery::Params{plates.specific_heat_j_per_kg_k}, .seen = from, .done = to});
  plant.components.push_back(std::move(leak));
  CHECK(std::abs(residual_after(plant, scenario, 120.0)) > 1e-6);
}

TEST_CASE("what components remember of flows changes no rate", "[components]") {
  const Plant plant = build_plant(tests::one_rack_scenario());
  const PlantState state = initial_state(plant);
  const auto rates_at = [&](double airflow_kg_per_s, Evaluation& evaluation) {
    std::copy(state.inputs.begin(), state.inputs.end(), evaluation.inputs().begin());
    evaluation.inputs()[plant.it.racks.front().airflow_input] = airflow_kg_per_s;
    std::vector<double> rates(plant.map.state_count);
    evaluate(plant, state.switches, state.states, evaluation, rates);
    return rates;
  };
  Evaluation used(plant);
  for (const double airflow_kg_per_s : {2.0, 1.0, 1.0, 2.0}) {
    Evaluation fresh(plant);
    CHECK(rates_at(airflow_kg_per_s, used) == rates_at(airflow_kg_per_s, fresh));
  }
  CHECK(rates_at(1.0, used) != rates_at(2.0, used));
}

TEST_CASE("the step loop allocates nothing", "[allocation]") {
  Scenario scenario = tests::one_rack_scenario();
  SECTION("one rack") {}
  SECTION("two sides, no event") { scenario = tests::two_sided_scenario(); }
  SECTION("two sides, on generators") {
    scenario = tests::two_sided_scenario();
    scenario.events = {tests::event(5.0, EventSpec::Kind::open, {"utility_a"})};
  }
  const Plant plant = build_plant(scenario);
  const auto integrator = make_monolithic_integrator(plant, {});
  const tests::SquareWork work(20.0);
  const RunPlan plan = plan_run(scenario, plant, work);
  Simulation simulation(plant, plan, work, *integrator);
  Statistics statistics(plant);
  const std::vector<Observer*> observers{&statistics};
  simulation.start();
  simulation.run(60.0, observers);  // events and what follows from them are over
  const tests::AllocationCount proof;
  const auto one = std::make_unique<double>(1.0);
  CHECK(proof.allocations() == 1);  // the count works
  const tests::AllocationCount count;
  simulation.run(260.0, observers);
  CHECK(count.allocations() == 0);
  CHECK(simulation.state().time_s == 260.0);
}

TEST_CASE("a rerun and any number of threads give the same data", "[determinism]") {
  const tests::TemporaryFolder folder;
  write_run(folder / "first.h5", 1);
  write_run(folder / "again.h5", 1);
  write_run(folder / "two_threads.h5", 2);
  const ResultsEquality again = results_equal(folder / "first.h5", folder / "again.h5");
  INFO(again.difference);
  CHECK(again.equal);
  const ResultsEquality threads = results_equal(folder / "first.h5", folder / "two_threads.h5");
  INFO(threads.difference);
  CHECK(threads.equal);
}
