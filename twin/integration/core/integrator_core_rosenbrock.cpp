// The core by ROS2 [verwer1999], linearly implicit, of order 2 for any J and L-stable for the true one:
//
//   (I - g h J) k1 = f(y)                      g = 1 - 1/sqrt(2)
//   (I - g h J) k2 = f(y + h k1) - 2 k1
//   y' = y + h (3/2 k1 + 1/2 k2)               error estimate: h/2 (k1 + k2), the distance to the step of order 1
//
// Steps are the window divided by a power of two, so that factors are kept for every size of step until J is renewed: J at
// the begin of a window when a fixed interval has gone by, a flow has moved, or steps fail. Units enter by their exact mean
// over each step. Energy: rows of nodes and meters in J balance in every column (twin/integration/core/jacobian.hpp), and a linear
// invariant of f and J is one of the method, whatever J is worth.
//
// Pumps and valves that move many flows enter through a mean speed or pressure z (Jacobian::with_drives): with w = g h C k the solution of
// (I - g h (J + B C)) k = r is that of the larger, emptier
//
//   [ I - g h J   -B ] [k]   [r]
//   [   -g h C     I ] [w] = [0]

#include <algorithm>
#include <array>
#include <cmath>

#include "core/numbers/sparse_factors.hpp"
#include "twin/integration/core/core_integrator.hpp"
#include "twin/integration/core/fitted_step.hpp"
#include "twin/integration/core/jacobian.hpp"

namespace wattloop::twin {

namespace {

constexpr int finest_level = 24;                  ///< window / 2^24
constexpr double refresh_interval_s = 3600.0;     ///< of J, at whole multiples
constexpr double refresh_flow_ratio = 0.1;        ///< change of a flow that makes J stale
constexpr int failures_of_stale_jacobian = 4;     ///< in a row; what jumps fails twice with any J
constexpr double smallest_flow_kg_per_s = 1e-3;   ///< flows are compared from here on
constexpr double coarsening_error = 0.4;          ///< below: twice the step has mostly an error below 1
constexpr double small_error = 0.05;              ///< below: so has one four times as long
constexpr double fitted_error_ratio = 1.0 / 3.0;  ///< of an estimate: order 1 is that far from what a fitted step is
constexpr double shortest_fitted_s = 2.0;         ///< window: in shorter ones nothing is won by factors of their own
constexpr int most_factors = 16;                  ///< sizes of step whose factors are kept

/// Factors follow from it, and are made again where they are needed first.
struct CarriedCore final : CarriedMemory {
  explicit CarriedCore(IntegratorMemory of) : memory(std::move(of)) {}
  IntegratorMemory memory;
};

class RosenbrockCore final : public CoreIntegrator {
 public:
  RosenbrockCore(CoreRates& rates, const CoreOptions& options)
      : rates_(rates),
        jacobian_(Jacobian::with_drives(rates.plant(), rates.seam().core_slots)),
        lu_(jacobian_.column_starts(), jacobian_.rows(), most_factors),
        tolerance_(rates.tolerances()),
        values_(jacobian_.values().size()),
        flows_of_jacobian_(rates.plant().map.flow_count) {
    for (double& tolerance : tolerance_) tolerance *= options.tolerance_ratio;
    for (std::vector<double>* vector : {&state_, &trial_, &rate_, &extended_}) vector->resize(rates.size());
    for (std::size_t k = 0; k < rates.size(); ++k) {
      const bool is_fed = std::ranges::find(rates.seam().sinks, rates.seam().core_slots[k]) != rates.seam().sinks.end();
      if (is_fed && std::isfinite(tolerance_[k])) fed_by_units_.push_back(k);
    }
    for (std::vector<double>* vector : {&k1_, &k2_}) vector->resize(static_cast<std::size_t>(jacobian_.size()));
  }

  std::string_view name() const override { return "rosenbrock"; }

  void restart(const PlantState& state) override {
    rates_.hold(state);
    ++statistics_.restarts;
  }

  void start_afresh(const PlantState& state) override { recall(state, {}); }

  /// Factors are those of J and a size of step alone, so that it makes no difference which are present.
  void pass_checkpoint(const PlantState& state) override { restart(state); }

  IntegratorMemory memory() const override {
    return {.jacobian = {jacobian_.values().begin(), jacobian_.values().end()},
            .flows_of_jacobian = flows_of_jacobian_,
            .jacobian_interval = accepted_interval_,
            .step_s = accepted_step_s_,
            .jump_step_s = jump_step_s_};
  }

