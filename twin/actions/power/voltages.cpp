#include "twin/actions/power/voltages.hpp"

#include <fmt/format.h>

#include "core/text/problem.hpp"

namespace wattloop::twin {

namespace {

constexpr double lowest_ratio = 0.5;  ///< below this no sweep is near a solution

[[noreturn]] void report_collapse(const Plant& plant, std::size_t bus) {
  throw SolverError(fmt::format("the loads are more than the lines carry: the voltage of bus {} collapses",
                                plant.power_tree.bus_name[bus]));
}

bool is_low(const Plant& plant, const PlantState& state) {
  for (std::size_t bus = 0; bus < state.voltages.bus.size(); ++bus) {
    const double ratio = std::abs(state.voltages.bus[bus]);
    if (state.switches.bus_live[bus] != 0 && !(ratio > lowest_ratio)) return true;
  }
  return state.voltages.bus.size() != plant.power_tree.bus_name.size();
}

}  // namespace

void follow_voltages(const Plant& plant, const Evaluation& evaluation, bool has_changed, PlantState& state) {
  if (!plant.voltages) return;
  const electrical::PowerTree& tree = plant.power_tree;
  if (!has_changed && !state.voltages.bus.empty()) {
    electrical::sweep(tree, *plant.voltages, state.switches, evaluation.power, state.voltages);
    electrical::set_factors(tree, *plant.voltages, state.voltages, evaluation.power, state.switches);
    if (!is_low(plant, state)) return;
  }
  electrical::PowerFlow flow = electrical::make_power_flow(tree);
  const electrical::FlowEnd end = electrical::settle(
      tree, *plant.voltages, {evaluation.loads_w(), evaluation.recharge_w}, state.switches, flow, state.voltages);
  if (!end.is_solved) report_collapse(plant, end.weakest_bus);
}

void evaluate_with_voltages(const Plant& plant, PlantState& state, Evaluation& evaluation, std::vector<double>& rates) {
  evaluate(plant, state.switches, state.states, evaluation, rates);
  if (!plant.voltages) return;
  follow_voltages(plant, evaluation, true, state);
  evaluate(plant, state.switches, state.states, evaluation, rates);
}

}  // namespace wattloop::twin
