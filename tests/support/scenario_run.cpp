#include "tests/support/scenario_run.hpp"

#include <omp.h>

#include <algorithm>
#include <limits>

#include "twin/build/plant_builder.hpp"
#include "twin/plant/snapshot/energy_balance.hpp"
#include "twin/scenario/scenario_reader.hpp"

namespace wattloop::tests {

ScenarioRun::ScenarioRun(const std::string& name, const std::vector<std::string>& overrides, By integrator)
    : scenario(twin::read_scenario(std::string(WATTLOOP_SOURCE_DIR) + "/scenarios/" + name + ".yaml", overrides)),
      plant(twin::build_plant(scenario)),
      statistics(twin::make_statistics(plant, scenario)),
      work_(twin::make_work(scenario)),
      integrator_(integrator == By::multirate ? twin::make_multirate_integrator(plant, {})
                                              : twin::make_monolithic_integrator(plant, {})),
      simulation_(std::make_unique<twin::Simulation>(plant, scenario, *work_.workload, *integrator_)) {
  twin::meter_jobs(plant, scenario, *work_.workload, statistics);
  omp_set_num_threads(1);  // tests run side by side: a second thread would wait for a core that is taken
  simulation_->start();
}

void ScenarioRun::until(double time_s, twin::Observer* observer) {
  std::vector<twin::Observer*> observers{&statistics};
  if (observer != nullptr) observers.push_back(observer);
  simulation_->run(time_s, observers);
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
  return twin::energy_balance(plant, state(), simulation_->initial_energy()).residual_ratio();
}

}  // namespace wattloop::tests
