// Losses of the power tree, sample by sample. They are quadratic in load: taken at the mean load of several samples they come out
// low, by the variance of the load. The core steps over many samples, so it takes what the tree gives at the mean load of its
// step, and what is missing there:
//
//   missing = mean over samples of tree(load of the sample)  -  tree(mean load)        both with motors as at the begin of the window
//
// For quadratic losses this is the coefficient times the variance, whatever motors draw, so that holding them costs nothing.
// Verified in tests/verification/power/sampled_losses.cpp against sums of samples by hand, and for whole runs in
// tests/cases/recorded_energies.cpp.
#pragma once

#include <span>
#include <vector>

#include "twin/integration/core/seam_layout.hpp"
#include "twin/plant/snapshot/evaluation.hpp"
#include "twin/plant/snapshot/unit_energy.hpp"

namespace wattloop::twin {

class SampledLosses {
 public:
  SampledLosses(const Plant& plant, const SeamLayout& seam);

  /// Sinks that the power tree feeds; results of `missing_w` go there.
  std::span<const std::size_t> sinks() const { return sinks_; }

  /// Switches from here on.
  void hold(const electrical::SwitchState& switches) { switches_ = switches; }

  /// What motors, fabric and rechargers draw over a window: as evaluated at its begin, less the units.
  void take_other_loads(const Evaluation& begin, UnitEnergy& units) const;

  /// Energies to the sinks over the window, sample by sample: fills `units.tree_j`; nothing where there is one sample, as nothing is missing.
  void take_samples(UnitEnergy& units);

  /// Mean power [sink] that is missing where units enter by their mean `unit_w` [seam sink] over the step. Zero where nothing was
  /// sampled.
  std::span<const double> missing_w(const UnitEnergy& units, double from_s, double to_s,
                                    std::span<const double> unit_w);

 private:
  /// What goes to the sinks if units draw `unit_w` [seam sink], to `to_sinks_w_`.
  void evaluate(const UnitEnergy& units, std::span<const double> unit_w);

  const Plant& plant_;
  const SeamLayout& seam_;
  const std::vector<std::size_t> sinks_;
  electrical::SwitchState switches_;
  electrical::PowerFlow power_;
  std::vector<double> loads_w_, unit_w_, to_sinks_w_, missing_w_;
};

}  // namespace wattloop::twin
