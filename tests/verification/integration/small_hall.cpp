// A whole hall in steady state, held against balances that no one computes in it: mass at every node, heat at every machine.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "physics/water/cdu_valve.hpp"
#include "tests/support/by_hand/chiller_by_hand.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/halls/one_rack.hpp"
#include "tests/support/halls/plant_names.hpp"
#include "tests/support/halls/small_hall.hpp"
#include "tests/support/work_run.hpp"
#include "twin/build/plant_builder.hpp"
#include "twin/integration/core/jacobian.hpp"
#include "twin/integration/core/seam_layout.hpp"
#include "twin/plant/equipment/parts_of.hpp"
#include "twin/plant/snapshot/energy_balance.hpp"
#include "twin/run/recording/recorder.hpp"

using namespace wattloop;
using namespace wattloop::twin;

namespace {

const tests::ConstantWork nameplate_work(700.0, 10200.0);

struct SteadyHall {
  explicit SteadyHall(const Scenario& from)
      : scenario(from),
        plant(build_plant(scenario)),
        run_method(by_monolithic()),
        simulation(scenario, plant, nameplate_work, run_method) {
    simulation.start();
  }
  PlantSnapshot snapshot() const { return {plant, simulation.state(), simulation.evaluation()}; }

  Scenario scenario;
  Plant plant;
  RunMethod run_method;
  tests::WorkRun simulation;
};

double rate_w(const PlantSnapshot& m, std::size_t meter) { return m.evaluation.sinks[meter]; }

}  // namespace

TEST_CASE("what flows into a node flows out of it, whatever the pumps and valves do", "[hall][conservation]") {
  const Scenario scenario = tests::small_hall_scenario();
  const Plant plant = build_plant(scenario);
  PlantState state = initial_state(plant);
  Evaluation evaluation(plant);
  std::vector<double> rates(plant.map.state_count);
  for (int trial = 0; trial < 20; ++trial) {
    std::size_t k = 0;
    for (const MotorPart& motor : plant.motors) {
      state.states[motor.speed_state] = 0.5 + 0.5 * std::sin(0.7 * static_cast<double>(++k) + trial);
    }
    const auto& valves = parts_of<physics::CduValve>(plant);
    for (std::size_t valve = 0; valve < valves.size(); ++valve) {
      state.states[static_cast<std::size_t>(valves.now(valve, place_of_signal).state.valve_fraction)] =
          0.5 + 0.5 * std::cos(1.3 * static_cast<double>(++k) + trial);
    }
    std::copy(state.inputs.begin(), state.inputs.end(), evaluation.inputs().begin());
    evaluate(plant, state.switches, state.states, evaluation, rates);
    std::vector<double> surplus(plant.nodes.size(), 0.0), through(plant.nodes.size(), 0.0);
    for (const Link& link : plant.links) {
      const double flow = evaluation.signals[link.flow_signal] * link.specific_heat_j_per_kg_k;
      surplus[link.to_node] += flow;
      surplus[link.from_node] -= flow;
      for (const std::size_t node : {link.to_node, link.from_node}) through[node] += std::abs(flow);
    }
    for (std::size_t node = 0; node < plant.nodes.size(); ++node) {
      INFO(plant.nodes[node].name << ": " << surplus[node] << " of " << through[node] << " W/K");
      CHECK(std::abs(surplus[node]) <= 1e-9 * through[node] + 1e-9);
    }
  }
}

