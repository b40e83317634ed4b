// Controllers of nodes: work, firmware, jobs, loads. What each does is in twin/actions/work.

#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include "core/numbers/series.hpp"
#include "core/units/units.hpp"
#include "twin/actions/controller.hpp"
#include "twin/actions/jobs/jobs.hpp"
#include "twin/actions/jobs/storage_watch.hpp"
#include "twin/actions/work/burn_in_watch.hpp"
#include "twin/actions/work/fabric_watch.hpp"
#include "twin/actions/work/node_fans.hpp"
#include "twin/actions/work/node_states.hpp"
#include "twin/plant/snapshot/plant_snapshot.hpp"

namespace wattloop::twin {

namespace {

constexpr double calm_margin_k = 10.0;  ///< of dies to their limit: more than one rises and falls in a sample

/// " of dgx" where there are several groups.
std::string of_group(const ItEquipment& it, std::size_t group) {
  return it.groups.size() > 1 ? " of " + it.groups[group].name : "";
}

/// When samples of work begin; what they ask for is given by `Loads`.
class Work final : public RunController {
 public:
  using RunController::RunController;
  void act(StepContext& context) override {
    PlantState& state = context.state;
    if (state.time_s + boundary_slack_s < state.work.sample_end_s) return;  // a record may be due next to it
    state.work.sample_end_s = run_.workload.next_change_s(state.time_s);
    context.has_changed = true;
  }
};

/// Of nodes, against hot inlet air.
class InletAir final : public RunController {
 public:
  explicit InletAir(const RunContext& run) : RunController(run), watch_(run.plant, run.plan.nodes) {}
  void act(StepContext& context) override {
    if (looks_at(context.state.time_s) && watch_.act(context.state, context.events)) context.has_changed = true;
  }
  void check_start(const PlantState& state, const Evaluation&, std::vector<std::string>& impossible) override {
    for (std::size_t g = 0; g < run_.plan.nodes.size(); ++g) {
      const workload::InletParams& protection = run_.plan.nodes[g].inlet_air;
      const double hottest_k = watch_.hottest_k(plant_.it.groups[g], state);
      if (!protection.is_enabled || hottest_k < protection.shutdown_k) continue;
      impossible.push_back(fmt::format("air before racks{} reaches {}, firmware switches nodes off at {}",
                                       of_group(plant_.it, g), format_quantity(hottest_k, "K"),
                                       format_quantity(protection.shutdown_k, "K")));
    }
  }
  bool looks_at(double time_s) const override { return is_multiple(time_s, control_interval_s); }
  bool would_act(const Evaluation&, const PlantState& state) const override { return watch_.would_act(state); }

 private:
  const InletWatch watch_;
};

class Firmware final : public RunController {
 public:
  using RunController::RunController;
  void act(StepContext& context) override {
    digest_racks(plant_, context.state, context.evaluation.racks);
    if (!is_multiple(context.state.time_s, protection_interval_s)) return;
    if (protect_gpus(plant_, run_.plan.nodes, context.state, context.evaluation.racks, context.events))
      context.has_changed = true;
    if (!context.has_changed && is_power_limit_due(plant_, run_.plan.nodes, context.state)) context.has_changed = true;
  }
  void check_start(const PlantState& state, const Evaluation&, std::vector<std::string>& impossible) override {
    std::vector<RackDigest> racks(plant_.it.racks.size());
    digest_racks(plant_, state, racks);
    for (std::size_t g = 0; g < run_.plan.nodes.size(); ++g) {
      const workload::ProtectionParams& protection = run_.plan.nodes[g].protection;
      const double hottest_k = hottest_die_k(racks_of(plant_.it.groups[g], racks));
      if (!protection.is_enabled || hottest_k < protection.shutdown_k) continue;
      impossible.push_back(fmt::format("dies{} reach {}, firmware switches nodes off at {}", of_group(plant_.it, g),
                                       format_quantity(hottest_k, "K"), format_quantity(protection.shutdown_k, "K")));
    }
  }
  bool is_far(std::span<const RackDigest> racks) const override {
    for (std::size_t g = 0; g < run_.plan.nodes.size(); ++g) {
      const workload::ProtectionParams& protection = run_.plan.nodes[g].protection;
      const bool is_far = std::ranges::all_of(racks_of(plant_.it.groups[g], racks), [&](const RackDigest& rack) {
        const bool is_cool = rack.throttled_gpus == 0 && rack.hottest_k < protection.throttle_k - calm_margin_k;
        return is_cool || !protection.is_enabled;
      });
      if (!is_far) return false;
    }
    return true;
  }
};

/// Of nodes, whose fans follow inlet air and dies. They look at every tick, because what they remember moves on.
class ServerFans final : public RunController {
 public:
  explicit ServerFans(const RunContext& run) : RunController(run), fans_(run.plant, run.plan.nodes) {}
  void act(StepContext& context) override {
    if (is_tick(context.state.time_s) && fans_.act(context.evaluation.racks, control_interval_s, context.state))
      context.has_changed = true;
  }
  bool stage_down(const Evaluation&, PlantState& state) override {
    std::vector<RackDigest> racks(plant_.it.racks.size());
    digest_racks(plant_, state, racks);
    return rests_found_++ < most_rests && fans_.act(racks, settling_s, state);
  }
  bool is_idle(const PlantState&) const override { return false; }  // its memory moves on at every tick

 private:
  static bool is_tick(double time_s) { return is_multiple(time_s, control_interval_s); }
  static constexpr double settling_s = 60.0;  ///< of the controller, from one rest of the hall to the next
  static constexpr int most_rests = 40;

