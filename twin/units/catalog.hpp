// The catalog of unit kinds: everything that is known of a kind of unit without knowing the kind.
//
// A kind is one header with a struct that satisfies UnitModel and one line in twin/units/catalog.cpp. From that line come the
// keys of its hardware files, the names of its states and ports, `wattloop explain` and the reference.
#pragma once

#include <any>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/parts/field.hpp"
#include "core/parts/unit_model.hpp"
#include "twin/units/unit_group_of.hpp"

namespace wattloop::twin {

/// A kind of unit, erased: lists that live as long as the program, and functions for what depends on its type.
struct UnitKind {
  std::string_view name;              ///< "cold_plate": as in hardware files
  std::string_view doc;               ///< one sentence
  std::span<const StateInfo> states;  ///< [state]
  std::span<const Medium> ports;      ///< [port]

  std::any (*default_params)();                       ///< the kind's Params as declared
  std::vector<FieldRef> (*fields)(std::any& params);  ///< into `params`, which must hold the kind's Params

  /// Units of this kind with those parameters, one name each, at those stations; they differ as the classes say.
  std::unique_ptr<UnitGroup> (*make_group)(const std::any& params, std::string name,
                                           std::vector<std::string> unit_names, std::vector<Station> stations,
                                           UnitClasses classes);
};

/// All kinds, in the order of the catalog.
std::span<const UnitKind> unit_kinds();

/// The kind of that name; nullptr if there is none.
const UnitKind* find_unit_kind(std::string_view name);

/// The names of all kinds, for hints.
std::vector<std::string_view> unit_kind_names();

/// What the catalog knows of the unit model `M`.
template <UnitModel M>
UnitKind unit_kind() {
  return {
      .name = M::kind,
      .doc = M::doc,
      .states = M::states,
      .ports = M::ports,
      .default_params = [] { return std::any(typename M::Params{}); },
      .fields = [](std::any& params) { return field_refs(std::any_cast<typename M::Params&>(params)); },
      .make_group = [](const std::any& params, std::string name, std::vector<std::string> unit_names,
                       std::vector<Station> stations, UnitClasses classes) -> std::unique_ptr<UnitGroup> {
        return std::make_unique<UnitGroupOf<M>>(std::any_cast<const typename M::Params&>(params), std::move(name),
                                                std::move(unit_names), std::move(stations), std::move(classes));
      },
  };
}

}  // namespace wattloop::twin
