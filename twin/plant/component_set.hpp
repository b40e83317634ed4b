// The parts of the plant that are not units (links, exchangers, pumps, controllers): each kind is a pure function from a
// few signals to a few sinks, written once and run for all its copies. The same wiring gives rates and Jacobian entries.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "twin/units/jacobian_sink.hpp"

namespace wattloop::twin {

/// A component kind: `evaluate(params, inputs)` gives what it adds to its sinks. `scale[i]` is the size of a noticeable
/// change of input i, from which the step of the differences follows.
template <class C>
concept Component = requires(const typename C::Params& params, const std::array<double, C::scale.size()>& inputs) {
  { C::evaluate(params, inputs) }
  noexcept->std::same_as<std::array<double, C::output_count>>;
};

/// A kind with an expensive part, `coefficient(params, inputs)`, that follows from a few of its inputs alone, those listed in
/// `coefficient_inputs`: flows, which mostly stand still.
template <class C>
concept HasCoefficient = Component<C> &&
    requires(const typename C::Params& params, const std::array<double, C::scale.size()>& inputs) {
  C::coefficient_inputs.size();
  { C::coefficient(params, inputs) }
  noexcept->std::same_as<double>;
  { C::evaluate(params, inputs, 0.0) }
  noexcept->std::same_as<std::array<double, C::output_count>>;
};

/// A kind that costs enough, and whose copies often see the same: one that reads what the one before it read, to the bit, takes
/// over what that gave.
template <class C>
concept OftenAlike = Component<C> && C::is_often_alike;

class ComponentSet {
 public:
  virtual ~ComponentSet() = default;

  /// What a set remembers from one evaluation to the next, as numbers. It saves time and changes no result.
  virtual std::vector<double> make_memory() const = 0;
  virtual void evaluate(std::span<const double> signals, std::span<double> sinks, std::span<double> memory) const = 0;
  virtual void differentiate(std::span<const double> signals, JacobianSink& jacobian) const = 0;

  /// Whether any component adds to a sink that is marked in `is_wanted` [sink].
  virtual bool feeds_any(std::span<const std::uint8_t> is_wanted) const = 0;
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

  void add(const Wired& component) {
    Placed placed{.kind = number_of(component.params), .signals = {}, .sinks = {}};
    for (std::size_t i = 0; i < input_count; ++i) placed.signals[i] = static_cast<std::uint32_t>(component.signals[i]);
    for (std::size_t k = 0; k < C::output_count; ++k) placed.sinks[k] = static_cast<std::uint32_t>(component.sinks[k]);
    components_.push_back(placed);
  }

  std::vector<double> make_memory() const override {
    if constexpr (HasCoefficient<C>) return std::vector(components_.size() * remembered_count(), nothing_yet);
    return {};
  }

  void evaluate(std::span<const double> signals, std::span<double> sinks, std::span<double> memory) const override {
    Inputs inputs_before{};
    Outputs outputs{};
    for (std::size_t number = 0; number < components_.size(); ++number) {
      const Placed& component = components_[number];
      const Params& params = params_[component.kind];
      const Inputs inputs = gather(component, signals);
      if constexpr (OftenAlike<C>) {
        const bool is_alike = number > 0 && component.kind == components_[number - 1].kind && inputs == inputs_before;
        if (!is_alike) outputs = C::evaluate(params, inputs);
        inputs_before = inputs;
      } else if constexpr (HasCoefficient<C>) {
        const auto remembered = memory.subspan(number * remembered_count(), remembered_count());
        outputs = C::evaluate(params, inputs, coefficient(params, inputs, remembered));
      } else {
        outputs = C::evaluate(params, inputs);
      }
      for (std::size_t k = 0; k < outputs.size(); ++k) sinks[component.sinks[k]] += outputs[k];
    }
  }

  void differentiate(std::span<const double> signals, JacobianSink& jacobian) const override {
    for (const Placed& component : components_) {
      const Params& params = params_[component.kind];
      Inputs inputs = gather(component, signals);
      double held_coefficient = 0.0;
      if constexpr (HasCoefficient<C>) held_coefficient = C::coefficient(params, inputs);
      for (std::size_t i = 0; i < input_count; ++i) {
        const double kept = inputs[i];
        const double step = C::scale[i] * relative_step_ratio;
        inputs[i] = kept + step;
        const Outputs above = outputs_near(params, inputs, i, held_coefficient);
        inputs[i] = kept - step;
        const Outputs below = outputs_near(params, inputs, i, held_coefficient);
        inputs[i] = kept;
        for (std::size_t k = 0; k < above.size(); ++k) {
          jacobian.add(component.sinks[k], component.signals[i], (above[k] - below[k]) / (2.0 * step));
        }
      }
    }
  }

  bool feeds_any(std::span<const std::uint8_t> is_wanted) const override {
    return std::any_of(components_.begin(), components_.end(), [&](const Placed& component) {
      return std::any_of(component.sinks.begin(), component.sinks.end(),
                         [&](auto sink) { return is_wanted[sink] != 0; });
    });
  }

 private:
  static_assert(std::is_trivially_copyable_v<Params>);

  /// A component as loops over all copies want it: small.
  struct Placed {
    std::uint32_t kind;  ///< in `params_`
    std::array<std::uint32_t, input_count> signals;
    std::array<std::uint32_t, C::output_count> sinks;
  };

  /// Copies of a kind that share their parameters share one place.
  std::uint32_t number_of(const Params& params) {
    const auto known = std::find_if(params_.begin(), params_.end(), [&](const Params& other) {
      return std::memcmp(&other, &params, sizeof(Params)) == 0;
    });
    const auto number = static_cast<std::uint32_t>(known - params_.begin());
    if (known == params_.end()) params_.push_back(params);
    return number;
  }

  static constexpr double relative_step_ratio = 1e-3;
  static constexpr double nothing_yet = std::numeric_limits<double>::quiet_NaN();  ///< equals no input

  /// The inputs of a coefficient, then the coefficient itself.
  static constexpr std::size_t remembered_count() { return C::coefficient_inputs.size() + 1; }

  /// The coefficient at these inputs: the one remembered if they are the same to the bit.
  static double coefficient(const Params& params, const Inputs& inputs, std::span<double> remembered) {
    bool is_same = true;
    for (std::size_t k = 0; k + 1 < remembered_count(); ++k) {
      is_same = is_same && remembered[k] == inputs[C::coefficient_inputs[k]];
    }
    if (!is_same) {
      for (std::size_t k = 0; k + 1 < remembered_count(); ++k) remembered[k] = inputs[C::coefficient_inputs[k]];
      remembered.back() = C::coefficient(params, inputs);
    }
    return remembered.back();
  }

  /// Outputs where input `changed` alone is another than that for which `held_coefficient` was computed.
  static Outputs outputs_near(const Params& params, const Inputs& inputs, std::size_t changed,
                              double held_coefficient) {
    if constexpr (HasCoefficient<C>) {
      const auto& of_coefficient = C::coefficient_inputs;
      if (std::find(of_coefficient.begin(), of_coefficient.end(), changed) == of_coefficient.end()) {
        return C::evaluate(params, inputs, held_coefficient);
      }
    }
    return C::evaluate(params, inputs);
  }

  static Inputs gather(const Placed& component, std::span<const double> signals) {
    Inputs inputs;
    for (std::size_t i = 0; i < input_count; ++i) inputs[i] = signals[component.signals[i]];
    return inputs;
  }

  std::vector<Params> params_;
  std::vector<Placed> components_;
};

}  // namespace wattloop::twin
