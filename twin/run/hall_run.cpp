#include "twin/run/hall_run.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "core/text/problem.hpp"
#include "twin/build/plant_builder.hpp"
#include "twin/planning/event_scheduler.hpp"
#include "twin/planning/run_planner.hpp"
#include "twin/plant/snapshot/energy_balance.hpp"
#include "twin/run/figures/all_figures.hpp"

namespace wattloop::twin {

namespace {

std::unique_ptr<Integrator> make_integrator(const Plant& plant, const RunMethod& method) {
  if (method.integrator == "multirate") return make_multirate_integrator(plant, method.multirate);
  return make_monolithic_integrator(plant, method.monolithic);
}

}  // namespace

House::House(Scenario of, GivenToRun given)
    : scenario(std::move(of)),
      work(given.work != nullptr ? Work{} : make_work(scenario)),
      built(given.plant != nullptr ? std::optional<Plant>() : std::optional<Plant>(build_plant(scenario))),
      plant(given.plant != nullptr ? *given.plant : *built),
      workload(given.work != nullptr ? *given.work : *work.workload),
      plan(plan_run(scenario, plant, workload)) {}

OtherEvents::OtherEvents(Scenario of, const House& house)
    : scenario(std::move(of)), plan(plan_run(scenario, house.plant, house.workload)) {}

Gathered::Gathered(const Plant& plant, const Scenario& scenario)
    : statistics(make_statistics(plant, scenario)), watch(plant, scenario.duration_s), losses(plant) {}

HallRun::~HallRun() = default;

HallRun::HallRun(std::shared_ptr<const House> house, const RunMethod& method)
    : house_(std::move(house)), plant_(house_->plant), method_(method), integrator_(make_integrator(plant_, method)) {}

HallRun::HallRun(Scenario scenario, const RunMethod& method)
    : HallRun(std::make_shared<const House>(std::move(scenario)), method) {
  make_ready();
}

HallRun::HallRun(Scenario scenario, const workload::Workload& work, const RunMethod& method)
    : HallRun(std::make_shared<const House>(std::move(scenario), GivenToRun{.work = &work}), method) {
  make_ready();
}

HallRun::HallRun(Scenario scenario, const Plant& plant, const workload::Workload& work, const RunMethod& method)
    : HallRun(std::make_shared<const House>(std::move(scenario), GivenToRun{&work, &plant}), method) {
  make_ready();
}

void HallRun::make_ready() {
  gathered_.emplace(plant_, base());
  meter_jobs(plant_, workload(), gathered_->statistics);
  simulation_.emplace(plant_, plan(), workload(), *integrator_);
}

std::vector<Observer*> HallRun::observers() {
  std::vector<Observer*> all{&gathered_->statistics, &gathered_->watch, &gathered_->losses};
  if (recorder_ != nullptr) all.insert(all.begin(), recorder_);
  all.insert(all.end(), others_.begin(), others_.end());
  return all;
}

RunObservers HallRun::gathering() { return {gathered_->statistics, gathered_->watch, recorder_, &gathered_->losses}; }

void HallRun::begin() {
  has_begun_ = true;
  begin_run(scenario(), *simulation_, gathering());
}

void HallRun::find_begin() {
  if (base().begin_at) return begin();
  has_begun_ = true;
  simulation_->find_start();
}

void HallRun::resume(const CheckpointFile& checkpoint, const std::filesystem::path& file) {
  has_begun_ = true;
  take_up(checkpoint, file, *simulation_, gathering());
}

bool HallRun::advance_to(double time_s, const std::function<bool()>& is_stop_requested) {
  return simulation_->run(time_s, observers(), is_stop_requested);
}

bool HallRun::approach(double time_s, const std::function<bool()>& is_stop_requested) {
  return simulation_->approach(time_s, observers(), is_stop_requested);
}

std::optional<HallFork> HallRun::fork_at(double time_s, const std::function<bool()>& is_stop_requested) {
  std::optional<Fork> fork = simulation_->fork_at(time_s, observers(), is_stop_requested);
  if (!fork) return {};
  return HallFork{std::move(*fork), *gathered_};
}

void HallRun::resume(const HallFork& fork, Scenario later) {
  has_begun_ = true;
  simulation_.reset();  // it refers to the plan of before
  scheduler_.reset();
  later_ = std::make_shared<const OtherEvents>(std::move(later), *house_);
  gathered_.emplace(fork.gathered);
  simulation_.emplace(plant_, plan(), workload(), *integrator_);
  simulation_->stop_at(fork.run.state.time_s);
  simulation_->resume(fork.run);
}

std::unique_ptr<HallRun> HallRun::fork() const {
  const Fork fork = simulation_->fork();
  std::unique_ptr<HallRun> other(new HallRun(house_, method_));
  other->later_ = later_;
  other->gathered_.emplace(*gathered_);
  other->simulation_.emplace(plant_, other->plan(), workload(), *other->integrator_);
  other->simulation_->resume(fork);
  other->simulation_->share_events_of(*simulation_);
  other->has_begun_ = true;
  return other;
}

std::unique_ptr<HallRun> HallRun::again() const {
  std::unique_ptr<HallRun> other(new HallRun(house_, method_));
  other->make_ready();
  return other;
}

std::vector<ScheduledEvent> HallRun::schedule(const std::vector<EventSpec>& events) {
  if (has_begun_ && !simulation_->is_pending())
    throw std::logic_error("further events where those of this instant have acted");
  if (!scheduler_) scheduler_ = std::make_unique<EventScheduler>(base(), plant_);
  Problems problems;
  std::optional<PendingRun> run;
  if (has_begun_) run.emplace(PendingRun{state(), simulation_->scheduled()});
  std::vector<ScheduledEvent> scheduled = scheduler_->schedule(events, run, problems);
  problems.throw_if_any(base().file);
  return scheduled;
}

void HallRun::add_events(const std::vector<EventSpec>& events) {
  simulation_->add_events(schedule(events));
  scheduler_->take();
}

CheckpointFile HallRun::checkpoint(bool with_records) {
  RunObservers all = gathering();
  if (!with_records) all.recorder = nullptr;
  return checkpoint_of(*simulation_, all);
}

std::vector<NamedValue> HallRun::figures(double wall_time_s) const {
  return all_figures(finished(wall_time_s), gathered_->losses, work());
}

std::optional<Residual> HallRun::residual() const {
  const EnergyBalance balance = energy_balance(plant_, state(), simulation_->initial_energy());
  std::optional<EventRecord> event = residual_event(balance, state().time_s);
  if (!event) return {};
  std::string text = "the energy balance does not close: " + event->detail;
  return Residual{std::move(*event), std::move(text), std::abs(balance.residual_ratio()) >= largest_residual_ratio};
}

}  // namespace wattloop::twin