TEST_CASE(
    "the Jacobian of a whole hall agrees with differences of all its rates, in every column and where it has no entry",
    "[hall]") {
  Scenario scenario = tests::small_hall_scenario();
  scenario.power.ups.linear_loss_fraction = scenario.power.ups.quadratic_loss_fraction =
      0.0;  // not part of the Jacobian
  scenario.power.pdu.quadratic_loss_fraction = 0.0;
  const SteadyHall hall(scenario);
  const Plant& plant = hall.plant;
  PlantState state = hall.simulation.state();
  for (const BatteryPart& battery : plant.batteries) state.states[battery.charge_state] = 0.97;  // full, it has a kink
  Evaluation evaluation(plant);
  std::vector<double> above(plant.map.state_count), below(plant.map.state_count);
  std::copy(state.inputs.begin(), state.inputs.end(), evaluation.inputs().begin());
  evaluate(plant, state.switches, state.states, evaluation, above);
  Jacobian jacobian(plant);
  jacobian.assemble(evaluation);
  std::vector<double> states = state.states;
  std::size_t compared = 0;
  for (std::size_t column = 0; column < plant.map.state_count; ++column) {
    const double step = 1e-4 * (plant.layout.unit(column) == "1" ? 0.1 : 1.0);
    states[column] = state.states[column] + step;
    evaluate(plant, state.switches, states, evaluation, above);
    states[column] = state.states[column] - step;
    evaluate(plant, state.switches, states, evaluation, below);
    states[column] = state.states[column];
    std::vector<double> expected(plant.map.state_count);
    for (std::size_t row = 0; row < expected.size(); ++row) expected[row] = (above[row] - below[row]) / (2.0 * step);
    for (auto k = jacobian.column_starts()[column]; k < jacobian.column_starts()[column + 1]; ++k) {
      const auto row = static_cast<std::size_t>(jacobian.rows()[k]);
      if (plant.layout.unit(row) == "J") continue;  // meters of power and losses are not part of it
      INFO("d " << plant.layout.name(row) << " / d " << plant.layout.name(column));
      CHECK(jacobian.values()[k] == Approx(expected[row]).epsilon(1e-3).margin(1e-6));
      expected[row] = 0.0;
      ++compared;
    }
    for (std::size_t row = 0; row < expected.size(); ++row) {
      if (plant.layout.is_meter(row) || std::abs(expected[row]) < 1e-6) continue;
      FAIL_CHECK("no entry for d " << plant.layout.name(row) << " / d " << plant.layout.name(column) << ", which is "
                                   << expected[row]);
    }
  }
  CHECK(compared > 6000);
}

TEST_CASE("with flows through mean speeds or pressures the Jacobian is the same, once those are eliminated",
          "[hall][jacobian]") {
  const std::string flow = GENERATE("balanced", "pressures");
  Scenario scenario = tests::small_hall_scenario();
  scenario.cooling.water.front().pumps.flow = scenario.cooling.chilled_water.front().pumps.flow = flow;
  const SteadyHall hall(scenario);
  const Plant& plant = hall.plant;
  const std::vector<std::size_t> slots = SeamLayout(plant).core_slots;
  Jacobian whole(plant, slots), bordered = Jacobian::with_drives(plant, slots);
  whole.assemble(hall.simulation.evaluation());
  bordered.assemble(hall.simulation.evaluation());
  const std::size_t size = slots.size(), drives = plant.flows.drive_count();
  REQUIRE(drives > 0);
  REQUIRE(static_cast<std::size_t>(bordered.size()) == size + drives);
  CHECK(bordered.rows().size() < whole.rows().size());
  const auto dense_of = [](const Jacobian& jacobian) {
    const auto n = static_cast<std::size_t>(jacobian.size());
    std::vector<std::vector<double>> dense(n, std::vector<double>(n, 0.0));  // [row][column]
    for (std::size_t column = 0; column < n; ++column) {
      for (auto k = jacobian.column_starts()[column]; k < jacobian.column_starts()[column + 1]; ++k) {
        dense[static_cast<std::size_t>(jacobian.rows()[k])][column] = jacobian.values()[k];
      }
    }
    return dense;
  };
  const auto expected = dense_of(whole), parts = dense_of(bordered);
  std::size_t through_drives = 0;
  for (std::size_t row = 0; row < size; ++row) {
    for (std::size_t column = 0; column < size; ++column) {
      double sum = parts[row][column], largest = std::abs(sum);
      for (std::size_t d = size; d < size + drives; ++d) {
        const double through = parts[row][d] * parts[d][column];
        sum += through;
        largest = std::max(largest, std::abs(through));
        through_drives += through != 0.0 ? 1 : 0;
      }
      INFO("d " << plant.layout.name(slots[row]) << " / d " << plant.layout.name(slots[column]));
      CHECK(std::abs(sum - expected[row][column]) <= 1e-9 * largest + 1e-14);
    }
  }
  CHECK(through_drives > 10);
}

TEST_CASE("a hall in steady state sends to the sky what it draws", "[hall][conservation]") {
  const SteadyHall hall(tests::small_hall_scenario());
  const PlantSnapshot m = hall.snapshot();
  const Meters& meters = hall.plant.meters;
  const double drawn_w = rate_w(m, meters.feed);
  double gone_w = rate_w(m, meters.outdoors);
  for (const std::size_t meter : meters.boundaries) gone_w += rate_w(m, meter);
  CHECK(drawn_w > 64 * 10200.0);
  CHECK(gone_w == Approx(drawn_w).epsilon(1e-6));  // GPUs at their limit: firmware caps them once more at time zero
  double used_w = rate_w(m, meters.electrical_loss);
  for (const std::size_t meter : meters.energy) used_w += rate_w(m, meter);
  CHECK(used_w == Approx(drawn_w).epsilon(1e-12));
}

