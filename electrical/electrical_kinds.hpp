// All kinds of electrical equipment: an include and a name each. Nothing else lists them. In the results file their tables stand in
// this order, and losses are metered in it.
#pragma once

#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

#include "electrical/breaker.hpp"
#include "electrical/cable.hpp"
#include "electrical/converter.hpp"
#include "electrical/feeder.hpp"
#include "electrical/fuse.hpp"
#include "electrical/generator.hpp"
#include "electrical/pdu.hpp"
#include "electrical/substation.hpp"
#include "electrical/transformer.hpp"
#include "electrical/ups.hpp"
#include "electrical/ups_bypass.hpp"
#include "electrical/utility_feed.hpp"

namespace wattloop::electrical {

using ElectricalKinds = std::tuple<UtilityFeed, Feeder, Cable, Transformer, Substation, Ups, UpsBypass, Pdu, Converter,
                                   Breaker, Fuse, Generator>;

template <template <class> class IsRequested, class... Kinds>
auto kinds_that(const std::tuple<Kinds...>*) -> decltype(std::tuple_cat(
    std::declval<std::conditional_t<IsRequested<Kinds>::value, std::tuple<Kinds>, std::tuple<>>>()...));

template <class K>
using IsPassageKind = std::bool_constant<PassageKind<K>>;
template <class K>
using IsSourceKind = std::bool_constant<SourceKind<K>>;

/// Those that power goes through, and those that it comes from.
using PassageKinds = decltype(kinds_that<IsPassageKind>(static_cast<const ElectricalKinds*>(nullptr)));
using SourceKinds = decltype(kinds_that<IsSourceKind>(static_cast<const ElectricalKinds*>(nullptr)));

template <class... Kinds>
auto params_of(const std::tuple<Kinds...>*) -> std::variant<typename Kinds::Params...>;

/// What a branch, or a source, of the one-line diagram may be: the parameters of one module.
using Equipment = decltype(params_of(static_cast<const PassageKinds*>(nullptr)));
using SourceEquipment = decltype(params_of(static_cast<const SourceKinds*>(nullptr)));

}  // namespace wattloop::electrical
