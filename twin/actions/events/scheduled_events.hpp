// What happens to one component of a plant at one instant: an event of a scenario, resolved against the plant.
#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "core/parts/fault_setting.hpp"
#include "twin/plant/state/plant_state.hpp"

namespace wattloop::twin {

/// What happens to one component at one instant.
struct ScheduledEvent {
  enum class Action { fail, restore, open, close, slow, set_to, set_by, set_back, drain, resume };
  enum class TargetKind { motor, branch, source, module, load, fans, node, gpu, input, rack, fabric, gpus };
  double at_s = 0.0;
  Action action = Action::fail;
  TargetKind target_kind = TargetKind::motor;
  std::size_t target = 0;                                          ///< its number among targets of this kind
  double value = 0.0;                                              ///< SI
  double lowest_value = -std::numeric_limits<double>::infinity();  ///< to which a change can bring it, SI
  double highest_value = std::numeric_limits<double>::infinity();
  double over_s = 0.0;                  ///< ramp
  std::size_t pair = 0;                 ///< of a temporary event and the one that undoes it, from 1; 0: not temporary
  bool is_end = false;                  ///< it undoes the other of its pair
  std::string name;                     ///< of the target
  const FaultSetting* fault = nullptr;  ///< of an input: what goes wrong or is set right by it
  std::string kind = {};                ///< the same, as it is reported: "stick"
  std::shared_ptr<const std::vector<double>> gpu_w = {};  ///< [gpu] asked of all of them
  std::size_t stuck_state = no_part;  ///< of what sticks at its present position: that position, instead of `value`
  double begin_s = 0.0;               ///< of the end of a temporary event the time of its begin, else `at_s`
  bool needs_earlier = false;         ///< of an input: nothing happens where no event has acted on it before
};

/// What ends it where it is temporary.
ScheduledEvent::Action undoing(ScheduledEvent::Action action);

}  // namespace wattloop::twin
