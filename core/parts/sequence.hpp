// Control sequences: what looks at the weather now and then and sets one setting of the plant, or changes the mode of some of its
// parts, as an operator or the building's management would. A kind is one struct of static members: parameters with fields and pure
// functions.
#pragma once

#include <concepts>
#include <string_view>

#include "core/parts/field.hpp"

namespace wattloop {

/// What a sequence sees.
struct OutsideNow {
  double dry_bulb_k;
  double wet_bulb_k;
};

/// What all kinds say. `mistake` says what of their parameters cannot be together, or nothing.
template <class S>
concept AnySequence = requires(const typename S::Params& params) {
  { S::kind } -> std::convertible_to<std::string_view>;
  { S::doc } -> std::convertible_to<std::string_view>;
  S::Params::fields();
  { S::mistake(params) }
  noexcept->std::same_as<std::string_view>;
};

/// A kind of sequence that sets one setting. `setting` gives the value that it should have, in `unit`.
template <class S>
concept Sequence = AnySequence<S> && requires(const typename S::Params& params, const OutsideNow& outside) {
  { S::unit } -> std::convertible_to<std::string_view>;
  { S::setting(params, outside) }
  noexcept->std::same_as<double>;
};

/// What a sequence of modes names in its plant.
struct SequenceName {
  std::string_view key;            ///< "towers"
  std::string_view default_value;  ///< empty: it must be given
  std::string_view doc;
};

/// A kind of sequence that changes modes of parts, which it names by `names()`. Who moves them acts on its own
/// (twin/actions/staging/economisers.hpp).
template <class S>
concept ModeSequence = AnySequence<S> && requires {
  S::names();
};

}  // namespace wattloop
