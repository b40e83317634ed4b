// A step of units whose model is affine at given flows: both stages of the exponential step (twin/units/exponential_propagation.hpp)
// composed into one affine map, once for all units that these flows pass, and the sums over units that energy follows from:
//
//   y'    = A y + b load + c(inlets)
//   int q = a_q sum(y) + b_q sum(load) + n c_q(inlets)       q: heat to each port, power drawn
//
// The same numbers as the step itself gives, but for rounding. Verified in tests/verification/units/affine_step.cpp.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "core/numbers/lanes.hpp"
#include "core/parts/unit_model.hpp"
#include "twin/units/rack_digest.hpp"
#include "twin/units/shared_inlets.hpp"
#include "twin/units/step_matrices.hpp"
#include "twin/units/unit_lanes.hpp"
#include "twin/units/unit_propagation.hpp"

namespace wattloop::twin {

template <AffineUnitModel Model>
class AffineStep {
 public:
  static constexpr std::size_t state_count = Model::states.size();
  static constexpr std::size_t port_count = Model::ports.size();
  static constexpr std::size_t given_count = port_count + 1;
  using Ports = std::array<PortNow, port_count>;

  AffineStep() = default;

  /// For the flows of `begin` and `end`; their temperatures do not matter.
  AffineStep(const typename Model::Params& params, const StepMatrices<Model>& step, const Ports& begin,
             const Ports& end) {
    const ModelForms at_begin = forms_of(params, begin, at_begin_port);
    const StateForms predicted = predict(step, at_begin);
    const ModelForms after = substitute(forms_of(params, end, at_end_port), predicted);
    const StateForms end_state = correct(step, predicted, at_begin, after);
    for (std::size_t s = 0; s < state_count; ++s) keep(end_state[s], s);
    for (std::size_t q = 0; q < given_count; ++q) {
      Form energy_j{};
      add(0.5 * step.duration_s, at_begin.given_w[q], energy_j);
      add(0.5 * step.duration_s, after.given_w[q], energy_j);
      for (std::size_t s = 0; s < state_count; ++s) {
        add(step.energy_of_before[q][s], at_begin.rate[s], energy_j);
        add(step.energy_of_after[q][s], after.rate[s], energy_j);
      }
      keep(energy_j, first_energy + q);
    }
    keep(at_begin.given_w[port_count], begin_power);
  }

  /// Moves the units of stations, all of which have load.
  [[gnu::flatten]] void move(std::span<const UnitStep> stations) const noexcept {
    Matrix matrix;
    for (std::size_t s = 0; s < state_count; ++s) {
      for (std::size_t k = 0; k <= load_place; ++k) matrix.of[s][k] = same_lanes(factor(s, k));
    }
    for (const UnitStep& station : stations) move(matrix, station);
  }

  // Places of arguments of forms: states, load, inlet temperatures at the begin and at the end, and a constant.
  static constexpr std::size_t load_place = state_count;
  static constexpr std::size_t at_begin_port = state_count + 1, at_end_port = at_begin_port + port_count;
  static constexpr std::size_t constant_place = at_end_port + port_count;

  // Numbers of the forms that are kept: states at the end, energy given, power drawn at the begin.
  static constexpr std::size_t first_energy = state_count, begin_power = first_energy + given_count;
  static constexpr std::size_t form_count = begin_power + 1;

  /// What one argument counts for in one form.
  double factor(std::size_t form, std::size_t place) const noexcept { return factors_[place].of(form); }

 private:
  static constexpr std::size_t form_lanes = (form_count + lane_count - 1) / lane_count;

  /// An affine function: a factor for each argument.
  using Form = std::array<double, constant_place + 1>;
  using StateForms = std::array<Form, state_count>;

  struct ModelForms {
    StateForms rate{};
    std::array<Form, given_count> given_w{};
  };

  /// A number for each form that is kept.
  struct FormValues {
    Lanes lanes[form_lanes];
    double of(std::size_t form) const noexcept { return lanes[form / lane_count][form % lane_count]; }
  };

