// The core by CVODE [hindmarsh2005] (BDF, modified Newton, KLU), for comparison with the one-step method.
//
// Restarted at the begin of every window, since inputs have jumped; units give the mean of the window, so that the energy
// that they hand over is exact.

#include <algorithm>
#include <cmath>

#include "twin/integration/core/core_integrator.hpp"
#include "twin/integration/core/integrator_cvode.hpp"
#include "twin/integration/core/jacobian.hpp"

namespace wattloop::twin {

namespace {

constexpr double relative_tolerance_ratio = 1e-5;
constexpr double share_of_step = 0.04;  ///< of the error of one step that is allowed to a step of CVODE, which adds up

class CvodeCore final : public CoreIntegrator, CvodeSystem {
 public:
  CvodeCore(CoreRates& rates, const CoreOptions& options)
      : rates_(rates),
        jacobian_(rates.plant(), rates.seam().core_slots),
        cvode_(*this, jacobian_, {relative_tolerance_ratio, tolerances(options)}) {}

  std::string_view name() const override { return "cvode"; }

  void restart(const PlantState& state) override { rates_.hold(state); }

  void start_afresh(const PlantState& state) override {
    cvode_.forget();
    restart(state);
  }

  bool advance(const UnitEnergy& units, CoreWave& wave, double& reached_s) override {
    reached_s = units.instants_s.front();
    rates_.take_units(units, reached_s, units.instants_s.back());
    std::ranges::copy(wave.at(0), cvode_.states().begin());
    cvode_.start(reached_s);
    cvode_.stop_at(units.instants_s.back());
    for (std::size_t k = 1; k < units.instants_s.size(); ++k) {
      const Cvode::Reached reached = cvode_.advance(units.instants_s[k]);
      reached_s = reached.time_s;
      if (!reached.failure.empty()) return false;
      const std::span<const double> values = cvode_.states(), before = wave.at(k - 1);
      std::ranges::copy(values, wave.at(k).begin());
      for (std::size_t s = 0; s < wave.size; ++s) wave.mean(k - 1)[s] = 0.5 * (before[s] + values[s]);
    }
    return true;
  }

  void accept() override {}

  SolverStatistics statistics() const override { return cvode_.statistics(); }

 private:
  std::vector<double> tolerances(const CoreOptions& options) const {
    std::vector<double> tolerance = rates_.tolerances();
    for (double& of_state : tolerance)
      of_state = std::isinf(of_state) ? cvode_meter_tolerance : of_state * options.tolerance_ratio * share_of_step;
    return tolerance;
  }

  void fill_rates(std::span<const double> states, std::span<double> rates) override { rates_.evaluate(states, rates); }

  const Jacobian& assemble_jacobian() override {
    jacobian_.assemble(rates_.evaluation());
    return jacobian_;
  }

  CoreRates& rates_;
  Jacobian jacobian_;
  Cvode cvode_;
};

}  // namespace

std::unique_ptr<CoreIntegrator> make_cvode_core(CoreRates& rates, const CoreOptions& options) {
  return std::make_unique<CvodeCore>(rates, options);
}

}  // namespace wattloop::twin
