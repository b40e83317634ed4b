#include "twin/run/hall_run.hpp"

#include <cmath>
#include <utility>

#include "core/text/problem.hpp"
#include "twin/build/plant_builder.hpp"
#include "twin/plant/snapshot/energy_balance.hpp"
#include "twin/run/figures/all_figures.hpp"

namespace wattloop::twin {

namespace {

std::unique_ptr<Integrator> make_integrator(const Plant& plant, const RunMethod& method) {
  if (method.integrator == "multirate") return make_multirate_integrator(plant, method.multirate);
  return make_monolithic_integrator(plant, method.monolithic);
}

}  // namespace

Gathered::Gathered(const Plant& plant, const Scenario& scenario)
    : statistics(make_statistics(plant, scenario)), watch(plant, scenario.duration_s), losses(plant) {}

HallRun::HallRun(Scenario scenario, const RunMethod& method)
    : scenario_(std::move(scenario)),
      work_(make_work(scenario_)),
      built_(build_plant(scenario_)),
      plant_(*built_),
      integrator_(make_integrator(plant_, method)) {
  make_ready();
}

HallRun::HallRun(Scenario scenario, const workload::Workload& work, const RunMethod& method)
    : scenario_(std::move(scenario)),
      given_(&work),
      built_(build_plant(scenario_)),
      plant_(*built_),
      integrator_(make_integrator(plant_, method)) {
  make_ready();
}

HallRun::HallRun(Scenario scenario, const Plant& plant, const workload::Workload& work, const RunMethod& method)
    : scenario_(std::move(scenario)), given_(&work), plant_(plant), integrator_(make_integrator(plant_, method)) {
  make_ready();
}

void HallRun::make_ready() {
  gathered_.emplace(plant_, scenario_);
  meter_jobs(plant_, scenario_, workload(), gathered_->statistics);
  simulation_.emplace(plant_, scenario_, workload(), *integrator_);
}

std::vector<Observer*> HallRun::observers() {
  std::vector<Observer*> all{&gathered_->statistics, &gathered_->watch, &gathered_->losses};
  if (recorder_ != nullptr) all.insert(all.begin(), recorder_);
  all.insert(all.end(), others_.begin(), others_.end());
  return all;
}

RunObservers HallRun::gathering() { return {gathered_->statistics, gathered_->watch, recorder_, &gathered_->losses}; }

void HallRun::begin() { begin_run(scenario_, *simulation_, gathering()); }

void HallRun::resume(const CheckpointFile& checkpoint, const std::filesystem::path& file) {
  take_up(checkpoint, file, *simulation_, gathering());
}

bool HallRun::advance_to(double time_s, const std::function<bool()>& is_stop_requested) {
  return simulation_->run(time_s, observers(), is_stop_requested);
}

std::optional<HallFork> HallRun::fork_at(double time_s, const std::function<bool()>& is_stop_requested) {
  std::optional<Fork> fork = simulation_->fork_at(time_s, observers(), is_stop_requested);
  if (!fork) return {};
  return HallFork{std::move(*fork), *gathered_};
}

void HallRun::resume(const HallFork& fork, Scenario later) {
  simulation_.reset();  // it refers to the scenario of before
  later_ = std::move(later);
  gathered_.emplace(fork.gathered);
  simulation_.emplace(plant_, *later_, workload(), *integrator_);
  simulation_->stop_at(fork.run.state.time_s);
  simulation_->resume(fork.run);
}

CheckpointFile HallRun::checkpoint(bool with_records) {
  RunObservers all = gathering();
  if (!with_records) all.recorder = nullptr;
  return checkpoint_of(*simulation_, all);
}

std::vector<NamedValue> HallRun::figures(double wall_time_s) const {
  return all_figures(finished(wall_time_s), gathered_->losses, work_);
}

std::optional<Residual> HallRun::residual() const {
  const EnergyBalance balance = energy_balance(plant_, state(), simulation_->initial_energy());
  std::optional<EventRecord> event = residual_event(balance, state().time_s);
  if (!event) return {};
  std::string text = "the energy balance does not close: " + event->detail;
  return Residual{std::move(*event), std::move(text), std::abs(balance.residual_ratio()) >= largest_residual_ratio};
}

}  // namespace wattloop::twin