  /// Factors of states and load in the states at the end, eight times each.
  struct Matrix {
    Lanes of[state_count][load_place + 1];
  };

  [[gnu::always_inline]] void move(const Matrix& matrix, const UnitStep& station) const noexcept {
    const UnitColumns units = station.units;
    const double* load_w = station.sample.load_w.data();
    FormValues of_inlets;
    begin_forms(station.sample, of_inlets);
    Lanes end_constant[state_count];
    for (std::size_t s = 0; s < state_count; ++s) end_constant[s] = same_lanes(of_inlets.of(s));
    Lanes state_sum[state_count]{}, load_sum_w{};
    DieLanes first_state;
    visit_by_lanes(
        units.count, [&](std::size_t first, auto count) __attribute__((always_inline)) {
          Lanes before[state_count], after[state_count];
          const Lanes loads_w = read_lanes(load_w + first, count);
          add_lanes(loads_w, load_sum_w, count);
          for (std::size_t s = 0; s < state_count; ++s) {
            before[s] = read_lanes(units.first + s * units.stride + first, count);
            add_lanes(before[s], state_sum[s], count);
          }
          for (std::size_t s = 0; s < state_count; ++s) {
            after[s] = end_constant[s] + matrix.of[s][load_place] * loads_w;
            for (std::size_t j = 0; j < state_count; ++j) after[s] += matrix.of[s][j] * before[j];
            write_lanes(after[s], units.first + s * units.stride + first, count);
          }
          if (station.digest != nullptr) first_state.add(after[0], first, count);
          if (station.begin_power_w != nullptr) {
            Lanes power_w = of_inlets.of(begin_power) + factor(begin_power, load_place) * loads_w;
            for (std::size_t j = 0; j < state_count; ++j) power_w += factor(begin_power, j) * before[j];
            write_lanes(power_w, station.begin_power_w + first, count);
          }
        });
    if (station.digest != nullptr) *station.digest = first_state.digest();
    double sums[load_place + 1];
    for (std::size_t s = 0; s < state_count; ++s) sums[s] = sum_of(state_sum[s]);
    sums[load_place] = sum_of(load_sum_w);
    fill_yield(of_inlets, sums, static_cast<double>(units.count), *station.yield);
  }

  void keep(const Form& form, std::size_t number) {
    for (std::size_t k = 0; k < form.size(); ++k) factors_[k].lanes[number / lane_count][number % lane_count] = form[k];
  }

  static void add(double scale, const Form& from, Form& to) {
    for (std::size_t k = 0; k < to.size(); ++k) to[k] += scale * from[k];
  }

  /// Factors of one argument at `place`, from two points as far apart as one likes.
  template <class Rates>
  static void set_factors(const Rates& above, const Rates& below, double apart, std::size_t place, ModelForms& forms) {
    for (std::size_t s = 0; s < state_count; ++s) forms.rate[s][place] = (above.rate[s] - below.rate[s]) / apart;
    for (std::size_t p = 0; p < port_count; ++p) forms.given_w[p][place] = (above.heat_w[p] - below.heat_w[p]) / apart;
    forms.given_w[port_count][place] = (above.power_w - below.power_w) / apart;
  }

