// One evaluation of a plant: all that follows from states and constant inputs at one instant. Scratch, sized once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "electrical/power_tree.hpp"
#include "twin/plant/equipment/plant.hpp"
#include "twin/plant/state/plant_state.hpp"
#include "twin/units/rack_digest.hpp"

namespace wattloop::twin {

struct Evaluation {
  explicit Evaluation(const Plant& plant);

  std::vector<double> signals;                       ///< [states | flows | inputs | power]
  std::vector<double> sinks;                         ///< [states | loads]
  std::vector<std::vector<double>> unit_power_w;     ///< [group][unit]
  std::vector<std::vector<double>> station_power_w;  ///< [group][station]
  std::vector<RackDigest>
      racks;  ///< of its GPUs; filled by `digest_racks` (twin/actions/work/coupling.hpp) or the integrator
  electrical::PowerFlow power;
  std::vector<double> full_charge;      ///< [branch] state of charge of full batteries, those of its modules in service
  std::vector<double> charger_w;        ///< [branch] what its modules in service give an emptied battery
  std::vector<double> recharge_w;       ///< [branch] what batteries take while their branch is fed
  std::vector<std::size_t> tree_sinks;  ///< that the power tree feeds (twin/plant/snapshot/tree_sinks.hpp)
  std::vector<double> tree_w;           ///< [tree sink] what goes there
  FlowScratch flow_scratch;
  std::vector<std::vector<double>> component_memory;  ///< [set of components] what they remember, for speed alone

  std::span<double> states() { return std::span(signals).first(state_count_); }
  std::span<double> inputs() { return std::span(signals).subspan(first_input_, input_count_); }
  std::span<const double> loads_w() const { return std::span(sinks).subspan(state_count_); }

 private:
  std::size_t state_count_;
  std::size_t first_input_;
  std::size_t input_count_;
};

/// Rates of all states (K/s, 1/s, W for meters) at `states`, inputs as they stand in `evaluation`. Allocates nothing.
void evaluate(const Plant& plant, const electrical::SwitchState& switches, std::span<const double> states,
              Evaluation& evaluation, std::span<double> rates);

/// The same but for single units: their rates, their power and the signals of their states and loads stay as they were.
void evaluate_stations(const Plant& plant, const PlantState& state, Evaluation& evaluation, std::span<double> rates);

/// All values that a look at the plant needs, power of single units included: no rates, and no signals of states and loads of units.
void evaluate_values(const Plant& plant, const PlantState& state, Evaluation& evaluation);

/// Power of GPUs to the digests of racks, as it was made last.
void note_gpu_power(const Plant& plant, Evaluation& evaluation);

/// The part of `evaluate` behind units and flows: adds what components and the power tree do to the sinks as they stand. First comes
/// what switching decides, then components, then the power tree, then components that see what buses carry.
void evaluate_components_and_power(const Plant& plant, const electrical::SwitchState& switches, Evaluation& evaluation);

/// The same, of components only those sets that are marked in `is_requested` [set].
void evaluate_components_and_power(const Plant& plant, const electrical::SwitchState& switches,
                                   std::span<const std::uint8_t> is_requested, Evaluation& evaluation);

}  // namespace wattloop::twin
