#include "twin/plant/snapshot/evaluation.hpp"

#include <algorithm>

#include "core/numbers/running_sum.hpp"
#include "twin/plant/snapshot/power_signals.hpp"
#include "twin/plant/snapshot/tree_sinks.hpp"

namespace wattloop::twin {

namespace {

/// Loads up the power tree; losses to the rooms, energies to the meters.
void evaluate_power(const Plant& plant, const electrical::SwitchState& switches, Evaluation& evaluation) {
  for (const BatteryPart& battery : plant.batteries) {
    const double share = switches.branch_in_service_share[battery.branch];
    double& full_charge = evaluation.full_charge[battery.branch];
    full_charge = battery.full_charge(share);
    evaluation.charger_w[battery.branch] = battery.charger_w * share;
    evaluation.recharge_w[battery.branch] =
        electrical::recharge_w(battery.charger_w * share, evaluation.signals[battery.charge_state], full_charge);
  }
  for (const SiteLoadPart& site : plant.site_loads)
    evaluation.sinks[plant.map.state_count + site.load] = evaluation.inputs()[site.power_input];
  electrical::evaluate(plant.power_tree, {evaluation.loads_w(), evaluation.recharge_w}, switches, evaluation.power);
  const auto loads_w = evaluation.loads_w().first(evaluation.loads_w().size() - plant.site_loads.size());
  {
    RunningSum energies(evaluation.sinks);
    for (std::size_t load = 0; load < loads_w.size(); ++load)
      energies.add(plant.meters.energy[plant.load_use[load]], loads_w[load]);
  }
  tree_powers_w(plant, evaluation.power, evaluation.tree_w);
  for (std::size_t k = 0; k < evaluation.tree_w.size(); ++k)
    evaluation.sinks[evaluation.tree_sinks[k]] += evaluation.tree_w[k];
  report_power(plant, evaluation.power, evaluation.signals);
}

/// Components that are requested, with the power tree between those that it follows from and those that follow from it.
template <class IsRequested>
void evaluate_around_power(const Plant& plant, const electrical::SwitchState& switches, Evaluation& evaluation,
                           IsRequested is_requested) {
  const auto evaluate_sets = [&](bool behind_power) {
    for (std::size_t set = 0; set < plant.components.size(); ++set) {
      if (plant.components[set]->follows_power() != behind_power || !is_requested(set)) continue;
      plant.components[set]->evaluate(evaluation.signals, evaluation.sinks, evaluation.component_memory[set]);
    }
  };
  report_switches(plant, switches, evaluation.signals);
  evaluate_sets(false);
  evaluate_power(plant, switches, evaluation);
  evaluate_sets(true);
}

UnitsNow units_now(const Plant& plant, const UnitGroup& group, std::span<const double> states,
                   std::span<const double> inputs, const Evaluation& evaluation) {
  return {states, inputs.subspan(group.first_load - plant.map.input(0), group.count()), evaluation.signals};
}

void evaluate_units(const Plant& plant, std::span<const double> states, std::span<const double> inputs,
                    Evaluation& evaluation) {
  for (std::size_t g = 0; g < plant.groups.size(); ++g) {
    const UnitGroup& group = *plant.groups[g];
    group.evaluate(units_now(plant, group, states, inputs, evaluation), evaluation.sinks, evaluation.unit_power_w[g],
                   evaluation.station_power_w[g]);
  }
}

/// Signals and sinks of all but single units, and flows.
void begin_core(const Plant& plant, const PlantState& state, Evaluation& evaluation) {
  const auto core_states = static_cast<std::ptrdiff_t>(plant.map.first_unit_state);
  const auto core_inputs = static_cast<std::ptrdiff_t>(plant.map.first_unit_input);
  std::copy_n(state.states.begin(), core_states, evaluation.signals.begin());
  std::copy_n(state.inputs.begin(), core_inputs, evaluation.inputs().begin());
  std::fill_n(evaluation.sinks.begin(), core_states, 0.0);
  std::fill(evaluation.sinks.begin() + static_cast<std::ptrdiff_t>(plant.map.state_count), evaluation.sinks.end(), 0.0);
  plant.flows.evaluate(evaluation.signals, evaluation.flow_scratch);
}

}  // namespace

Evaluation::Evaluation(const Plant& plant)
    : signals(plant.map.signal_count()),
      sinks(plant.map.sink_count()),
      racks(plant.it.racks.size()),
      power(electrical::make_power_flow(plant.power_tree)),
      full_charge(plant.power_tree.branch_name.size()),
      charger_w(plant.power_tree.branch_name.size()),
      recharge_w(plant.power_tree.branch_name.size()),
      tree_sinks(twin::tree_sinks(plant)),
      tree_w(tree_sinks.size()),
      flow_scratch(plant.flows.make_scratch()),
      state_count_(plant.map.state_count),
      first_input_(plant.map.input(0)),
      input_count_(plant.map.input_count) {
  for (const auto& group : plant.groups) {
    unit_power_w.emplace_back(group->count());
    station_power_w.emplace_back(group->stations.size());
  }
  for (const auto& set : plant.components) component_memory.push_back(set->make_memory());
}

void evaluate(const Plant& plant, const electrical::SwitchState& switches, std::span<const double> states,
              Evaluation& evaluation, std::span<double> rates) {
  std::copy(states.begin(), states.end(), evaluation.signals.begin());
  std::fill(evaluation.sinks.begin(), evaluation.sinks.end(), 0.0);
  plant.flows.evaluate(evaluation.signals, evaluation.flow_scratch);
  evaluate_units(plant, states, evaluation.inputs(), evaluation);
  evaluate_components_and_power(plant, switches, evaluation);
  for (std::size_t slot = 0; slot < rates.size(); ++slot) {
    rates[slot] = evaluation.sinks[slot] * plant.rate_per_sink[slot];
  }
}

void evaluate_stations(const Plant& plant, const PlantState& state, Evaluation& evaluation, std::span<double> rates) {
  begin_core(plant, state, evaluation);
  for (std::size_t g = 0; g < plant.groups.size(); ++g) {
    const UnitGroup& group = *plant.groups[g];
    group.add_stations(units_now(plant, group, state.states, state.inputs, evaluation), evaluation.sinks,
                       evaluation.station_power_w[g]);
  }
  evaluate_components_and_power(plant, state.switches, evaluation);
  for (std::size_t slot = 0; slot < plant.map.first_unit_state; ++slot) {
    rates[slot] = evaluation.sinks[slot] * plant.rate_per_sink[slot];
  }
}

void evaluate_values(const Plant& plant, const PlantState& state, Evaluation& evaluation) {
  begin_core(plant, state, evaluation);
  evaluate_units(plant, state.states, state.inputs, evaluation);
  evaluate_components_and_power(plant, state.switches, evaluation);
}

void note_gpu_power(const Plant& plant, Evaluation& evaluation) {
  for (const RackGroup& group : plant.it.groups) {
    const std::vector<double>& of_stations_w = evaluation.station_power_w[group.gpu_units];
    for (std::size_t rack = 0; rack < group.rack_count; ++rack)
      evaluation.racks[group.first_rack + rack].gpu_power_w = of_stations_w[rack];
  }
}

void evaluate_components_and_power(const Plant& plant, const electrical::SwitchState& switches,
                                   Evaluation& evaluation) {
  evaluate_around_power(plant, switches, evaluation, [](std::size_t) { return true; });
}

void evaluate_components_and_power(const Plant& plant, const electrical::SwitchState& switches,
                                   std::span<const std::uint8_t> is_requested, Evaluation& evaluation) {
  evaluate_around_power(plant, switches, evaluation,
                        [is_requested](std::size_t set) { return is_requested[set] != 0; });
}

}  // namespace wattloop::twin
