#include "electrical/equipment.hpp"

#include <limits>

namespace wattloop::electrical {

namespace {

/// Calls `visit` with the kind of the parameters, and with them.
template <class... Kinds, class Visit>
auto visit_kind(const std::tuple<Kinds...>*, const std::variant<typename Kinds::Params...>& equipment, Visit visit) {
  using Result = decltype((visit.template operator()<Kinds>(std::declval<const typename Kinds::Params&>()), ...));
  Result result{};
  const auto try_kind = [&]<class K>() {
    if (const auto* params = std::get_if<typename K::Params>(&equipment))
      result = visit.template operator()<K>(*params);
  };
  (try_kind.template operator()<Kinds>(), ...);
  return result;
}

constexpr const PassageKinds* passages = nullptr;
constexpr const SourceKinds* sources = nullptr;

constexpr auto name = []<class K>(const typename K::Params&) { return K::kind; };
constexpr auto limit = []<class K>(const typename K::Params& params) { return overload_limit<K>(params); };
constexpr auto rating_w = []<class K>(const typename K::Params& params) { return rated_w<K>(params); };

}  // namespace

std::string_view kind_of(const Equipment& equipment) { return visit_kind(passages, equipment, name); }

std::string_view kind_of(const SourceEquipment& equipment) { return visit_kind(sources, equipment, name); }

double rated_w(const Equipment& equipment) { return visit_kind(passages, equipment, rating_w); }

double rated_w(const SourceEquipment& equipment) { return visit_kind(sources, equipment, rating_w); }

OverloadLimit overload_limit(const Equipment& equipment) { return visit_kind(passages, equipment, limit); }

OverloadLimit overload_limit(const SourceEquipment& equipment) {
  return rated_w(equipment) > 0.0 ? visit_kind(sources, equipment, limit) : OverloadLimit{};
}

LossCurve loss_curve(const Equipment& equipment) {
  return visit_kind(passages, equipment,
                    []<class K>(const typename K::Params& params) { return K::loss_curve(params); });
}

Battery battery_of(const Equipment& equipment) {
  return visit_kind(passages, equipment, []<class K>(const typename K::Params& params) {
    if constexpr (HasBattery<K>) return K::battery(params);
    return Battery{};
  });
}

TransformerRating transformer_rating(const Equipment& equipment) {
  return visit_kind(passages, equipment, []<class K>(const typename K::Params& params) {
    if constexpr (TransformsVoltage<K>) return K::transformer_rating(params);
    return TransformerRating{};
  });
}

double breaking_capacity_a(const Equipment& equipment) {
  return visit_kind(passages, equipment, []<class K>(const typename K::Params& params) {
    double capacity_a = 0.0;
    if constexpr (BreaksShortCircuits<K>) capacity_a = K::breaking_capacity_a(params);
    return capacity_a > 0.0 ? capacity_a : std::numeric_limits<double>::infinity();
  });
}

FixedStages fixed_stages(const Equipment& equipment) {
  return visit_kind(passages, equipment, []<class K>(const typename K::Params& params) {
    if constexpr (HasFixedStages<K>) return K::fixed_stages(params);
    return FixedStages{};
  });
}

ZeroSequence zero_sequence(const Equipment& equipment) {
  return visit_kind(passages, equipment, []<class K>(const typename K::Params& params) {
    if constexpr (HasZeroSequence<K>) return K::zero_sequence(params);
    return ZeroSequence{};
  });
}

double short_circuit_ratio(const Equipment& equipment) {
  return visit_kind(passages, equipment, []<class K>(const typename K::Params& params) {
    if constexpr (LimitsItsCurrent<K>) return K::short_circuit_ratio(params);
    return 0.0;
  });
}

double reactance_ohm(const Equipment& equipment) {
  return visit_kind(passages, equipment, []<class K>(const typename K::Params& params) {
    if constexpr (HasReactance<K>) return K::reactance_ohm(params);
    return 0.0;
  });
}

double input_power_factor(const Equipment& equipment) {
  return visit_kind(passages, equipment, []<class K>(const typename K::Params& params) {
    if constexpr (MakesVoltage<K>) return K::input_power_factor(params);
    return 0.0;
  });
}

double voltage_v(const Equipment& equipment) {
  return visit_kind(passages, equipment, []<class K>(const typename K::Params& params) {
    if constexpr (HasVoltage<K>) return K::voltage_v(params);
    return 0.0;
  });
}

double highest_voltage_v(const Equipment& equipment) {
  const double own_v = visit_kind(passages, equipment, []<class K>(const typename K::Params& params) {
    if constexpr (HasHighestVoltage<K>) return K::highest_voltage_v(params);
    return 0.0;
  });
  return own_v > 0.0 ? own_v : voltage_v(equipment);
}

Equipment at_voltage(const Equipment& equipment, double nominal_v) {
  return visit_kind(passages, equipment, [&]<class K>(const typename K::Params& params) -> Equipment {
    if constexpr (CarriesACurrent<K>) return K::at_voltage(params, nominal_v);
    return params;
  });
}

bool carries_a_current(std::string_view kind) {
  return [&]<class... Kinds>(const std::tuple<Kinds...>*) {
    return ((Kinds::kind == kind && CarriesACurrent<Kinds>) || ...);
  }(passages);
}

}  // namespace wattloop::electrical
