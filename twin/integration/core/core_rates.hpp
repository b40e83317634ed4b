// Rates of the core states of a plant (all that are not states of units), with what units give as an input.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "twin/actions/weather/moving_input.hpp"
#include "twin/integration/core/sampled_losses.hpp"
#include "twin/integration/core/seam_layout.hpp"
#include "twin/plant/snapshot/evaluation.hpp"
#include "twin/plant/state/plant_state.hpp"

namespace wattloop::twin {

class CoreRates {
 public:
  CoreRates(const Plant& plant, const SeamLayout& seam);

  /// Takes over inputs and switches.
  void hold(const PlantState& state);

  /// Takes over inputs that move over the window that begins at `begin_s`, and must outlive it.
  void move(std::span<const MovingInput> moving, double begin_s);

  /// Has these inputs at that time. Allocates nothing.
  void move_to(double time_s);

  /// What units give from here on: their mean over a step, with the losses that their samples cause; inputs that
  /// move at their mean, too. Allocates nothing.
  void take_units(const UnitEnergy& units, double from_s, double to_s);

  /// Rates [core state] at these core states, with units as taken last. Allocates nothing.
  void evaluate(std::span<const double> core, std::span<double> rates);

  /// All that observers look at (twin/plant/snapshot/plant_snapshot.hpp) in `evaluation`: signals, loads, power and the rates of meters. Units are reported
  /// by what they draw [seam load]. Components that neither draw power nor feed a meter are left out, as is the heat of units,
  /// so that other sinks are not complete. Allocates nothing.
  void show(std::span<const double> core, std::span<const double> unit_loads_w);

  /// States and flows at these core states, to the signals of `evaluation`. Allocates nothing.
  void set_flows(std::span<const double> core);

  /// What units read of the core [seam signal] at these core states; other flows in `evaluation` stay as they are. Allocates nothing.
  void signals_at(std::span<const double> core, std::span<double> signals);

  /// Signals and sinks as `evaluate` left them; those of units are zero.
  const Evaluation& evaluation() const { return evaluation_; }
  Evaluation& evaluation() { return evaluation_; }

  std::size_t size() const { return seam_.core_slots.size(); }
  const SeamLayout& seam() const { return seam_; }
  SampledLosses& losses() { return losses_; }
  const Plant& plant() const { return plant_; }

  /// Error of each core state that no one would notice; infinite for meters, which follow the others.
  std::vector<double> tolerances() const;

 private:
  void begin_sinks(std::span<const std::size_t> fed, std::span<const double> from_units_w);

  const Plant& plant_;
  const SeamLayout& seam_;
  Evaluation evaluation_;
  FlowPart read_by_units_;
  SampledLosses losses_;
  std::vector<double> from_units_w_;             ///< [seam sink]
  std::span<const double> missing_loss_w_;       ///< [sink of losses_]
  std::vector<double> nothing_, rate_per_sink_;  ///< [core state]
  std::vector<double> from_sinks_;               ///< [core state] scratch
  std::vector<std::uint8_t> is_shown_;           ///< [set of components] draws power or feeds a meter
  electrical::SwitchState switches_;
  std::span<const MovingInput> moving_;
  double moving_from_s_ = 0.0;
};

}  // namespace wattloop::twin
