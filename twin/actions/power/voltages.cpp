#include "twin/actions/power/voltages.hpp"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

#include "core/text/problem.hpp"
#include "twin/actions/power/tap_changers.hpp"

namespace wattloop::twin {

namespace {

constexpr double lowest_ratio = 0.5;  ///< below this no sweep is near a solution

[[noreturn]] void report_collapse(const Plant& plant, std::size_t bus) {
  throw SolverError(
      fmt::format("the loads are more than the lines can carry: the voltage of bus {} collapses; use lines that are "
                  "shorter, thicker or of a higher voltage",
                  plant.power_tree.bus_name[bus]));
}

bool is_low(const Plant& plant, const PlantState& state) {
  for (std::size_t bus = 0; bus < state.voltages.bus.size(); ++bus) {
    const double ratio = std::abs(state.voltages.bus[bus]);
    if (state.switches.bus_live[bus] != 0 && !(ratio > lowest_ratio)) return true;
  }
  return state.voltages.bus.size() != plant.power_tree.bus_name.size();
}

/// How the plant is solved as it is switched, whatever was solved before: a run may go on from a checkpoint or a fork.
void take_switches(const Plant& plant, const PlantState& state, VoltageScratch& scratch) {
  using electrical::FlowMethod;
  const electrical::VoltageModel& model = *plant.voltages;
  if (model.method == FlowMethod::radial || electrical::is_at(scratch.position, state.switches)) return;
  scratch.position = electrical::position_of(state.switches);
  const std::vector<std::uint8_t> links = electrical::links_of(plant.power_tree, state.switches);
  const bool has_links = std::ranges::find(links, 1) != links.end();
  scratch.is_meshed = model.method == FlowMethod::meshed || has_links;
  if (!scratch.is_meshed) return;
  if (!scratch.mesh) scratch.mesh = std::make_unique<electrical::MeshVoltages>(plant.power_tree, model);
  scratch.mesh->take_switches(state.switches);
}

void solve(const Plant& plant, const Evaluation& evaluation, bool has_changed, VoltageScratch& scratch,
           PlantState& state) {
  const electrical::PowerTree& tree = plant.power_tree;
  const bool is_first = state.voltages.bus.empty();
  take_switches(plant, state, scratch);
  if (!has_changed && !is_first) {
    if (scratch.is_meshed) {
      const electrical::FlowEnd end = scratch.mesh->solve(state.switches, evaluation.power, state.voltages);
      if (!end.is_solved) report_collapse(plant, end.weakest_bus);
    } else {
      electrical::sweep(tree, *plant.voltages, state.switches, evaluation.power, state.voltages);
    }
    electrical::set_factors(tree, *plant.voltages, state.voltages, evaluation.power, state.switches);
    if (!is_low(plant, state)) return;
  }
  electrical::PowerFlow flow = electrical::make_power_flow(tree);
  std::vector<double> loads_w(evaluation.loads_w().begin(), evaluation.loads_w().end());
  for (const SiteLoadPart& site : plant.site_loads)
    loads_w[site.load] = state.inputs[site.power_input];  // as events just set them
  const electrical::PowerDemand demand{loads_w, evaluation.recharge_w};
  const electrical::FlowEnd end =
      scratch.is_meshed ? scratch.mesh->settle(demand, state.switches, flow, state.voltages)
                        : electrical::settle(tree, *plant.voltages, demand, state.switches, flow, state.voltages);
  if (!end.is_solved) report_collapse(plant, end.weakest_bus);
}

constexpr int most_taps = 200;  ///< steps of all changers together, one round each

void settle_all(const Plant& plant, const Evaluation& evaluation, VoltageScratch& scratch, PlantState& state) {
  solve(plant, evaluation, true, scratch, state);
  if (!has_tap_changers(plant)) return;
  for (int round = 0; round < most_taps && settle_taps(plant, state); ++round)
    solve(plant, evaluation, true, scratch, state);
}

}  // namespace

void follow_voltages(const Plant& plant, const Evaluation& evaluation, bool has_changed, VoltageScratch& scratch,
                     PlantState& state, std::vector<EventRecord>& events) {
  if (!plant.voltages) return;
  if (state.voltages.bus.empty()) return settle_all(plant, evaluation, scratch, state);
  solve(plant, evaluation, has_changed, scratch, state);
  if (has_tap_changers(plant) && step_taps(plant, state, events)) solve(plant, evaluation, true, scratch, state);
}

void evaluate_with_voltages(const Plant& plant, PlantState& state, Evaluation& evaluation, std::vector<double>& rates) {
  evaluate(plant, state.switches, state.states, evaluation, rates);
  if (!plant.voltages) return;
  VoltageScratch scratch;
  settle_all(plant, evaluation, scratch, state);
  evaluate(plant, state.switches, state.states, evaluation, rates);
}

}  // namespace wattloop::twin