TEST_CASE("chillers and towers of a hall in steady state obey their own equations", "[hall]") {
  const SteadyHall hall(tests::small_hall_scenario());
  const PlantSnapshot m = hall.snapshot();
  const double water = tests::link_named(hall.plant, "facility.bypass").specific_heat_j_per_kg_k;
  const auto k = [&](const std::string& node) { return m.node_k(tests::node_named(hall.plant, node)); };
  const auto kg_per_s = [&](const std::string& link) {
    return m.evaluation.signals[tests::link_named(hall.plant, link).flow_signal];
  };
  double condensed_w = 0.0;
  for (std::size_t number = 1; number <= tests::count_on(hall.plant, "chiller", "facility"); ++number) {
    const std::string chiller = fmt::format("chiller_{}", number);
    const ChillersSpec& spec = hall.scenario.cooling.chilled_water.front().chillers;
    const double chilled = kg_per_s(chiller + ".chilled_supply"), condenser = kg_per_s(chiller + ".condenser_supply");
    CHECK(chilled == Approx(spec.chilled_pump.rated_flow_kg_per_s));
    // Both sides in steady state: heat is what the water brings, the pump's own heat included.
    const auto pump_w = [](const physics::WaterPumpParams& p) {
      return p.pressure_pa * p.rated_flow_kg_per_s / 998.0 / p.efficiency_fraction;
    };
    const double cooled_w = chilled * water * (k("chilled_water.return") - k(chiller + ".evaporator")) +
                            pump_w(spec.chilled_pump) * spec.chilled_pump.efficiency_fraction;
    const double rejected_w = condenser * water * (k(chiller + ".condenser") - k("facility.supply")) -
                              pump_w(spec.condenser_pump) * spec.condenser_pump.efficiency_fraction;
    const double compressor_w =
        m.motor_w(tests::motor_named(hall.plant, chiller)) - pump_w(spec.chilled_pump) - pump_w(spec.condenser_pump);
    CHECK(rejected_w == Approx(cooled_w + compressor_w).epsilon(1e-7));
    const double pump_rise_k = spec.chilled_pump.pressure_pa / 998.0 / water;  // the node is behind the pump
    const double cold_k = k(chiller + ".evaporator") - pump_rise_k - spec.chiller.evaporator_pinch_k;
    const double hot_k =
        k(chiller + ".condenser") - spec.condenser_pump.pressure_pa / 998.0 / water + spec.chiller.condenser_pinch_k;
    const double factor = tests::part_load_by_hand(false, cooled_w / spec.chiller.rated_heat_w);
    CHECK(cooled_w / compressor_w ==
          Approx(spec.chiller.carnot_fraction * cold_k / (hot_k - cold_k) / factor).epsilon(1e-6));
    condensed_w += rejected_w;
  }
  double cdus_w = 0.0;
  for (const NamedPart& part : hall.plant.named) {
    if (part.kind != "CDU") continue;
    cdus_w += kg_per_s(part.name + ".facility_supply") * water * (k(part.name + ".facility") - k("facility.supply"));
  }
  const double sky_w = rate_w(m, hall.plant.meters.sky);
  CHECK(sky_w > cdus_w + condensed_w);
  CHECK(sky_w < 1.05 * (cdus_w + condensed_w));  // fans and pumps
  CHECK(k("facility.supply") == Approx(297.15).margin(0.01));
}

TEST_CASE("a hall in motion closes its energy balance", "[hall][conservation]") {
  Scenario scenario = tests::small_hall_scenario();
  scenario.duration_s = 300.0;
  const Plant plant = build_plant(scenario);
  const tests::SquareWork work(20.0);
  tests::WorkRun simulation(scenario, plant, work, by_monolithic());
  simulation.start();
  simulation.run(300.0, {});
  const EnergyBalance balance = energy_balance(plant, simulation.state(), simulation.initial_energy());
  INFO("feed " << balance.feed_j << " J, rejected " << balance.rejected_j << " J, stored " << balance.stored_j()
               << " J");
  CHECK(std::abs(balance.residual_ratio()) < 1e-6);
}