  void recall(const PlantState& state, const IntegratorMemory& memory) override {
    accepted_interval_ = memory.jacobian_interval;
    accepted_step_s_ = memory.step_s;
    jump_step_s_ = memory.jump_step_s;
    if (!memory.jacobian.empty()) {
      jacobian_.recall(memory.jacobian);
      flows_of_jacobian_ = memory.flows_of_jacobian;
    }
    ++jacobian_number_;
    restart(state);
  }

  std::unique_ptr<CarriedMemory> carried() const override { return std::make_unique<CarriedCore>(memory()); }

  void carry_on(const CarriedMemory& memory, const PlantState& state) override {
    recall(state, dynamic_cast<const CarriedCore&>(memory).memory);
  }

  bool advance(const UnitEnergy& units, CoreWave& wave, double& reached_s) override {
    const double begin_s = units.instants_s.front();
    window_s_ = units.instants_s.back() - begin_s;
    std::copy(wave.at(0).begin(), wave.at(0).end(), state_.begin());
    begin_window(units);
    wave.step_ends_s.clear();
    wave.step_values.clear();
    std::size_t next_instant = 1;
    std::uint64_t position = 0;  // in steps of the level
    int failures_in_a_row = 0;
    bool has_jumped = is_cut_for_jump_;
    while (position < std::uint64_t{1} << level_) {
      const double steps = std::ldexp(1.0, level_);
      const double from_s = begin_s + window_s_ * (static_cast<double>(position) / steps);
      const double to_s = begin_s + window_s_ * (static_cast<double>(position + 1) / steps);
      const double error = try_step(units, from_s, to_s);
      reached_s = from_s;
      if (!(error <= 1.0)) {  // also where it is not a number
        ++statistics_.error_test_failures;
        if (level_ == finest_level) return false;
        const int finer = position == 0 && !has_jumped ? std::max(levels_beyond_jump_step(), 1) : 1;
        has_jumped = has_jumped || position == 0;
        level_ += finer;
        position <<= finer;
        if (++failures_in_a_row == failures_of_stale_jacobian) renew_jacobian(units, from_s);
        continue;
      }
      failures_in_a_row = 0;
      ++statistics_.steps;
      if (has_jumped && position == 0) jump_step_s_ = (error < coarsening_error ? 2.0 : 1.0) * (to_s - from_s);
      add_to_means(units, from_s, to_s, next_instant - 1, wave);
      fill_instants(units, from_s, to_s, next_instant, wave);
      std::swap(state_, trial_);
      ++position;
      for (const double most : {coarsening_error, small_error}) {
        if (!(error < most) || level_ == 0 || position % 2 != 0) break;
        --level_;
        position /= 2;
      }
      if (position == std::uint64_t{1} << level_) break;
      wave.step_ends_s.push_back(to_s);
      wave.step_values.insert(wave.step_values.end(), state_.begin(), state_.end());
    }
    reached_s = units.instants_s.back();
    return true;
  }

  void accept() override {
    accepted_step_s_ = std::ldexp(window_s_, -level_);
    accepted_interval_ = interval_;
  }

  SolverStatistics statistics() const override { return statistics_; }

 private:
  /// What the LU at a place is of: I - g h J.
  struct Factors {
    double step_s = 0.0;
    int jacobian = 0;  ///< number of the J that they belong to
    bool is_fitted = false;
    std::vector<FittedStep> fits = {};  ///< [fed by units]
  };

  /// How much finer the first step after a jump is: as fine as the one that held after the last jump. Jumps are alike, and how
  /// stiff they are is known by trial alone: the error of a step that is too long for them hardly follows its size.
  int levels_beyond_jump_step() const {
    int finer = 0;
    while (jump_step_s_ > 0.0 && level_ + finer < finest_level &&
           std::ldexp(window_s_, -level_ - finer) > jump_step_s_ * (1.0 + 1e-9))
      ++finer;
    return finer;
  }

  void begin_window(const UnitEnergy& units) {
    const double begin_s = units.instants_s.front();
    interval_ = std::floor(begin_s / refresh_interval_s + 1e-9);
    if (interval_ != accepted_interval_) {
      renew_jacobian(units, begin_s);
    } else {
      rates_.set_flows(state_);
      if (have_flows_moved()) renew_jacobian(units, begin_s);
    }
    level_ = 0;
    const double requested_s = accepted_step_s_ > 0.0 ? accepted_step_s_ : window_s_;
    while (level_ < finest_level && std::ldexp(window_s_, -level_) > requested_s * (1.0 + 1e-9)) ++level_;
    is_fitted_ = units.asks_once && window_s_ > shortest_fitted_s;
    is_cut_for_jump_ = units.begins_with_jump && levels_beyond_jump_step() > 0;
    if (is_cut_for_jump_) level_ += levels_beyond_jump_step();
  }

