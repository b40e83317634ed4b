// Two rates, one model: units rack by rack in exponential steps of one sample (twin/integration/units/unit_pass.hpp), the core in steps of
// seconds (twin/integration/core/core_integrator.hpp), joined over windows of 5 s, of 20 s while nothing but work and firmware
// acts, up to the next thing that would act where these have nothing to do either (docs/step_contract.md):
//
//   1. predict the inlets of all stations: values at the begin plus their slope, flows too
//   2. run the units with these inlets
//   3. run the core with the energies that units gave, by their exact mean over each of its steps
//   4. where inlets computed are off those given by more than a limit, run these racks again with them, then the core
//   5. where a guard or a shutdown ends the window early, all of it again up to there
//
// What units give and what the core gets is one number, so that no energy is lost between them. Everything that jumps,
// jumps between windows, but for work and firmware, which act in each rack alone.
// Verified in tests/verification/integration/multirate.cpp against the monolithic integrator.

#include <algorithm>
#include <cmath>
#include <utility>

#include "twin/actions/weather/timeline.hpp"
#include "twin/integration/core/fastest_states.hpp"
#include "twin/integration/core/integrator.hpp"
#include "twin/integration/units/suspect_items.hpp"
#include "twin/integration/units/unit_pass.hpp"
#include "twin/integration/units/window_grid.hpp"
#include "twin/integration/units/window_show.hpp"
#include "twin/units/runaway.hpp"

namespace wattloop::twin {

namespace {

constexpr double slope_step_s = 1e-3;            ///< over which flows are differenced along the rates
constexpr double guard_tolerance = 1e-9;         ///< of a state at the level of its guard, in its unit
constexpr double fast_flow_per_s = 0.02;         ///< relative change of a flow from which on samples are divided
constexpr double smallest_flow_kg_per_s = 1e-2;  ///< flows are compared from here on
constexpr std::size_t few_instants = 4;          ///< interval between those looked at first: inlets move slowly
constexpr double rounding_ratio = 1e-13;
constexpr double look_ahead_s = 1.0;
constexpr double fast_sample_s = 0.25;
constexpr double longest_tangent_s = 60.0;  ///< inlets are predicted to stand still from there on
constexpr int most_cuts = 8;                ///< of one window

struct GuardInCore {
  std::size_t slot = 0;  ///< of its state
  std::size_t core = 0;  ///< the same among core states
  double level = 0.0;
  bool is_awake = false;
};

std::vector<GuardInCore> guards_in_core(const Plant& plant, std::span<const std::size_t> core_slots) {
  std::vector<GuardInCore> guards;
  for (const Guard& guard : plant.guards) {
    const auto at = std::ranges::find(core_slots, guard.state);
    guards.push_back({guard.state, static_cast<std::size_t>(at - core_slots.begin()), guard.level, false});
  }
  return guards;
}

struct CarriedMultirate final : CarriedMemory {
  std::unique_ptr<CarriedMemory> core;
  PlantState shown;
  std::vector<bool> guards_awake;
};

class MultirateIntegrator final : public Integrator {
 public:
  MultirateIntegrator(const Plant& plant, const MultirateOptions& options)
      : plant_(plant),
        options_(options),
        seam_(plant),
        rates_(plant, seam_),
        units_(plant, seam_),
        used_(plant, seam_),
        computed_(plant, seam_),
        show_(plant, seam_),
        begin_signals_(seam_.signals.size()),
        slopes_(seam_.signals.size()),
        signals_(seam_.signals.size()),
        ahead_flows_(plant.map.flow_count),
        core_rates_(rates_.size()),
        is_requested_(units_.item_count()),
        suspects_(plant, seam_, units_),
        racks_(plant.it.racks.size()),
        guards_(guards_in_core(plant, seam_.core_slots)) {
    const CoreOptions core{.tolerance_ratio = options.core_tolerance_ratio};
    core_ = options.core == MultirateOptions::Core::cvode ? make_cvode_core(rates_, core)
                                                          : make_rosenbrock_core(rates_, core);
    wave_.size = rates_.size();
  }

  std::string_view name() const override { return "multirate"; }
  double largest_window_s() const override { return options_.window_s; }
  double largest_calm_window_s() const override { return std::max(options_.window_s, options_.calm_window_s); }
  double longest_window_s() const override { return options_.longest_window_s; }
  void restart(const PlantState& state) override {
    core_->restart(state);
    wake_guards(state);
  }

