// All units of a plant over one window, rack by rack: samples of work, firmware and exponential steps, with given inlets.
// A rack may be run again with other inlets; what it did before is then undone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "twin/core_integrator.hpp"
#include "twin/coupling.hpp"
#include "twin/inlet_wave.hpp"
#include "twin/integrator.hpp"
#include "twin/seam_layout.hpp"

namespace wattloop::twin {

class UnitPass {
 public:
  UnitPass(const Plant& plant, const SeamLayout& seam);

  /// Racks, or single stations that belong to none.
  std::size_t item_count() const { return items_.size(); }
  std::span<const std::size_t> stations_of(std::size_t item) const { return items_[item].stations; }

  /// Asks for the work of all samples. To be called once for each window.
  void begin(const PlantState& state, const Window& window);

  /// Runs the items marked in `is_wanted` over the window, from the state at its begin. False where a state left all bounds.
  bool run(PlantState& state, const Window& window, const InletWave& inlets, std::span<const std::uint8_t> is_wanted);

  /// By how many kelvin the inlets that an item was given differ from `computed`, at worst.
  double mismatch_k(PlantState& state, std::size_t item, const InletWave& used, const InletWave& computed);

  /// Energies to all sinks of the seam.
  void collect(UnitEnergy& energy) const;

  /// Heat and power to all sinks of the seam at the begin of a sample, W.
  void collect_begin(std::size_t sample, std::span<double> from_units_w) const;

  /// When firmware first shut down a node after the begin; infinity if it did not.
  double first_shutdown_s() const;

  /// Firmware's counts from `counted_from_s` on and the first throttling of the window to `state` and the window's list.
  void finish(PlantState& state, const Window& window, double counted_from_s);

  /// Racks as a whole at the begin of a sample.
  void show_racks(std::size_t sample, std::span<RackDigest> racks) const;

  /// Units as they were at the begin of a sample, to `shown`: states, loads, clocks, and their power to `unit_power_w`.
  void show(std::size_t sample, PlantState& shown, std::vector<std::vector<double>>& unit_power_w) const;

  /// Puts the units of all items back to the begin of the window.
  void restore(PlantState& state);

 private:
  /// Copies of what units of an item are at one instant.
  struct Snapshot {
    std::vector<double> states, loads, clocks, power_w;
    std::vector<std::uint8_t> is_shut_down;
  };

  /// Where a station of an item stands in the columns of its group.
  struct Place {
    std::size_t station = 0;  ///< of the seam
    std::size_t group = 0;
    std::size_t first_state = 0, stride = 0, state_count = 0;
    std::size_t first_load = 0;  ///< among the inputs
    std::size_t unit_count = 0, port_count = 0;
    bool is_gpus = false;

    UnitColumns columns(PlantState& state) const { return {state.states.data() + first_state, stride, unit_count}; }
  };

  struct Item {
    bool is_rack = false;
    std::size_t rack = 0;
    std::vector<std::size_t> stations;
    std::vector<Place> places;             ///< the same
    std::size_t state_count = 0, unit_count = 0;
    Snapshot begin;
    std::vector<Snapshot> shown;           ///< [sample], where somebody looks
    std::vector<EventRecord> events;
    std::vector<RackDigest> digests;       ///< [sample] at its begin
    std::vector<RackFirmware> firmware;    ///< [sample] at its begin
    bool is_within_bounds = true;
  };

  void run_item(Item& item, PlantState& state, const Window& window, const InletWave& inlets);
  void act_on_rack(Item& item, std::size_t sample, PlantState& state, const NodeCoupling& node) const;
  void run_sample(Item& item, std::size_t sample, PlantState& state, const InletWave& inlets, bool is_shown);
  bool is_within_bounds(const Item& item, const PlantState& state) const;
  void take(const Item& item, const PlantState& state, Snapshot& snapshot) const;
  void put(const Item& item, const Snapshot& snapshot, PlantState& state) const;
  Place place_of(std::size_t station) const;
  const Station& station(std::size_t number) const;

  const Plant& plant_;
  const SeamLayout& seam_;
  std::vector<Item> items_;
  std::vector<std::vector<std::unique_ptr<UnitPropagation>>> propagations_;  ///< [thread][group]
  bool is_at_begin_ = false;                                                 ///< no item has run since `begin`
  std::vector<double> instants_s_;                                          ///< [sample + 1]
  std::vector<std::uint8_t> protects_;                                      ///< [sample] firmware acts at its begin
  std::vector<std::vector<double>> asked_gpu_w_, asked_node_w_;              ///< [sample], where work changes at its begin
  std::vector<std::size_t> asked_of_;                                       ///< [sample] since which one work asks the same
  std::vector<RackFirmware> firmware_of_racks_;                              ///< scratch
  std::vector<UnitYield> yields_;                                            ///< [sample][station]
};

}  // namespace wattloop::twin
