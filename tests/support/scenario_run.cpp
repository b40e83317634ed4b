#include "tests/support/scenario_run.hpp"

#include <omp.h>

#include <algorithm>
#include <limits>

#include "twin/plant/snapshot/energy_balance.hpp"
#include "twin/scenario/scenario_reader.hpp"

namespace wattloop::tests {

ScenarioRun::ScenarioRun(const std::string& name, const std::vector<std::string>& overrides, By integrator)
    : run_(twin::read_scenario(std::string(WATTLOOP_SOURCE_DIR) + "/scenarios/" + name + ".yaml", overrides),
           integrator == By::multirate ? twin::by_multirate() : twin::by_monolithic()),
      scenario(run_.scenario()),
      plant(run_.plant()),
      statistics(run_.statistics()) {
  omp_set_num_threads(1);  // tests run side by side: a second thread would wait for a core that is taken
  run_.begin();
}

void ScenarioRun::until(double time_s, twin::Observer* observer) {
  if (observer != nullptr) run_.show(*observer);
  run_.advance_to(time_s);
  if (observer != nullptr) run_.hide(*observer);
}

std::vector<double> ScenarioRun::times_s(const std::string& kind, const std::string& target) const {
  std::vector<double> found;
  for (const twin::EventRecord& event : events()) {
    if (event.kind == kind && (target.empty() || event.target == target)) found.push_back(event.time_s);
  }
  return found;
}

double ScenarioRun::node_k(std::size_t node) const {
  return evaluation().signals[plant.nodes[node].temperature_signal];
}

double ScenarioRun::die_k(std::size_t gpu) const {
  return state().states[plant.groups[plant.it.groups.front().gpu_units]->state_slot(0, gpu)];
}

double ScenarioRun::mean_die_k(std::size_t gpus) const {
  double sum_k = 0.0;
  for (std::size_t gpu = 0; gpu < gpus; ++gpu) sum_k += die_k(gpu);
  return sum_k / static_cast<double>(gpus);
}

double ScenarioRun::hottest_die_k(std::size_t gpus) const {
  double hottest_k = 0.0;
  for (std::size_t gpu = 0; gpu < gpus; ++gpu) hottest_k = std::max(hottest_k, die_k(gpu));
  return hottest_k;
}

double ScenarioRun::use_w(std::string_view use) const { return evaluation().sinks[meter_of_use(plant, use)]; }

double ScenarioRun::used_j(std::string_view use) const { return state().states[meter_of_use(plant, use)]; }

double ScenarioRun::charge(const std::string& ups) const {
  for (const twin::BatteryPart& battery : plant.batteries) {
    if (battery.name == ups) return state().states[battery.charge_state];
  }
  return std::numeric_limits<double>::quiet_NaN();
}

double ScenarioRun::energy_residual() const {
  return twin::energy_balance(plant, state(), simulation().initial_energy()).residual_ratio();
}

}  // namespace wattloop::tests
