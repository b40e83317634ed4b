// The state of a plant at one instant: a value. A copy of it is a snapshot, a fork, a checkpoint.
#pragma once

#include <cstdint>
#include <vector>

#include "electrical/power_tree.hpp"
#include "twin/plant.hpp"

namespace wattloop::twin {

/// What the work asks for and what firmware allows. Nodes and GPUs are numbered rack by rack.
struct WorkState {
  std::vector<double> asked_gpu_w;          ///< [gpu] by the work, before protection
  std::vector<double> asked_node_w;         ///< [node] at the AC inlet, before protection
  std::vector<double> clock_fraction;       ///< [gpu]
  std::vector<std::uint8_t> is_shut_down;   ///< [node] for the rest of the run
  double throttled_gpu_s = 0.0;             ///< GPU-seconds spent below full clock, shut-down ones not counted
};

/// Orders to equipment that has a motor or a set-point.
struct EquipmentState {
  std::vector<std::uint8_t> is_pump_failed;  ///< [pump]
  std::vector<std::uint8_t> is_pump_running; ///< [pump] commanded
};

struct PlantState {
  double time_s = 0.0;
  std::vector<double> states;  ///< [state_count]
  std::vector<double> inputs;  ///< [input_count]
  electrical::SwitchState switches;
  WorkState work;
  EquipmentState equipment;
};

/// State at time zero before the steady-state search: typical temperatures, meters at zero, initial inputs.
PlantState initial_state(const Plant& plant);

}  // namespace wattloop::twin