  const NodeFans fans_;
  int rests_found_ = 0;
};

/// Of nodes: who lost its supply, who boots, who is back.
class NodeSupply final : public RunController {
 public:
  using RunController::RunController;
  void act(StepContext& context) override {
    if (!follow_supply(plant_, run_.plan.nodes, context.state, context.events)) return;
    digest_racks(plant_, context.state, context.evaluation.racks);
    context.has_changed = true;
  }
  double next_s(const Evaluation&, const PlantState& state) const override { return next_node_s(plant_, state); }
};

/// What has failed in a modelled fabric, and when routes follow it.
class FabricHealth final : public RunController {
 public:
  using RunController::RunController;
  void act(StepContext& context) override {
    if (watch_fabric(plant_, context.state, context.events)) context.has_changed = true;
  }
  double next_s(const Evaluation&, const PlantState& state) const override { return state.fabric.reroute_s; }
};

/// Synchronous jobs, after all that slows, stops or brings back their nodes.
class Jobs final : public RunController {
 public:
  explicit Jobs(const RunContext& run) : RunController(run), watch_(run.plant, run.plan.nodes, run.workload) {}
  void prepare(PlantState& state) override { watch_.prepare(state); }
  void act(StepContext& context) override {
    if (watch_.act(context.evaluation.racks, context.state, context.events)) context.has_changed = true;
  }
  double next_s(const Evaluation&, const PlantState& state) const override { return watch_.next_s(state); }
  // A clock that would change ends a window, or has it run again, where racks see it (twin/integration/units/job_look.hpp).

 private:
  JobWatch watch_;
};

/// Watts of all units, air of racks, watts of switches: they follow from all that acted before.
class Loads final : public RunController {
 public:
  explicit Loads(const RunContext& run) : RunController(run), asked_(plant_.it) {}
  void prepare(PlantState& state) override { follow(state, true); }
  void act(StepContext& context) override {
    follow(context.state, context.has_changed);
    for (std::size_t rack = 0; rack < plant_.it.racks.size(); ++rack)
      context.evaluation.racks[rack].capped_gpus = context.state.work.capped_gpus[rack];
  }
  /// Power limits hold with the leakage of dies in steady state, which loads by dies of another temperature brought about.
  bool stage_down(const Evaluation&, PlantState& state) override {
    if (rests_found_++ >= most_rests || !is_power_limit_due(plant_, run_.plan.nodes, state)) return false;
    const std::vector<double> before = state.inputs;
    apply_work(plant_, run_.plan.nodes, run_.workload, state, asked_);
    return !std::ranges::equal(before, state.inputs, [](double a, double b) { return std::abs(b - a) < noticeable_w; });
  }

 private:
  static constexpr double noticeable_w = 1e-3;
  static constexpr int most_rests = 20;

  void follow(PlantState& state, bool has_changed) {
    if (has_changed) apply_work(plant_, run_.plan.nodes, run_.workload, state, asked_);
    drive_fans(plant_, state);
    load_fabric(plant_, run_.plan.nodes, state);
  }

  AskedWatts asked_;  ///< [node] scratch
  int rests_found_ = 0;
};

/// Watts of storage racks follow what jobs read and write, and the air of these racks.
class StorageRacks final : public RunController {
 public:
  explicit StorageRacks(const RunContext& run) : RunController(run), jobs_(run.plant, run.workload) {}
  void prepare(PlantState& state) override { follow(state); }
  void act(StepContext& context) override { follow(context.state); }
  double next_s(const Evaluation&, const PlantState& state) const override { return next_traffic_s(jobs_, state); }

 private:
  void follow(PlantState& state) const {
    const double share =
        workload::used_share(plant_.it.appliance, served_appliances(plant_, state), storage_traffic(jobs_, state));
    load_storage(plant_, share, state);
  }

  const JobRacks jobs_;
};

/// Acceptance tests, after the loads that they ask for.
class BurnIn final : public RunController {
 public:
  explicit BurnIn(const RunContext& run) : RunController(run), watch_(run.plant, run.workload.tests()) {}
  void prepare(PlantState& state) override { watch_.prepare(state); }
  void act(StepContext& context) override { watch_.act(context.state, context.events); }
  double next_s(const Evaluation&, const PlantState& state) const override { return watch_.next_s(state.time_s); }

 private:
  BurnInWatch watch_;
};

}  // namespace

void add_node_controllers(const RunContext& run, std::vector<std::unique_ptr<Controller>>& controllers) {
  controllers.push_back(std::make_unique<Work>(run));
  controllers.push_back(std::make_unique<InletAir>(run));
  controllers.push_back(std::make_unique<Firmware>(run));
  if (std::ranges::any_of(run.plan.nodes, [](const NodeCoupling& node) { return node.fans.has_value(); }))
    controllers.push_back(std::make_unique<ServerFans>(run));
}

void add_load_controllers(const RunContext& run, std::vector<std::unique_ptr<Controller>>& controllers) {
  controllers.push_back(std::make_unique<NodeSupply>(run));
  if (run.plant.fabric) controllers.push_back(std::make_unique<FabricHealth>(run));
  controllers.push_back(std::make_unique<Jobs>(run));
  controllers.push_back(std::make_unique<Loads>(run));
  if (!run.plant.it.storage_racks.empty()) controllers.push_back(std::make_unique<StorageRacks>(run));
  if (!run.workload.tests().empty()) controllers.push_back(std::make_unique<BurnIn>(run));
}

}  // namespace wattloop::twin
