// Control sequences: what looks at the weather now and then and sets one setting of the plant, as an operator or the building's
// management would. A kind is one struct of static members: parameters with fields and a pure function.
#pragma once

#include <concepts>
#include <string_view>

#include "core/field.hpp"

namespace wattloop {

/// What a sequence sees.
struct OutsideNow {
  double dry_bulb_k;
  double wet_bulb_k;
};

/// A kind of sequence. `mistake` says what of its parameters cannot be together, or nothing; `setting` gives the value that its setting should have, in `unit`.
template <class S>
concept Sequence = requires(const typename S::Params& params, const OutsideNow& outside) {
  { S::kind } -> std::convertible_to<std::string_view>;
  { S::doc } -> std::convertible_to<std::string_view>;
  { S::unit } -> std::convertible_to<std::string_view>;
  S::Params::fields();
  { S::setting(params, outside) }
  noexcept->std::same_as<double>;
  { S::mistake(params) }
  noexcept->std::same_as<std::string_view>;
};

}  // namespace wattloop
