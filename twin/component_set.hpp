// The parts of the plant that are not units (links, exchangers, pumps, controllers): each kind is a pure function from a
// few signals to a few sinks, written once and run for all its copies. The same wiring gives rates and Jacobian entries.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "twin/jacobian_sink.hpp"

namespace wattloop::twin {

/// A component kind: `evaluate(params, inputs)` gives what it adds to its sinks. `scale[i]` is the size of a noticeable
/// change of input i, from which the step of the differences follows.
template <class C>
concept Component = requires(const typename C::Params& params, const std::array<double, C::scale.size()>& inputs) {
  { C::evaluate(params, inputs) } noexcept -> std::same_as<std::array<double, C::output_count>>;
};

class ComponentSet {
 public:
  virtual ~ComponentSet() = default;
  virtual void evaluate(std::span<const double> signals, std::span<double> sinks) const = 0;
  virtual void differentiate(std::span<const double> signals, JacobianSink& jacobian) const = 0;
};

template <Component C>
class ComponentSetOf final : public ComponentSet {
 public:
  static constexpr std::size_t input_count = C::scale.size();
  using Inputs = std::array<double, input_count>;
  using Outputs = std::array<double, C::output_count>;
  using Params = typename C::Params;

  struct Wired {
    Params params;
    std::array<std::size_t, input_count> signals;
    std::array<std::size_t, C::output_count> sinks;
  };

  void add(const Wired& component) { components_.push_back(component); }

  void evaluate(std::span<const double> signals, std::span<double> sinks) const override {
    for (const Wired& component : components_) {
      const Outputs outputs = C::evaluate(component.params, gather(component, signals));
      for (std::size_t k = 0; k < outputs.size(); ++k) sinks[component.sinks[k]] += outputs[k];
    }
  }

  void differentiate(std::span<const double> signals, JacobianSink& jacobian) const override {
    for (const Wired& component : components_) {
      Inputs inputs = gather(component, signals);
      for (std::size_t i = 0; i < input_count; ++i) {
        const double kept = inputs[i];
        const double step = C::scale[i] * relative_step_ratio;
        inputs[i] = kept + step;
        const Outputs above = C::evaluate(component.params, inputs);
        inputs[i] = kept - step;
        const Outputs below = C::evaluate(component.params, inputs);
        inputs[i] = kept;
        for (std::size_t k = 0; k < above.size(); ++k) {
          jacobian.add(component.sinks[k], component.signals[i], (above[k] - below[k]) / (2.0 * step));
        }
      }
    }
  }

 private:
  static constexpr double relative_step_ratio = 1e-3;

  static Inputs gather(const Wired& component, std::span<const double> signals) {
    Inputs inputs;
    for (std::size_t i = 0; i < input_count; ++i) inputs[i] = signals[component.signals[i]];
    return inputs;
  }

  std::vector<Wired> components_;
};

}  // namespace wattloop::twin