  void renew_jacobian(const UnitEnergy& units, double from_s) {
    rates_.take_units(units, from_s, units.instants_s.back());
    rates_.evaluate(state_, rate_);
    ++statistics_.rate_evaluations;
    take_jacobian();
  }

  /// J at the last evaluation.
  void take_jacobian() {
    jacobian_.assemble(rates_.evaluation());
    const SignalMap& map = rates_.plant().map;
    for (std::size_t f = 0; f < map.flow_count; ++f) {
      flows_of_jacobian_[f] = rates_.evaluation().signals[map.flow(f)];
    }
    ++jacobian_number_;
    ++statistics_.jacobian_evaluations;
  }

  bool have_flows_moved() const {
    const SignalMap& map = rates_.plant().map;
    for (std::size_t f = 0; f < map.flow_count; ++f) {
      const double then = flows_of_jacobian_[f], now = rates_.evaluation().signals[map.flow(f)];
      if (std::abs(now - then) > refresh_flow_ratio * std::max(std::abs(then), smallest_flow_kg_per_s)) return true;
    }
    return false;
  }

  /// The factors for this step; null where the matrix is singular.
  const Factors* factors(double step_s) {
    const auto is_alike = [&](const Factors& kept) { return kept.step_s == step_s && kept.is_fitted == is_fitted_; };
    for (const Factors& kept : factors_) {
      if (is_alike(kept) && kept.jacobian == jacobian_number_ && lu_.has(place_of(kept))) return &kept;
    }
    auto oldest = std::ranges::find_if(factors_, is_alike);
    if (oldest == factors_.end()) {
      oldest = factors_.begin() + static_cast<std::ptrdiff_t>(next_factors_);
      next_factors_ = (next_factors_ + 1) % factors_.size();
    }
    oldest->step_s = step_s;
    oldest->jacobian = jacobian_number_;
    oldest->is_fitted = is_fitted_;
    fill_matrix(*oldest);
    ++statistics_.factorisations;
    if (lu_.factor(values_, place_of(*oldest)))
      return &*oldest;  // pivots of another J would be a past to be remembered
    oldest->jacobian = 0;
    return nullptr;
  }

  std::size_t place_of(const Factors& kept) const { return static_cast<std::size_t>(&kept - factors_.data()); }

  /// The matrix of a step, with its columns for drives, from J.
  void fill_matrix(Factors& of) {
    const double scale = -ros2_gamma * of.step_s;
    const std::span<const double> values = jacobian_.values();
    const auto of_states = static_cast<std::size_t>(jacobian_.column_starts()[state_.size()]);
    for (std::size_t k = 0; k < of_states; ++k) values_[k] = scale * values[k];
    for (std::size_t k = of_states; k < values.size(); ++k) values_[k] = -values[k];
    of.fits.clear();
    if (of.is_fitted) fit_columns(of);
    for (std::int64_t column = 0; column < jacobian_.size(); ++column) {
      values_[static_cast<std::size_t>(jacobian_.diagonal(column))] += 1.0;
    }
  }

  void fit_columns(Factors& of) {
    for (const std::size_t state : fed_by_units_) {
      const auto diagonal = static_cast<std::size_t>(jacobian_.diagonal(static_cast<std::int64_t>(state)));
      const FittedStep& fit = of.fits.emplace_back(-of.step_s * jacobian_.values()[diagonal]);
      const std::span<const std::int64_t> starts = jacobian_.column_starts();
      for (auto k = static_cast<std::size_t>(starts[state]); k < static_cast<std::size_t>(starts[state + 1]); ++k)
        values_[k] *= fit.scale();
    }
  }

  /// Rates of states in the part of `k` that is theirs; nothing in that of drives.
  void evaluate(std::span<const double> state, std::vector<double>& k) {
    rates_.evaluate(state, std::span(k).first(state_.size()));
    std::fill(k.begin() + static_cast<std::ptrdiff_t>(state_.size()), k.end(), 0.0);
    ++statistics_.rate_evaluations;
  }

