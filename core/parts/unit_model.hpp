// Units: things that turn electric power into heat, in thousands of copies (a GPU on its cold plate, the rest of a
// node, an immersion tank). A unit model is a struct of static members; nothing else of Wattloop knows its equations.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <string_view>

namespace wattloop {

/// A state of a unit: its name, SI unit, the value to start searches from, and the error that no one would notice.
struct StateInfo {
  std::string_view name;
  std::string_view unit;
  double typical;
  double tolerance;
};

/// What flows past a unit.
enum class Medium { liquid, air };

/// The inlet of one port. Flow is this unit's own share; the specific heat is constant for each loop.
struct PortNow {
  double temperature_k;
  double flow_kg_per_s;
  double specific_heat_j_per_kg_k;
};

/// All that the rates of one unit may depend on, besides its parameters.
template <std::size_t States, std::size_t Ports>
struct UnitNow {
  std::array<double, States> state;
  std::array<PortNow, Ports> port;
  double load_w;  ///< power asked for by the work, without leakage
};

/// What a unit does now. Heat is positive into the coolant, power positive into the unit.
template <std::size_t States, std::size_t Ports>
struct UnitRates {
  std::array<double, States> rate;   ///< time derivatives, state unit per second
  std::array<double, Ports> heat_w;  ///< given to what flows past each port
  double power_w;                    ///< drawn, leakage included
};

/// A unit model. `rates` is pure; `stored_energy_j` is the integral that closes its energy balance:
/// d(stored)/dt = power - sum(heat) for any state, port and load.
template <class M>
concept UnitModel = requires(const typename M::Params& params, const UnitNow<M::states.size(), M::ports.size()>& now) {
  { M::kind } -> std::convertible_to<std::string_view>;
  { M::doc } -> std::convertible_to<std::string_view>;
  { M::states[0] } -> std::convertible_to<StateInfo>;
  { M::ports[0] } -> std::convertible_to<Medium>;
  M::Params::fields();
  { M::rates(params, now) }
  noexcept->std::same_as<UnitRates<M::states.size(), M::ports.size()>>;
  { M::stored_energy_j(params, now.state) }
  noexcept->std::same_as<double>;
};

/// A model may say how conductances of its ports follow from their flows, and take them as a third argument of `rates`:
/// loops over units that share their inlets then compute them once. `rates(params, now)` means the same.
template <class M>
concept SharesConductances = UnitModel<M> &&
    requires(const typename M::Params& params, const UnitNow<M::states.size(), M::ports.size()>& now) {
  { M::conductances_w_per_k(params, now.port) }
  noexcept->std::same_as<std::array<double, M::ports.size()>>;
  { M::rates(params, now, M::conductances_w_per_k(params, now.port)) }
  noexcept->std::same_as<UnitRates<M::states.size(), M::ports.size()>>;
};

/// A model may say that, at given flows and while it has load, its rates, heat and power are affine in states, load and inlet
/// temperatures: a step of many units is then one small matrix. tests/properties/unit_models.cpp holds it to that.
template <class M>
concept AffineUnitModel = UnitModel<M> && requires {
  requires M::is_affine_at_given_flows;
};

/// By what one unit differs from the mean of its kind, each as a ratio to the mean.
struct UnitVariation {
  double resistance_ratio = 1.0;  ///< of interface, conduction and spreading between die and coolant
  double flow_ratio = 1.0;        ///< of its share of the coolant
  double leakage_ratio = 1.0;     ///< of the slope of leakage
};

/// A model may say what a unit's parameters are where it differs from the mean; ratios of one give the same bits.
template <class M>
concept VariesByUnit = UnitModel<M> && requires(const typename M::Params& params, const UnitVariation& variation) {
  { M::varied(params, variation) }
  noexcept->std::same_as<typename M::Params>;
};

}  // namespace wattloop
