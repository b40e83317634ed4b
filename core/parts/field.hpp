// Fields: one declaration per parameter, from which YAML reading, unit and range checks, `wattloop explain`, the
// documentation tables, HDF5 attributes and what-if overrides are all derived.
#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace wattloop {

/// Default of a parameter that the user must give.
inline constexpr double required = std::numeric_limits<double>::quiet_NaN();
inline constexpr int required_count = std::numeric_limits<int>::min();

/// What a number may be, besides finite.
enum class Range { any, positive, non_negative, fraction, positive_fraction };

/// Unit of a temperature *difference*; "K" alone is an absolute temperature, for which degC is welcome.
inline constexpr std::string_view temperature_difference = "delta_K";

/// What is known of a field apart from where it is stored.
struct FieldInfo {
  std::string_view name;     ///< as in YAML: no unit suffix
  std::string_view unit;     ///< SI unit in UDUNITS-2 spelling; "1" for a ratio; empty for counts, flags and text
  Range range = Range::any;  ///< doubles and counts
  std::string_view doc;      ///< one sentence
  std::string_view choices;  ///< text and choices: "hold|interpolate|zero"; empty: any text
};

/// A member of the parameter struct `P` that the user can set.
template <class P>
struct Field {
  std::variant<double P::*, int P::*, bool P::*, std::string P::*, std::string_view P::*> member;
  FieldInfo info;

  constexpr Field(double P::*m, std::string_view name, std::string_view unit, Range range, std::string_view doc)
      : member(m), info{name, unit, range, doc, {}} {}
  constexpr Field(int P::*m, std::string_view name, Range range, std::string_view doc)
      : member(m), info{name, {}, range, doc, {}} {}
  constexpr Field(bool P::*m, std::string_view name, std::string_view doc)
      : member(m), info{name, {}, Range::any, doc, {}} {}
  constexpr Field(std::string P::*m, std::string_view name, std::string_view choices, std::string_view doc)
      : member(m), info{name, {}, Range::any, doc, choices} {}
  /// One of the choices; what is read views them.
  constexpr Field(std::string_view P::*m, std::string_view name, std::string_view choices, std::string_view doc)
      : member(m), info{name, {}, Range::any, doc, choices} {}
};

/// A field of one particular struct instance: where to store what is read. Its default is what is stored there.
struct FieldRef {
  std::variant<double*, int*, bool*, std::string*, std::string_view*> target;
  FieldInfo info;
};

/// The fields of `params` in their declared order.
template <class P>
std::vector<FieldRef> field_refs(P& params) {
  std::vector<FieldRef> refs;
  for (const Field<P>& field : P::fields()) {
    refs.push_back(std::visit([&](auto member) { return FieldRef{&(params.*member), field.info}; }, field.member));
  }
  return refs;
}

}  // namespace wattloop
