// A plant at one instant, and what people ask of it: heat that equipment carries, power by use, water. Recorder and
// statistics read it; nothing here is stored.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "twin/plant/snapshot/evaluation.hpp"
#include "twin/plant/state/plant_state.hpp"

namespace wattloop::twin {

/// Racks of which something is reported as a whole: one, or those of the hall.
using RackDigests = std::span<const RackDigest>;

/// Those of a group, of all of the hall.
inline RackDigests racks_of(const RackGroup& group, RackDigests racks) {
  return racks.subspan(group.first_rack, group.rack_count);
}

double hottest_die_k(RackDigests racks);
double mean_die_k(RackDigests racks);
double gpu_power_w(RackDigests racks);
/// Below full clock, switched-off ones not counted.
std::size_t throttled_gpus(RackDigests racks);
/// Below full clock for their power limit.
std::size_t capped_gpus(RackDigests racks);
/// Of nodes that are switched off.
std::size_t shut_down_gpus(RackDigests racks);
/// Of nodes that are down: switched off, without power or booting.
std::size_t down_gpus(RackDigests racks);

/// All that a recorded quantity may depend on.
struct PlantSnapshot {
  const Plant& plant;
  const PlantState& state;
  const Evaluation& evaluation;

  double node_k(std::size_t node) const { return evaluation.signals[plant.nodes[node].temperature_signal]; }
  double flow_kg_per_s(std::size_t flow) const { return evaluation.signals[plant.map.flow(flow)]; }
  /// Where columns of parts read.
  ReadPlant read_plant() const { return {evaluation.signals, evaluation.sinks}; }
  double load_w(std::size_t load) const { return evaluation.loads_w()[load]; }
  double input(std::size_t input) const { return state.inputs[input]; }
  double speed_fraction(std::size_t motor) const { return state.states[plant.motors[motor].speed_state]; }
  double motor_w(std::size_t motor) const { return load_w(plant.motors[motor].load); }

  RackDigests all_racks() const { return evaluation.racks; }
  RackDigests rack(std::size_t number) const { return all_racks().subspan(number, 1); }
  /// Only where single GPUs are present (Observer::looks_at_units).
  double die_k(std::size_t gpu) const { return state.states[die_slot(plant, gpu)]; }

  /// What stands in the results: ("loops", "loop_1", "heat"). Searches; throws std::out_of_range for what is not there.
  double reported(std::string_view group, std::string_view part, std::string_view column) const;

  /// Power of all loads of one use: what its meter counts.
  double power_w(std::size_t use) const { return evaluation.sinks[plant.meters.energy[use]]; }
  double it_power_w() const;
  /// Of the fans of all nodes that are on, where they follow temperatures, at their speeds.
  double node_fans_w() const;
  double cooling_power_w() const;
  double facility_power_w() const;  ///< from all sources, without what others on the same feeder draw
  /// From utility feeds and generators, over IT power; not a number while no IT equipment has power, or batteries carry some of it.
  double pue_ratio() const;

  /// To all that is outside: the sky, and water that comes from elsewhere.
  double rejected_w() const;
  /// Only where the hall has a meter for it.
  double make_up_kg_per_s() const { return evaluation.sinks[plant.meters.make_up_water]; }
};

/// Whether fans of any nodes follow temperatures.
bool has_node_fans(const Plant& plant);

/// Make-up water so far; only where the hall has a meter for it. For sentences: what it is, and what it is for.
double water_m3(double water_kg);
double make_up_m3(const Plant& plant, const PlantState& state);
inline constexpr std::string_view make_up_text = "make-up water of the towers: evaporation and blow-down";
inline constexpr std::string_view make_up_users = "the towers";

/// For sentences: all that is no IT equipment.
inline constexpr std::string_view cooling_power_text =
    "power of all pumps, towers, chillers, air handlers and door fans";
inline constexpr std::string_view cooling_energy_text = "energy of all pumps, towers, chillers and air handlers";

/// Whether the hall makes its own facility water and chilled water, so that its PUE is that of a whole facility.
inline bool has_own_water(const Plant& plant) { return plant.waters_from_outside.empty(); }

/// "facility water comes from outside"; empty where none does.
std::string from_outside(const Plant& plant);

}  // namespace wattloop::twin
