// What runs through a window by itself: the units of a rack, or of a station that belongs to none.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "twin/actions/work/jobs_on_racks.hpp"
#include "twin/integration/core/seam_layout.hpp"
#include "twin/plant/state/plant_state.hpp"
#include "twin/units/unit_propagation.hpp"

namespace wattloop::twin {

inline constexpr std::size_t most_sinks = 8;  ///< of one item

/// Where a station of an item stands in the columns of its group.
struct UnitPlace {
  std::size_t station = 0;                            ///< of the seam
  std::array<std::uint8_t, most_ports> heat_sinks{};  ///< [port] among those of its item
  std::uint8_t power_sink = 0;
  std::size_t group = 0;
  std::size_t first_unit = 0;  ///< of its group
  std::size_t first_state = 0, stride = 0, state_count = 0;
  std::size_t first_load = 0;  ///< among the inputs
  std::size_t unit_count = 0, port_count = 0;
  bool is_gpus = false;

  UnitColumns columns(PlantState& state) const { return {state.states.data() + first_state, stride, unit_count}; }
};

/// Copies of what the units of an item are at one instant.
struct UnitSnapshot {
  std::vector<double> states, loads;
  bool is_restrained = false;  ///< else there are no clocks here
  std::vector<double> clocks;
  std::vector<NodeIs> node_is;
  std::vector<double> node_due_s;
  std::uint32_t capped_gpus = 0;  ///< none: no clocks by power limits are here
  std::vector<double> capped_clocks, capped_loads_w;
  std::vector<double> power_w;  ///< filled where somebody looks
};

/// What firmware did to a rack at the begin of a sample.
struct Throttling {
  std::size_t sample = 0;
  std::size_t gpus = 0;         ///< below full clock
  std::size_t capped_gpus = 0;  ///< for their power limit
  RackFirmware firmware = {};
};

struct UnitItem {
  bool is_rack = false;
  std::size_t rack = 0;
  std::size_t first_node = 0, nodes = 0, first_gpu = 0, gpus = 0;  ///< of a rack
  std::vector<std::size_t> stations;
  std::vector<UnitPlace> places;     ///< the same
  std::vector<std::uint32_t> sinks;  ///< of the seam that they feed, and no one else
  std::size_t load = 0;              ///< of the seam that all of them draw
  std::size_t state_count = 0, unit_count = 0;
  UnitSnapshot begin;
  std::vector<UnitSnapshot> shown;     ///< [sample] at its begin, where somebody looks
  std::vector<Throttling> throttling;  ///< over the window, sample by sample
  std::vector<EventRecord> events;
  bool is_shared = false;             ///< a rack of several jobs, which share its energy by what their nodes draw
  std::vector<UnitSnapshot> of_jobs;  ///< [sample] at its begin, of such a rack
  bool has_left_clock = false;        ///< of a rack, at the end of a window that skips seconds
  /// Of jobs on a rack that wait for their slowest GPU: when the window begins, or ends if it skips seconds.
  std::vector<JobRacks::Slowest> slowest = {};
  double job_quiet_k = 0.0;    ///< no job changes its clock while no die is hotter and nothing else slows a GPU
  double job_changes_s = 0.0;  ///< when a job must go on at another clock; infinity: none need
};

/// Racks in their order, then what belongs to none. std::logic_error if two of them feed one sink, or one draws two loads.
std::vector<UnitItem> make_unit_items(const Plant& plant, const SeamLayout& seam);

/// States, loads and clocks of an item.
void take(const UnitItem& item, const PlantState& state, UnitSnapshot& snapshot);
void put(const UnitItem& item, const UnitSnapshot& snapshot, PlantState& state);

/// Keeps the units of a rack that jobs share, at the begin of a sample.
void keep_for_jobs(UnitItem& item, std::size_t sample, const PlantState& state);

/// Whether all states are numbers that units may have.
bool are_states_within_bounds(const UnitItem& item, const PlantState& state);

}  // namespace wattloop::twin
