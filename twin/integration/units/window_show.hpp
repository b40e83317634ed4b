// A window once the core has gone through it: what units read at its instants, and what observers see of its samples and instants.
// Threads evaluate samples side by side, each with working memory of its own; observers see them in order.
//
// Over a sample units draw their mean, and the core is taken at the mean of its states. Over a sample of minutes, in which fans and water
// move together, that mean misses heat that leaves the hall: there it is what its meters have counted.
#pragma once

#include <span>
#include <vector>

#include "twin/integration/core/core_integrator.hpp"
#include "twin/integration/core/core_rates.hpp"
#include "twin/integration/core/integrator.hpp"
#include "twin/integration/units/unit_pass.hpp"
#include "twin/integration/units/window_grid.hpp"

namespace wattloop::twin {

class WindowShow {
 public:
  WindowShow(const Plant& plant, const SeamLayout& seam);

  /// All of `state`: the part of units as well, which is shown where no one looks at them.
  void start_afresh(const PlantState& state);

  /// What it carries, and going on with it.
  const PlantState& carried() const { return stages_.front().shown; }
  void carry_on(const PlantState& shown) { start_afresh(shown); }

  /// What is held over the window that begins at `state`, and what moves.
  void hold(const PlantState& state, std::span<const MovingInput> moving);

  /// What units read [instant][seam signal] at the instants listed.
  void read_signals(std::span<const std::size_t> instants, const CoreWave& wave, std::span<double> signals);

  /// The plant at an instant, as far as a watch asks.
  const PlantState& at(double time_s, std::span<const double> core);

  /// Has `window.observer` see all samples, and all instants before the end that were asked for: states there, all else from there
  /// on. Throws what the observer throws.
  void show(const Window& window, const WindowGrid& grid, const CoreWave& wave, const UnitPass& units);

 private:
  /// What one thread works with.
  struct Stage {
    CoreRates rates;  ///< at instants
    CoreRates mean;   ///< over samples
    PlantState shown;
    std::vector<double> loads_w;  ///< [seam load] over it
  };

  void set_sample(Stage& stage, std::size_t sample, const CoreWave& wave, const UnitPass& units);
  void set_metered_heat(Stage& stage, std::size_t sample, double duration_s, const CoreWave& wave) const;
  void set_instant(Stage& stage, std::size_t instant, const Window& window, const CoreWave& wave,
                   const UnitPass& units);
  void set_units(Stage& stage, std::size_t instant, const UnitPass& units);

  const Plant& plant_;
  const SeamLayout& seam_;
  std::vector<std::size_t> heat_meters_;  ///< core states, [boundary]
  std::vector<Stage> stages_;             ///< [thread]
  std::span<const MovingInput> moving_;
  double begin_s_ = 0.0;
};

}  // namespace wattloop::twin
