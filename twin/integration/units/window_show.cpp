#include "twin/integration/units/window_show.hpp"

#include <omp.h>

#include <algorithm>
#include <exception>

namespace wattloop::twin {

namespace {

constexpr double longest_unmetered_s = 20.0;

/// As many threads as find work in `count` instants.
int threads_for(std::size_t count, std::size_t most) {
  return static_cast<int>(std::clamp<std::size_t>(count, 1, most));
}

}  // namespace

WindowShow::WindowShow(const Plant& plant, const SeamLayout& seam) : plant_(plant), seam_(seam) {
  for (const std::size_t meter : plant.meters.boundaries)
    heat_meters_.push_back(
        static_cast<std::size_t>(std::ranges::find(seam.core_slots, meter) - seam.core_slots.begin()));
  for (int thread = 0; thread < std::max(omp_get_max_threads(), 1); ++thread) {
    stages_.push_back(
        {CoreRates(plant, seam), CoreRates(plant, seam), initial_state(plant), std::vector<double>(seam.loads.size())});
  }
}

void WindowShow::start_afresh(const PlantState& state) {
  for (Stage& stage : stages_) stage.shown = state;
}

void WindowShow::hold(const PlantState& state, std::span<const MovingInput> moving) {
  moving_ = moving;
  begin_s_ = state.time_s;
  for (Stage& stage : stages_) {
    stage.rates.hold(state);
    stage.mean.hold(state);
    stage.rates.move(moving, begin_s_);
    stage.mean.move(moving, begin_s_);
    for (const std::size_t input : seam_.inputs) stage.shown.inputs[input] = state.inputs[input];
    stage.shown.switches = state.switches;
    stage.shown.switching = state.switching;
    stage.shown.equipment = state.equipment;
    stage.shown.economisers = state.economisers;
    stage.shown.voltages = state.voltages;
    if (plant_.fabric && stage.shown.fabric != state.fabric) stage.shown.fabric = state.fabric;
    show_but_gpus(state.work, stage.shown.work);
  }
}

void WindowShow::read_signals(std::span<const std::size_t> instants, const CoreWave& wave, std::span<double> signals) {
  const std::size_t per_instant = seam_.signals.size();
#pragma omp parallel for schedule(static) num_threads(threads_for(instants.size(), stages_.size()))
  for (const std::size_t instant : instants) {
    CoreRates& rates = stages_[static_cast<std::size_t>(omp_get_thread_num())].rates;
    rates.signals_at(wave.at(instant), signals.subspan(instant * per_instant, per_instant));
  }
}

const PlantState& WindowShow::at(double time_s, std::span<const double> core) {
  PlantState& shown = stages_.front().shown;
  shown.time_s = time_s;
  for (const MovingInput& input : moving_) shown.inputs[input.input] = input.after(time_s - begin_s_);
  seam_.put_core(core, shown.states);
  return shown;
}

void WindowShow::show(const Window& window, const WindowGrid& grid, const CoreWave& wave, const UnitPass& units) {
  if (window.observer == nullptr) return;
  const std::size_t samples = window.instants_s.size();
  const double begin_s = units.energy().instants_s.front();
  std::exception_ptr failure;  // which must not leave the loop of the threads
#pragma omp parallel for ordered schedule(static, 1) num_threads(threads_for(samples, stages_.size()))
  for (std::size_t sample = 0; sample < samples; ++sample) {
    Stage& stage = stages_[static_cast<std::size_t>(omp_get_thread_num())];
    const std::size_t instant = sample + 1;
    const bool is_shown = instant < samples && grid.is_asked(instant);
    const double from_s = sample == 0 ? begin_s : window.instants_s[sample - 1];
    stage.mean.move_to(0.5 * (from_s + window.instants_s[sample]));
    set_sample(stage, sample, wave, units);
    units.show_shared_racks(sample, stage.shown);
    if (window.instants_s[sample] - from_s > longest_unmetered_s)
      set_metered_heat(stage, sample, window.instants_s[sample] - from_s, wave);
    stage.rates.move_to(window.instants_s[sample]);
    if (is_shown) set_instant(stage, instant, window, wave, units);
#pragma omp ordered
    try {
      if (!failure) {
        stage.shown.time_s = window.instants_s[sample];
        for (const MovingInput& input : moving_)
          stage.shown.inputs[input.input] = stage.mean.evaluation().inputs()[input.input];
        seam_.put_core(wave.mean(sample), stage.shown.states);
        window.observer->integrate(stage.shown, stage.mean.evaluation(), stage.shown.time_s - from_s);
        seam_.put_core(wave.at(instant), stage.shown.states);
        if (is_shown) window.observer->observe(stage.shown, stage.rates.evaluation());
      }
    } catch (...) {
      failure = std::current_exception();
    }
  }
  if (failure) std::rethrow_exception(failure);
}

void WindowShow::set_sample(Stage& stage, std::size_t sample, const CoreWave& wave, const UnitPass& units) {
  units.mean_loads_w(sample, stage.loads_w);
  stage.mean.show(wave.mean(sample), stage.loads_w);
  units.show_gpu_powers(sample, stage.mean.evaluation().racks);
}

void WindowShow::set_metered_heat(Stage& stage, std::size_t sample, double duration_s, const CoreWave& wave) const {
  for (std::size_t k = 0; k < heat_meters_.size(); ++k) {
    const std::size_t meter = heat_meters_[k], slot = plant_.meters.boundaries[k];
    const double counted_j = wave.at(sample + 1)[meter] - wave.at(sample)[meter];
    stage.mean.evaluation().sinks[slot] = counted_j / (duration_s * plant_.rate_per_sink[slot]);
  }
}

void WindowShow::set_instant(Stage& stage, std::size_t instant, const Window& window, const CoreWave& wave,
                             const UnitPass& units) {
  if (window.observer->looks_at_powers()) {
    stage.rates.show(wave.at(instant), units.loads_w(instant));
  } else {
    stage.rates.set_flows(wave.at(instant));
  }
  units.show_racks(instant, stage.rates.evaluation().racks);
  if (window.shows_units[instant - 1] != 0) set_units(stage, instant, units);
}

void WindowShow::set_units(Stage& stage, std::size_t instant, const UnitPass& units) {
  Evaluation& evaluation = stage.rates.evaluation();
  units.show(instant, stage.shown, evaluation.unit_power_w);
  for (const auto& group : plant_.groups) {
    const std::size_t first_input = group->first_load - plant_.map.input(0);
    for (std::size_t k = 0; k < group->count(); ++k) {
      evaluation.signals[group->first_load + k] = stage.shown.inputs[first_input + k];
    }
    for (std::size_t k = 0; k < group->count() * group->states().size(); ++k) {
      evaluation.signals[group->first_state + k] = stage.shown.states[group->first_state + k];
    }
  }
}

}  // namespace wattloop::twin
