// The reference integrator: every state of the plant in one CVODE system (BDF, modified Newton, KLU), restarted at every jump.
//
// CVODE: [hindmarsh2005]. Weights: relative tolerance times the value plus the tolerance that the layout gives a state,
// scaled down with the relative tolerance. Meters never decide a step: they are pure integrals of the others. Guards are
// roots of CVODE; one whose state is not above its level at a restart shows CVODE a constant. Instants that differ by rounding (0.111 s
// + 0.001 s and 0.112 s) are too close for CVODE: nothing moves between them.

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

#include <fmt/format.h>

#include "core/text/problem.hpp"
#include "twin/integration/core/fastest_states.hpp"
#include "twin/integration/core/integrator.hpp"
#include "twin/integration/core/integrator_cvode.hpp"
#include "twin/integration/core/jacobian.hpp"
#include "twin/plant/snapshot/evaluation.hpp"
#include "twin/units/runaway.hpp"

namespace wattloop::twin {

namespace {

class MonolithicIntegrator final : public Integrator, CvodeSystem {
 public:
  MonolithicIntegrator(const Plant& plant, const IntegratorOptions& options)
      : plant_(plant),
        evaluation_(plant),
        jacobian_(plant),
        is_awake_(plant.guards.size()),
        shown_(initial_state(plant)),
        half_way_(shown_),
        reported_rates_(plant.map.state_count),
        cvode_(*this, jacobian_,
               {.relative_tolerance_ratio = options.relative_tolerance_ratio,
                .tolerances = tolerances(options),
                .heights = plant.guards.size(),
                .orders_by_minimum_degree = true,
                .has_small_corrections = true}) {}

  std::string_view name() const override { return "monolithic"; }

  void restart(const PlantState& state) override {
    switches_ = &state.switches;
    std::copy(state.inputs.begin(), state.inputs.end(), evaluation_.inputs().begin());
    std::ranges::copy(state.states, cvode_.states().begin());
    for (std::size_t g = 0; g < plant_.guards.size(); ++g) {
      is_awake_[g] = state.states[plant_.guards[g].state] > plant_.guards[g].level;
    }
    cvode_.start(state.time_s);
    time_s_ = state.time_s;
  }

  void start_afresh(const PlantState& state) override {
    cvode_.forget();
    restart(state);
  }

  /// To the first instant of the window: nothing acts before it.
  double advance(PlantState& state, const Window& window) override {
    const double begin_s = state.time_s, end_s = window.instants_s.front();
    if (window.observer == nullptr) return go_to(end_s, state);
    shown_ = state;
    go_to(0.5 * (begin_s + end_s), state);
    half_way_ = state;
    if (!(state.time_s < 0.5 * (begin_s + end_s))) go_to(end_s, state);
    report(window, state);
    return state.time_s;
  }

  SolverStatistics statistics() const override { return cvode_.statistics(); }

 private:
  double go_to(double end_s, PlantState& state) {
    if (end_s - state.time_s < rounding_ratio * end_s) return pass_over(end_s, state);
    if (!cvode_.is_started() || time_s_ != state.time_s) restart(state);
    switches_ = &state.switches;
    const Cvode::Reached reached = cvode_.advance(end_s);
    std::ranges::copy(cvode_.states(), state.states.begin());
    if (!reached.failure.empty()) fail(reached.failure, reached.time_s, state);
    if (!are_units_within_bounds(state)) fail(runaway_text, reached.time_s, state);
    state.time_s = reached.has_fallen && reached.time_s < end_s ? reached.time_s : end_s;
    if (reached.has_fallen) {
      stop_at_levels(state);
      restart(state);
    }
    time_s_ = state.time_s;
    return state.time_s;
  }

  double pass_over(double end_s, PlantState& state) {
    if (time_s_ == state.time_s) time_s_ = end_s;
    return state.time_s = end_s;
  }

