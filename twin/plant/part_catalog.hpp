// The catalog of kinds of parts: everything that is known of a kind without knowing the kind. A kind is one header with a
// struct that satisfies `Part`, and a name in twin/plant/part_kinds.hpp.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/part_columns.hpp"
#include "twin/plant/part_set.hpp"

namespace wattloop::twin {

/// A column of the results that a kind has.
struct PartColumn {
  std::string_view name, unit, text;
  std::string_view numerator, denominator;  ///< of a ratio of means; empty: no ratio
};

/// A kind of part, erased.
struct PartKind {
  std::string_view name;  ///< "cdu_valve"
  std::string_view doc;   ///< one sentence

  PartTable table;                   ///< no group: nothing is told of its parts
  std::vector<PartColumn> columns;   ///< of the table
  std::vector<std::string> ratings;  ///< columns that parts are rated for
  std::vector<WatchedAs> watched;    ///< over a run
  std::vector<bool> is_given;        ///< [number of Now] a value, not a signal

  std::unique_ptr<PartSet> (*make_set)();
};

/// All kinds, in the order in which they add to sinks.
std::span<const PartKind> part_kinds();

/// Number of the kind of that name; throws std::logic_error for one that is not in the catalog.
std::size_t part_kind_number(std::string_view name);

}  // namespace wattloop::twin