  /// The model at these flows; inlet temperatures stand from `first_inlet` on.
  static ModelForms forms_of(const typename Model::Params& params, const Ports& ports, std::size_t first_inlet) {
    constexpr double step = 64.0;  // kelvin or watts
    constexpr double load_w = 512.0, inlet_k = 300.0;
    const SharedInlets<Model> inlets(params, ports);
    UnitNow<state_count, port_count> now{};
    now.load_w = load_w;
    for (std::size_t s = 0; s < state_count; ++s) now.state[s] = Model::states[s].typical;
    for (std::size_t p = 0; p < port_count; ++p) {
      now.port[p] = ports[p];
      now.port[p].temperature_k = inlet_k;
    }
    ModelForms forms;
    const auto middle = inlets.rates(params, now);
    Form arguments{};  // where `middle` was taken
    const auto vary = [&](double& value, std::size_t place) {
      const double kept = value;
      arguments[place] = kept;
      value = kept + step;
      const auto above = inlets.rates(params, now);
      value = kept - step;
      set_factors(above, inlets.rates(params, now), 2.0 * step, place, forms);
      value = kept;
    };
    for (std::size_t s = 0; s < state_count; ++s) vary(now.state[s], s);
    vary(now.load_w, load_place);
    for (std::size_t p = 0; p < port_count; ++p) vary(now.port[p].temperature_k, first_inlet + p);
    const auto set_constant = [&](double value, Form& form) {
      form[constant_place] = value;
      for (std::size_t k = 0; k < constant_place; ++k) form[constant_place] -= form[k] * arguments[k];
    };
    for (std::size_t s = 0; s < state_count; ++s) set_constant(middle.rate[s], forms.rate[s]);
    for (std::size_t p = 0; p < port_count; ++p) set_constant(middle.heat_w[p], forms.given_w[p]);
    set_constant(middle.power_w, forms.given_w[port_count]);
    return forms;
  }

  /// a = y + h phi_1 f
  static StateForms predict(const StepMatrices<Model>& step, const ModelForms& at_begin) {
    StateForms predicted{};
    for (std::size_t s = 0; s < state_count; ++s) {
      predicted[s][s] = 1.0;
      for (std::size_t j = 0; j < state_count; ++j) add(step.first[s][j], at_begin.rate[j], predicted[s]);
    }
    return predicted;
  }

  /// y' = a + h phi_2 [f(a) - (I + h J phi_1) f(y)]
  static StateForms correct(const StepMatrices<Model>& step, const StateForms& predicted, const ModelForms& at_begin,
                            const ModelForms& after) {
    StateForms corrected = predicted;
    for (std::size_t s = 0; s < state_count; ++s) {
      for (std::size_t j = 0; j < state_count; ++j) {
        add(step.of_after[s][j], after.rate[j], corrected[s]);
        add(-step.of_before[s][j], at_begin.rate[j], corrected[s]);
      }
    }
    return corrected;
  }

  /// The model where states are what `states` says.
  static ModelForms substitute(const ModelForms& model, const StateForms& states) {
    ModelForms to = model;
    const auto replace = [&](const Form& from, Form& form) {
      for (std::size_t j = 0; j < state_count; ++j) form[j] = 0.0;
      for (std::size_t j = 0; j < state_count; ++j) add(from[j], states[j], form);
    };
    for (std::size_t s = 0; s < state_count; ++s) replace(model.rate[s], to.rate[s]);
    for (std::size_t q = 0; q < given_count; ++q) replace(model.given_w[q], to.given_w[q]);
    return to;
  }

  /// What of all forms does not depend on the unit.
  [[gnu::always_inline]] void begin_forms(const UnitSample& sample, FormValues& values) const noexcept {
    for (std::size_t l = 0; l < form_lanes; ++l) {
      values.lanes[l] = factors_[constant_place].lanes[l];
      for (std::size_t p = 0; p < port_count; ++p) {
        values.lanes[l] += factors_[at_begin_port + p].lanes[l] * sample.begin[p].temperature_k +
                           factors_[at_end_port + p].lanes[l] * sample.end[p].temperature_k;
      }
    }
  }

  /// Forms over all units, from the sums of their states and loads.
  [[gnu::always_inline]] void fill_yield(FormValues values, const double (&sums)[load_place + 1], double units,
                                         UnitYield& yield) const noexcept {
    for (std::size_t l = 0; l < form_lanes; ++l) {
      values.lanes[l] *= units;
      for (std::size_t k = 0; k <= load_place; ++k) values.lanes[l] += factors_[k].lanes[l] * sums[k];
    }
    for (std::size_t p = 0; p < port_count; ++p) yield.heat_j[p] = values.of(first_energy + p);
    yield.energy_j = values.of(first_energy + port_count);
    yield.begin_power_w = values.of(begin_power);
  }

  FormValues factors_[constant_place + 1]{};  ///< [argument]
};

}  // namespace wattloop::twin