  void pass_checkpoint(const PlantState& state) override {
    core_->pass_checkpoint(state);
    begin_at(state);
  }
  IntegratorMemory memory() const override { return core_->memory(); }
  void recall(const PlantState& state, const IntegratorMemory& memory) override {
    core_->recall(state, memory);
    begin_at(state);
  }

  void start_afresh(const PlantState& state) override {
    core_->start_afresh(state);
    begin_at(state);
  }

  double advance(PlantState& state, const Window& whole) override {
    rates_.hold(state);
    take_slopes(state, whole);
    rates_.move(whole.moving, state.time_s);
    if (are_flows_moving(whole)) {
      if (whole.watch != nullptr && whole.watch->skips_seconds()) return state.time_s;
      grid_.fill(state.time_s, part_until(next_multiple_s(state.time_s, options_.window_s), whole), fast_sample_s);
    } else {
      grid_.fill(state.time_s, whole, options_.longest_window_s);
    }
    show_.hold(state, whole.moving);
    Window window = whole;
    window.shows_units = grid_.shows_units();
    for (int cut = 0;; ++cut) {
      window.instants_s = grid_.instants_s();
      run_passes(state, window);
      const double end_s = std::min(end_of_window(state.time_s, window), first_act_s(window));
      if (end_s >= grid_.end_s() || cut == most_cuts) break;
      grid_.cut(end_s);
      units_.restore(state);
    }
    if (!does_hold(state, window)) return state.time_s;
    accept(state, window, whole.instants_s.front());
    return state.time_s;
  }

  std::unique_ptr<CarriedMemory> carried() const override {
    auto memory = std::make_unique<CarriedMultirate>();
    memory->core = core_->carried();
    if (!memory->core) return nullptr;
    memory->shown = show_.carried();
    for (const GuardInCore& guard : guards_) memory->guards_awake.push_back(guard.is_awake);
    return memory;
  }

  void carry_on(const CarriedMemory& memory, const PlantState& state) override {
    const auto& from = dynamic_cast<const CarriedMultirate&>(memory);
    core_->carry_on(*from.core, state);
    show_.carry_on(from.shown);
    for (std::size_t g = 0; g < guards_.size(); ++g) guards_[g].is_awake = from.guards_awake[g];
  }

  SolverStatistics statistics() const override {
    SolverStatistics sum = core_->statistics();
    sum.windows = windows_;
    sum.racks_again = racks_again_;
    return sum;
  }

 private:
  void begin_at(const PlantState& state) {
    show_.start_afresh(state);
    wake_guards(state);
  }
  void wake_guards(const PlantState& state) {
    for (GuardInCore& guard : guards_) guard.is_awake = state.states[guard.slot] > guard.level;
  }

  void run_passes(PlantState& state, const Window& window) {
    const std::size_t instants = window.instants_s.size() + 1;
    wave_.resize(window.instants_s.size());
    computed_signals_.resize(instants * signals_.size());
    seam_.take_core(state.states, wave_.at(0));
    predict(state, window);
    units_.begin(state, window);
    rates_.losses().take_other_loads(window.begin, units_.energy());
    std::fill(is_requested_.begin(), is_requested_.end(), 1);
    for (int pass = 1;; ++pass) {
      if (!units_.run(state, window, used_, is_requested_)) {
        std::ranges::fill(slopes_, 0.0);  // tangents of what settles at once throw fast units off: inlets held instead
        if (pass > 1 || !units_.run(state, window, used_, is_requested_)) fail_units(state, window);
      }
      rates_.losses().take_samples(units_.energy());
      double reached_s = state.time_s;
      if (!core_->advance(units_.energy(), wave_, reached_s)) fail_core(state, reached_s);
      if (pass == options_.most_passes) return;
      if (pass == 1) {
        if (!mark_suspects(few_instants) || !mark_suspects(1)) return;
      } else {  // given are tangents here and what was computed before there
        read_signals(1);
        std::fill(is_requested_.begin(), is_requested_.end(), 1);
      }
      if (!mark_mispredicted(state, window)) return;
    }
  }