  /// The interval to `end` by Simpson's rule; by that of trapezia where a guard ended it early.
  void report(const Window& window, const PlantState& end) {
    const double first_s = half_way_.time_s - shown_.time_s, second_s = end.time_s - half_way_.time_s;
    const bool is_half_way = std::abs(first_s - second_s) < 1e-9 * (first_s + second_s);
    const double at_ends_ratio = is_half_way ? 1.0 / 3.0 : 0.5;  // of a part
    shown_.time_s = half_way_.time_s = end.time_s;
    window.observer->integrate(shown_, window.begin, at_ends_ratio * first_s);
    report_of(window, half_way_, (1.0 - at_ends_ratio) * (first_s + second_s));
    report_of(window, end, at_ends_ratio * second_s);
  }

  void report_of(const Window& window, const PlantState& state, double duration_s) {
    evaluate(plant_, state.switches, state.states, evaluation_, reported_rates_);
    note_gpu_power(plant_, evaluation_);
    window.observer->integrate(state, evaluation_, duration_s);
  }

  std::vector<double> tolerances(const IntegratorOptions& options) const {
    const double scale = options.relative_tolerance_ratio / reference_tolerance_ratio;
    std::vector<double> tolerance;
    for (std::size_t slot = 0; slot < plant_.map.state_count; ++slot) {
      const bool is_meter = plant_.layout.is_meter(slot);
      tolerance.push_back(is_meter ? cvode_meter_tolerance : plant_.layout.tolerance(slot) * scale);
    }
    return tolerance;
  }

  void fill_rates(std::span<const double> states, std::span<double> rates) override {
    evaluate(plant_, *switches_, states, evaluation_, rates);
  }

  const Jacobian& assemble_jacobian() override {
    jacobian_.assemble(evaluation_);
    return jacobian_;
  }

  void fill_heights(std::span<const double> states, std::span<double> heights) override {
    for (std::size_t g = 0; g < plant_.guards.size(); ++g) {
      const Guard& guard = plant_.guards[g];
      heights[g] = is_awake_[g] != 0 ? states[guard.state] - guard.level : 1.0;
    }
  }

  /// Puts the states whose guards CVODE found crossed at their levels: it stops just beyond.
  void stop_at_levels(PlantState& state) {
    const std::span<const int> fallen = cvode_.fallen();
    for (std::size_t g = 0; g < plant_.guards.size(); ++g) {
      if (fallen[g] != 0) state.states[plant_.guards[g].state] = plant_.guards[g].level;
    }
  }

  bool are_units_within_bounds(const PlantState& state) const {
    return std::all_of(plant_.groups.begin(), plant_.groups.end(), [&](const auto& group) {
      const auto first = state.states.begin() + static_cast<std::ptrdiff_t>(group->first_state);
      return std::all_of(first, first + static_cast<std::ptrdiff_t>(group->count() * group->states().size()),
                         [](double k) { return k > coldest_unit_k && k < hottest_unit_k; });
    });
  }

  [[noreturn]] void fail(std::string_view why, double time_s, const PlantState& state) {
    std::vector<double> rate(plant_.map.state_count);
    evaluate(plant_, state.switches, state.states, evaluation_, rate);
    throw SolverError(fmt::format("monolithic integrator gave up at {:.3f} s ({}); moving most: {}", time_s, why,
                                  fastest_states(plant_, state.states, rate)));
  }

  static constexpr double reference_tolerance_ratio = 1e-4;  ///< at which the layout's tolerances apply as they stand

  static constexpr double rounding_ratio = 1e-14;  ///< of a time: some units in its last place

  const Plant& plant_;
  Evaluation evaluation_;
  Jacobian jacobian_;
  const electrical::SwitchState* switches_ = nullptr;
  double time_s_ = 0.0;
  std::vector<std::uint8_t> is_awake_;  ///< [guard]
  PlantState shown_, half_way_;         ///< scratch: begin and middle of an interval that observers receive
  std::vector<double> reported_rates_;  ///< scratch
  Cvode cvode_;
};

}  // namespace

std::unique_ptr<Integrator> make_monolithic_integrator(const Plant& plant, const IntegratorOptions& options) {
  return std::make_unique<MonolithicIntegrator>(plant, options);
}

}  // namespace wattloop::twin