  /// One step from state_ to trial_; its error over the tolerance, or not a number.
  double try_step(const UnitEnergy& units, double from_s, double to_s) {
    const double h = std::ldexp(window_s_, -level_);
    of_step_ = factors(h);
    if (of_step_ == nullptr) return std::nan("");
    const std::size_t place = place_of(*of_step_);
    rates_.take_units(units, from_s, to_s);
    evaluate(state_, k1_);
    lu_.solve(k1_, place);
    for (std::size_t k = 0; k < state_.size(); ++k) trial_[k] = state_[k] + h * k1_[k];
    evaluate(trial_, k2_);
    for (std::size_t k = 0; k < state_.size(); ++k) k2_[k] -= 2.0 * k1_[k];
    lu_.solve(k2_, place);
    for (std::size_t k = 0; k < state_.size(); ++k) {
      trial_[k] = state_[k] + h * (1.5 * k1_[k] + 0.5 * k2_[k]);
      rate_[k] = k1_[k] + k2_[k];
    }
    for (std::size_t j = 0; j < of_step_->fits.size(); ++j) {
      const std::size_t k = fed_by_units_[j];
      rate_[k] = of_step_->fits[j].carry() * k1_[k] + k2_[k];
    }
    double error = 0.0;
    for (std::size_t k = 0; k < state_.size(); ++k) {
      const double estimate = std::abs(0.5 * h * rate_[k]) / tolerance_[k];
      if (!(estimate <= error)) error = estimate;  // also takes over what is not a number
    }
    return is_fitted_ ? fitted_error_ratio * error : error;
  }

  /// States within the last step, or their means over a part of it: `weights` of a fit has which.
  template <class Weights>
  void extend(double h, Weights weights, std::span<double> to) const {
    const StepWeights plain = weights(FittedStep{});
    const double first = h * (plain.of_first + plain.of_rest), second = h * plain.of_rest;
    for (std::size_t k = 0; k < to.size(); ++k) to[k] = state_[k] + first * k1_[k] + second * k2_[k];
    for (std::size_t j = 0; j < of_step_->fits.size(); ++j) {
      const std::size_t k = fed_by_units_[j];
      const StepWeights of = weights(of_step_->fits[j]);
      to[k] = state_[k] + h * (of.of_first * k1_[k] + of.of_rest * rate_[k]);
    }
  }

  /// Adds the step to the means of the samples that it touches, from `sample` on.
  void add_to_means(const UnitEnergy& units, double from_s, double to_s, std::size_t sample, CoreWave& wave) {
    const double h = to_s - from_s;
    for (; sample + 1 < units.instants_s.size() && units.instants_s[sample] < to_s; ++sample) {
      const double begin_s = units.instants_s[sample], end_s = units.instants_s[sample + 1];
      const double from = std::max((begin_s - from_s) / h, 0.0), to = std::min((end_s - from_s) / h, 1.0);
      const double share = (to - from) * h / (end_s - begin_s);
      extend(
          h, [&](const FittedStep& fit) { return fit.mean(from, to); }, extended_);
      const std::span<double> mean = wave.mean(sample);
      const bool is_new = begin_s >= from_s - 1e-9 * h;
      for (std::size_t k = 0; k < mean.size(); ++k) mean[k] = (is_new ? 0.0 : mean[k]) + share * extended_[k];
    }
  }

  /// Instants within the step, by its continuous extension of order 2 (for the true J).
  void fill_instants(const UnitEnergy& units, double from_s, double to_s, std::size_t& next, CoreWave& wave) const {
    const double h = to_s - from_s;
    for (; next < units.instants_s.size() && units.instants_s[next] <= to_s + 1e-9 * h; ++next) {
      const double progress = std::min((units.instants_s[next] - from_s) / h, 1.0);
      const std::span<double> to = wave.at(next);
      if (progress > 1.0 - 1e-9) {
        std::copy(trial_.begin(), trial_.end(), to.begin());
      } else {
        extend(
            h, [&](const FittedStep& fit) { return fit.at(progress); }, to);
      }
    }
  }

  CoreRates& rates_;
  Jacobian jacobian_;
  SparseFactors lu_;
  std::vector<double> tolerance_;
  std::vector<std::size_t> fed_by_units_;     ///< core states that relax by themselves
  std::vector<double> state_, trial_, rate_;  ///< [state]; of a step, `rate_` is the rest that its error follows from
  std::vector<double> extended_;              ///< [state] scratch
  std::vector<double> k1_, k2_;               ///< [state, then drive]
  std::vector<double> values_;
  std::vector<double> flows_of_jacobian_;
  std::array<Factors, most_factors> factors_;  ///< [place in lu_]
  std::size_t next_factors_ = 0;
  const Factors* of_step_ = nullptr;  ///< of the last step
  bool is_fitted_ = false;            ///< steps of the window
  int jacobian_number_ = 0;
  int level_ = 0;
  double window_s_ = 0.0;
  double accepted_step_s_ = 0.0, jump_step_s_ = 0.0;
  bool is_cut_for_jump_ = false;                       ///< the first step of the window, which begins with a jump
  double interval_ = -1.0, accepted_interval_ = -1.0;  ///< of the clock, for J
  SolverStatistics statistics_;
};

}  // namespace

std::unique_ptr<CoreIntegrator> make_rosenbrock_core(CoreRates& rates, const CoreOptions& options) {
  return std::make_unique<RosenbrockCore>(rates, options);
}

}  // namespace wattloop::twin