  /// The end of the window, or earlier: where a guard's state falls through its level, or where firmware shuts down a node
  /// or a job changes its clock, which more than one rack takes notice of.
  double end_of_window(double begin_s, const Window& window) const {
    double end_s = std::min(window.instants_s.back(), units_.first_act_s());
    for (const GuardInCore& guard : guards_) {
      if (!guard.is_awake) continue;
      double before_s = begin_s, before = wave_.at(0)[guard.core];
      for (std::size_t instant = 1; instant <= window.instants_s.size(); ++instant) {
        const double now_s = window.instants_s[instant - 1], now = wave_.at(instant)[guard.core];
        if (now < guard.level - guard_tolerance) {
          end_s = std::min(end_s, before_s + (now_s - before_s) * (before - guard.level) / (before - now));
          break;
        }
        before_s = now_s;
        before = now;
      }
    }
    return end_s;
  }

  /// The first instant within the window at which something would act that acts between windows.
  double first_act_s(const Window& window) {
    for (std::size_t instant = 1; window.watch != nullptr && instant < window.instants_s.size(); ++instant) {
      const double time_s = window.instants_s[instant - 1];
      if (!grid_.is_asked(instant) || !window.watch->looks_at(time_s)) continue;
      if (window.watch->would_act(show_.at(time_s, wave_.at(instant)))) return time_s;
    }
    return window.instants_s.back();
  }

  /// What units read if all states of the core went on at their rates for a while.
  void look_ahead(const PlantState& state, const Window& window, double ahead_s, std::span<double> signals) {
    for (std::size_t k = 0; k < wave_.size; ++k) {
      const std::size_t slot = seam_.core_slots[k];
      core_rates_[k] = state.states[slot] + ahead_s * window.begin_rates[slot];
    }
    rates_.signals_at(core_rates_, signals);
  }

  /// Whether any flow will change fast: also those behind check valves, which a pump that starts has yet to open.
  bool are_flows_moving(const Window& window) const {
    for (std::size_t f = 0; f < plant_.map.flow_count; ++f) {
      const double now = window.begin.signals[plant_.map.flow(f)], then = ahead_flows_[f];
      if (std::abs(then - now) > fast_flow_per_s * look_ahead_s * std::max(std::abs(now), smallest_flow_kg_per_s))
        return true;
    }
    return false;
  }

  /// What units read now, and where it goes.
  void take_slopes(const PlantState& state, const Window& window) {
    look_ahead(state, window, look_ahead_s, signals_);
    rates_.set_flows(core_rates_);
    for (std::size_t f = 0; f < ahead_flows_.size(); ++f)
      ahead_flows_[f] = rates_.evaluation().signals[plant_.map.flow(f)];
    look_ahead(state, window, slope_step_s, slopes_);
    for (std::size_t k = 0; k < signals_.size(); ++k) {
      begin_signals_[k] = window.begin.signals[seam_.signals[k]];
      const double change = slopes_[k] - begin_signals_[k];
      const bool stands_still = std::abs(change) <= rounding_ratio * std::abs(begin_signals_[k]);
      slopes_[k] = stands_still ? 0.0 : change / slope_step_s;
    }
  }

  /// Tangents to all instants, as far as they are worth anything.
  void predict(const PlantState& state, const Window& window) {
    after_s_.assign(1, 0.0);
    for (const double instant_s : window.instants_s)
      after_s_.push_back(std::min(instant_s - state.time_s, longest_tangent_s));
    used_.set_linear(after_s_, begin_signals_, slopes_);
  }

  std::span<double> computed_at(std::size_t instant) {
    return std::span(computed_signals_).subspan(instant * signals_.size(), signals_.size());
  }

  /// Signals as the core gives them, at the end and every so many instants before it.
  void read_signals(std::size_t interval) {
    read_.clear();
    for (std::size_t instant = after_s_.size() - 1;; instant -= interval) {
      read_.push_back(instant);
      if (instant <= interval) break;
    }
    show_.read_signals(read_, wave_, computed_signals_);
  }

  /// Marks items that need a closer look, by the same instants; mostly there are none.
  bool mark_suspects(std::size_t interval) {
    read_signals(interval);
    std::fill(is_requested_.begin(), is_requested_.end(), 0);
    for (const std::size_t instant : read_) {
      const SignalTangent predicted{begin_signals_, slopes_, after_s_[instant]};
      suspects_.mark(predicted, computed_at(instant), options_.largest_mismatch_k, is_requested_);
    }
    return std::ranges::find(is_requested_, 1) != is_requested_.end();
  }

