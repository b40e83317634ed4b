// Logic that acts at control ticks: how many motors of a group run, and which.
#pragma once

#include <optional>
#include <vector>

#include "physics/water/chiller.hpp"
#include "twin/plant/snapshot/evaluation.hpp"
#include "twin/plant/state/plant_state.hpp"
#include "twin/results/schema/event_record.hpp"

namespace wattloop::twin {

/// In every group as many motors run as are on duty and the rest stands by: one that failed, has no power or waits for its
/// restart delay is replaced by the first idle one that can run. Of a group with a start interval one starts at a time. Sets the commands. Starts and stops after the first call are added to `events`, which
/// may be null. True if any command changed.
bool stage_motors(const Plant& plant, PlantState& state, std::vector<EventRecord>* events);

/// Whether a motor that could run waits for its restart delay, or for its turn in a group with a start interval.
bool waits_any_motor(const Plant& plant, const PlantState& state);

/// How many chillers of one water are on duty: one more while those that run carry more than `stage_up` of their rating together, one
/// fewer while the rest would stay below `stage_down` of theirs; never within the stage interval after a start or stop. One more, too,
/// where users draw more than those that run let through, so that return water passes and the supply is warmer than `warm_supply`
/// allows; none stops that would leave it so. Reports once in a run that a machine compresses at less than its smallest lift, where the model holds its power.
class ChillerStaging {
 public:
  /// group: of motors, with `staging`.
  ChillerStaging(const Plant& plant, std::size_t group);

  /// Looks at the flows of `evaluation`, made at the last instant, and the temperatures of `state`.
  void act(const Evaluation& evaluation, PlantState& state, std::vector<EventRecord>& events) const;

  /// Whether `act` would change anything now.
  bool would_act(const Evaluation& evaluation, const PlantState& state) const {
    return change(evaluation, state) != 0 || small_lift(evaluation, state).has_value();
  }

  /// The tick at which the stage interval that is on has gone by: nothing is staged before. Now, where none is on.
  double idle_until_s(const PlantState& state) const;

  /// Before a run: takes off duty what its steady load does not need. True if any was.
  bool drop_idle(const Evaluation& evaluation, PlantState& state) const;

 private:
  /// Machines alike: what those that run carry together, and how many could.
  struct Running {
    std::size_t count = 0, able = 0;
    double heat_w = 0.0;
    double rated_w = 0.0;   ///< of one
    double kg_per_s = 0.0;  ///< of their water together
  };
  const physics::ChillerParams& machine() const;
  Running running(const Evaluation& evaluation, const PlantState& state) const;

  /// Supply above its set-point, by return water that passes those that run.
  double passed_k(const Evaluation& evaluation, const PlantState& state) const;
  double node_k(std::size_t node, const PlantState& state) const;
  /// What that would be in steady state with `needed_count` machines.
  double passing_k(const Running& now, std::size_t needed_count, const Evaluation& evaluation,
                   const PlantState& state) const;

  /// Number, among all of the plant, of a machine that compresses at less than its smallest lift; none, or if that was reported already.
  std::optional<std::size_t> small_lift(const Evaluation& evaluation, const PlantState& state) const;

  /// By how many machines duty is to change: 1, 0 or -1.
  int change(const Evaluation& evaluation, const PlantState& state) const;

  const Plant& plant_;
  const LoadStaging& staging_;
  const SystemPart& system_;
  std::size_t group_;
  std::size_t first_;  ///< of its machines, among all of the plant
};

/// One for the chillers of each chilled water that has any. `plant` must outlive them.
std::vector<ChillerStaging> make_chiller_stagings(const Plant& plant);

}  // namespace wattloop::twin
