// What to write instead of a unit that is ambiguous, unknown or of another kind than asked for.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace wattloop {

/// The names in a unit text: "kg" and "m3" of "kg/m3", exponents dropped.
std::vector<std::string> unit_names(std::string_view unit);

/// What to write instead of a name that means several things ("tons", "rpm", "pu"); empty for any other name.
std::string_view instead_of_ambiguous(std::string_view unit_name);

/// What an unknown name was probably meant to be: "did you mean 'kW'?"; may be empty.
std::string instead_of_unknown(std::string_view unit_name);

/// How `unit` is often confused with `si_unit` ("45 C" for "45 degC", kVA for kW); may be empty.
std::string confusion_hint(double number, std::string_view unit, std::string_view si_unit);

/// The number as a person would write it for a value in `si_unit`: "45 degC" for 45 and "K".
std::string example_quantity(double number, std::string_view si_unit);

}  // namespace wattloop