  /// Of the items marked, leaves those marked whose inlets were off, and gives them those computed. False if there are none.
  bool mark_mispredicted(PlantState& state, const Window& window) {
    bool any = false;
    for (std::size_t item = 0; item < is_requested_.size(); ++item) {
      if (is_requested_[item] == 0) continue;
      for (const std::size_t station : units_.stations_of(item)) {
        for (std::size_t instant = 1; instant <= window.instants_s.size(); ++instant) {
          computed_.set(instant, station, computed_at(instant));
        }
      }
      is_requested_[item] = units_.mismatch_k(state, item, used_, computed_) > options_.largest_mismatch_k ? 1 : 0;
      if (is_requested_[item] == 0) continue;
      any = true;
      ++racks_again_;
      for (const std::size_t station : units_.stations_of(item)) used_.copy(computed_, station);
    }
    return any;
  }

  /// Whether no one would have done anything at the seconds that were left out, as far as the steps of the core and samples report.
  bool stays_calm(const Window& window) {
    if (!window.watch->skips_seconds()) return true;
    for (std::size_t instant = 1; instant < window.instants_s.size(); ++instant) {
      units_.show_racks(instant, racks_);
      if (!window.watch->is_far(racks_)) return false;
    }
    for (std::size_t step = 0; step < wave_.step_ends_s.size(); ++step) {
      if (window.watch->would_act(show_.at(wave_.step_ends_s[step], wave_.at_step_end(step)))) return false;
    }
    return true;
  }

  /// Whether the window may be kept; if not, `state` is that of its begin again.
  bool does_hold(PlantState& state, const Window& window) {
    if (window.watch == nullptr) return true;
    const double begin_s = std::exchange(state.time_s, window.instants_s.back());
    seam_.put_core(wave_.at(window.instants_s.size()), state.states);
    if (!units_.has_any_left_clock(state, window) && stays_calm(window) && window.watch->holds(state)) {
      state.time_s = begin_s;
      return true;
    }
    units_.restore(state);
    seam_.put_core(wave_.at(0), state.states);
    state.time_s = begin_s;
    return false;
  }

  void accept(PlantState& state, const Window& window, double counted_from_s) {
    ++windows_;
    core_->accept();
    show_.show(window, grid_, wave_, units_);
    seam_.put_core(wave_.at(window.instants_s.size()), state.states);
    for (GuardInCore& guard : guards_) {
      double& value = state.states[guard.slot];
      if (!guard.is_awake || value > guard.level + guard_tolerance) continue;
      value = guard.level;
      guard.is_awake = false;
    }
    units_.finish(state, window, counted_from_s);
    state.time_s = window.instants_s.back();
  }

  [[noreturn]] void fail_units(PlantState& state, const Window& window) {
    const bool is_number = std::ranges::all_of(state.states, [](double y) { return std::isfinite(y); });
    if (!is_number) units_.restore(state);
    give_up(plant_, state, is_number ? window.instants_s.back() : state.time_s, runaway_text);
  }

  [[noreturn]] void fail_core(PlantState& state, double reached_s) {
    units_.restore(state);
    give_up(plant_, state, reached_s, "no step of the cooling and power system is small enough");
  }

  const Plant& plant_;
  const MultirateOptions options_;
  const SeamLayout seam_;
  CoreRates rates_;
  std::unique_ptr<CoreIntegrator> core_;
  UnitPass units_;
  InletWave used_, computed_;
  CoreWave wave_;
  WindowShow show_;
  std::vector<double> begin_signals_, slopes_, signals_;  ///< [seam signal]
  std::vector<double> ahead_flows_;                       ///< [flow] after a look ahead
  std::vector<double> core_rates_;                        ///< [core state] scratch
  std::vector<std::uint8_t> is_requested_;                ///< [item] to be run
  SuspectItems suspects_;
  std::vector<double> computed_signals_;  ///< [instant][seam signal]
  std::vector<double> after_s_;           ///< [instant] since the begin
  std::vector<std::size_t> read_;         ///< instants at which signals were read last
  std::vector<RackDigest> racks_;         ///< scratch
  std::vector<GuardInCore> guards_;
  WindowGrid grid_;  ///< of the window, as far as it goes
  std::int64_t windows_ = 0, racks_again_ = 0;
};

}  // namespace

std::unique_ptr<Integrator> make_multirate_integrator(const Plant& plant, const MultirateOptions& options) {
  return std::make_unique<MultirateIntegrator>(plant, options);
}

}  // namespace wattloop::twin
