// Kinds of electrical equipment. A kind is one header with one struct of static members, and a name in the list of
// electrical/electrical_kinds.hpp; nothing else knows which kinds there are. There are two concepts:
//
//   PassageKind   power goes through it: `loss_curve(params)`, perhaps `battery(params)` with its state of charge
//   SourceKind    power comes from it: `is_standby`, whether it waits for others to fail
//
// Both declare their names, parameters, ratings, events and columns. What a passage does then follows: electrical/passage.hpp.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

#include "core/parts/field.hpp"
#include "core/parts/limit.hpp"
#include "core/parts/part.hpp"
#include "core/parts/part_event.hpp"
#include "electrical/admittance/branch_impedance.hpp"
#include "electrical/loss_curve.hpp"
#include "electrical/overload.hpp"
#include "electrical/power_flow.hpp"

namespace wattloop::electrical {

/// A branch or source of the power tree at one instant, as columns see it.
struct Reading {
  const PowerFlow& flow;
  std::size_t number;      ///< of the branch or source
  double charge_fraction;  ///< of its battery; 0 without one
};

/// One entry of `columns()`.
struct ReadingColumn {
  std::string_view name;
  std::string_view unit;
  std::string_view text;
  double (*value)(const Reading&);
};

/// Columns of every passage.
inline constexpr std::array passage_columns{
    ReadingColumn{"power", "W", "power delivered",
                  [](const Reading& reading) { return reading.flow.branch_output_w[reading.number]; }},
    ReadingColumn{"input_power", "W", "power drawn from upstream, recharging of a battery included",
                  [](const Reading& reading) { return reading.flow.branch_input_w[reading.number]; }},
    ReadingColumn{"loss", "W", "power turned into heat on the way",
                  [](const Reading& reading) { return reading.flow.branch_loss_w[reading.number]; }},
    ReadingColumn{"loading", "1", "power delivered, divided by rated power",
                  [](const Reading& reading) { return reading.flow.branch_loading_fraction[reading.number]; }},
};

/// Columns of every source.
inline constexpr std::array source_columns{
    ReadingColumn{"power", "W", "power delivered",
                  [](const Reading& reading) { return reading.flow.source_w[reading.number]; }},
    ReadingColumn{"loading", "1", "power delivered, divided by rated power",
                  [](const Reading& reading) { return reading.flow.source_loading_fraction[reading.number]; }},
};

/// Columns, or fields, of a kind that has more than others.
template <class T, std::size_t first, std::size_t more>
constexpr auto with_more(const std::array<T, first>& columns, const std::array<T, more>& others) {
  return [&]<std::size_t... i, std::size_t... k>(std::index_sequence<i...>, std::index_sequence<k...>) {
    return std::array{columns[i]..., others[k]...};
  }
  (std::make_index_sequence<first>(), std::make_index_sequence<more>());
}

/// Fields of conductors whose breaker trips by the extremely inverse curve.
template <class P>
constexpr auto conductor_protection_fields() {
  return std::array{
      Field<P>{&P::overload_limit_ratio, "overload_limit", "1", Range::positive,
               "Power carried continuously, divided by rated power: pickup of the protection."},
      Field<P>{&P::time_multiplier_ratio, "time_multiplier", "1", Range::positive,
               "Time multiplier of its protection, which has the extremely inverse curve."},
      Field<P>{&P::overload_recovery_s, "overload_recovery", "s", Range::positive,
               "Time after an overload until the full permitted overload time is available again."},
  };
}

/// Where those stand that need no more than these.
inline constexpr PartTable feeder_table{"feeders", "feeder"};

/// What may happen to all that can be switched.
inline constexpr std::array switch_events{PartEvent::open, PartEvent::close, PartEvent::fail, PartEvent::restore};

/// What parameters of a kind must be together, whatever the range of each: one of them, or what follows from some, at most another or a number.
struct Relation {
  std::string_view what;  ///< is compared, in keys: "load_loss over rated_power"
  double value;
  std::string_view than;  ///< the key that it is compared with; empty: a number
  double limit;
  std::string_view unit;  ///< of both
  bool may_be_equal;
  std::array<std::string_view, 3> keys;  ///< all in it: a mistake is shown at the first that was changed
  std::string_view remedy;
  std::string_view only_if_written = {};  ///< a key whose default is not meant for all
};

/// A kind of which parameters must fit each other.
template <class K>
concept RelatesParameters = requires(const typename K::Params& params) {
  { K::relations(params)[0] }
  noexcept->std::convertible_to<Relation>;
};

/// A kind with a battery, of one module; its state of charge is its only state.
template <class K>
concept HasBattery = requires(const typename K::Params& params) {
  { K::battery(params) }
  noexcept->std::same_as<Battery>;
};

/// A kind between whose ends the nominal voltage is known.
template <class K>
concept HasVoltage = requires(const typename K::Params& params) {
  { K::voltage_v(params) }
  noexcept->std::same_as<double>;
};

/// A kind that is built for voltages up to one, and says nothing of the nominal voltage where it is.
template <class K>
concept HasHighestVoltage = requires(const typename K::Params& params) {
  { K::highest_voltage_v(params) }
  noexcept->std::same_as<double>;
};

/// A kind that carries a current, whatever the voltage: its rated power and its loss follow from the nominal voltage where it is.
template <class K>
concept CarriesACurrent = requires(const typename K::Params& params) {
  { K::at_voltage(params, 1.0) }
  noexcept->std::same_as<typename K::Params>;
};

/// A kind that is no transformer and has a series reactance.
template <class K>
concept HasReactance = requires(const typename K::Params& params) {
  { K::reactance_ohm(params) }
  noexcept->std::same_as<double>;
};

/// A kind whose impedance to currents to earth is another.
template <class K>
concept HasZeroSequence = requires(const typename K::Params& params) {
  { K::zero_sequence(params) }
  noexcept->std::same_as<ZeroSequence>;
};

/// A kind whose protection has stages that operate after a fixed time.
template <class K>
concept HasFixedStages = requires(const typename K::Params& params) {
  { K::fixed_stages(params) }
  noexcept->std::same_as<FixedStages>;
};

/// A kind that interrupts a short circuit, up to a current; 0 where that is not known.
template <class K>
concept BreaksShortCircuits = requires(const typename K::Params& params) {
  { K::breaking_capacity_a(params) }
  noexcept->std::same_as<double>;
};

/// A kind with an inverter that limits its current into a short circuit.
template <class K>
concept LimitsItsCurrent = requires(const typename K::Params& params) {
  { K::short_circuit_ratio(params) }
  noexcept->std::same_as<double>;
};

/// A kind whose output has its own voltage, whatever its input has.
template <class K>
concept MakesVoltage = requires(const typename K::Params& params) {
  { K::input_power_factor(params) }
  noexcept->std::same_as<double>;
};

/// A kind that transforms voltage.
template <class K>
concept TransformsVoltage = requires(const typename K::Params& params) {
  { K::transformer_rating(params) }
  noexcept->std::same_as<TransformerRating>;
};

/// A kind whose loss is metered under the name of another.
template <class K>
concept IsMeteredUnderAnother = requires {
  { K::metered_under } -> std::convertible_to<std::string_view>;
};

/// A kind of which each feeds one side: two cords of a load behind it are as good as one.
template <class K>
concept IsOfOneSide = requires {
  requires K::is_of_one_side;
};

/// A kind whose rating holds in air up to a temperature.
template <class K>
concept FeelsAir = requires(const typename K::Params& params) {
  { K::in_air(params) }
  noexcept->std::same_as<InAir>;
};

namespace kind_checks {

template <class P>
constexpr std::size_t size_of_field(const Field<P>& field) {
  return std::visit([]<class Member>(Member P::*) { return sizeof(Member); }, field.member);
}

template <class K>
constexpr bool is_each_parameter_declared_once() {
  using Params = typename K::Params;
  if constexpr (!std::is_empty_v<Params>) {
    const auto fields = Params::fields();
    std::size_t declared = 0;
    for (std::size_t k = 0; k < fields.size(); ++k) {
      declared += size_of_field(fields[k]);
      for (std::size_t before = 0; before < k; ++before) {
        if (fields[before].member == fields[k].member) return false;
      }
    }
    return declared == sizeof(Params);
  }
  return true;
}

template <class K>
constexpr bool has_a_battery_where_there_is_a_charge() {
  if constexpr (HasState<K>) return HasBattery<K> && number_count<typename K::State> == 1;
  return !HasBattery<K>;
}

template <class K>
constexpr bool is_there_something_that_may_happen() {
  return K::events.size() > 0;
}

}  // namespace kind_checks

// What `static_assert(PassageKind<K>)` and `static_assert(SourceKind<K>)` ask; the compiler reports the name of what does not hold.

template <class K>
concept SaysWhatItIsCalled = requires {
  { K::noun } -> std::convertible_to<std::string_view>;
  { K::plural } -> std::convertible_to<std::string_view>;
};
template <class K>
concept DeclaresEachParameterOnce = kind_checks::is_each_parameter_declared_once<K>();
template <class K>
concept SaysWhatMayHappen = kind_checks::is_there_something_that_may_happen<K>();
template <class K>
concept KeepsTheChargeOfItsBattery = kind_checks::has_a_battery_where_there_is_a_charge<K>();
template <class K>
concept HasLossCurve = requires(const typename K::Params& params) {
  { K::loss_curve(params) }
  noexcept->std::same_as<LossCurve>;
};
template <class K>
concept SaysWhetherItStandsBy = requires {
  { K::is_standby } -> std::convertible_to<bool>;
};

template <class K>
concept LimitsOnlyItsLoading = overload_checks::is_only_its_loading_limited<K>();

template <class K>
concept ElectricalPart = NamesItself<K> && SaysWhatItIsCalled<K> && std::is_trivially_copyable_v<typename K::Params> &&
    DeclaresEachParameterOnce<K> && DeclaresEachStateOnce<K> && SaysWhatItsColumnsAre<K> && RatesColumnsInWatts<K> &&
    LimitsColumnsOnce<K> && LimitsOnlyItsLoading<K> && SaysWhatMayHappen<K> && SaysHowItIsDrawn<K>;

template <class K>
concept PassageKind =
    ElectricalPart<K> && HasLossCurve<K> && HasRatings<K> && HasColumns<K> && KeepsTheChargeOfItsBattery<K>;

template <class K>
concept SourceKind = ElectricalPart<K> && SaysWhetherItStandsBy<K>;

/// What one is rated for; 0 where that is not known.
template <ElectricalPart K>
constexpr double rated_w(const typename K::Params& params) {
  if constexpr (HasRatings<K>) return K::ratings()[0].rated_w(params);
  return 0.0;
}

/// How far over its rating it may be loaded; nothing is declared where that is not known.
template <ElectricalPart K>
OverloadLimit overload_limit(const typename K::Params& params) {
  OverloadLimit limit;
  if constexpr (HasLimits<K>) limit = {K::limits()[0].endurance(params), K::limits()[0].beyond == Beyond::trip, {}};
  if constexpr (FeelsAir<K>) limit.in_air = K::in_air(params);
  return limit;
}

/// What is lost in it is metered there.
template <PassageKind K>
constexpr std::string_view metered_under() {
  if constexpr (IsMeteredUnderAnother<K>) return K::metered_under;
  return K::kind;
}

}  // namespace wattloop::electrical
