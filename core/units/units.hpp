// Quantities with units: text such as "45 degC", "1.2 MW" or "100 gpm" becomes a number in SI units, and back
// for people.
//
// Units are those of UDUNITS-2 plus the trade's names (kWh, Ah, kVA, kvar, gpm, CFM, ton_of_refrigeration, GB, GiB).
// Names that mean several things (pu, rpm, tons, gal) are refused with the name to write instead.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace wattloop {

/// A text that is not the quantity asked for: `what()` says why, `hint` how to mend it (may be empty).
class QuantityError : public std::runtime_error {
 public:
  QuantityError(const std::string& message, std::string hint_text)
      : std::runtime_error(message), hint(std::move(hint_text)) {}
  std::string hint;
};

/// The number in `si_unit` that `text` stands for. `si_unit` is spelled as in core/parts/field.hpp: "K" is an
/// absolute temperature, "delta_K" a difference, "V A" apparent power, "var" reactive power, "1" a ratio
/// (bare number or %). Durations may have several parts ("1 h 30 min"). Throws `QuantityError`.
double to_si(std::string_view text, std::string_view si_unit);

/// Like `to_si(text, si_unit)`, of a number and a unit apart, for file formats that keep them so ("kW" in a
/// header).
double to_si(double value, std::string_view unit, std::string_view si_unit);

/// Which units people are shown: metric, or degF, gpm, psi and tons of refrigeration.
enum class UnitStyle { metric, inch_pound };

/// The value for people, four digits, in the unit that reads best: W as kW or MW, K as degC, J as kWh, s as
/// "2 h 5 min". Not a number is "n/a".
std::string format_quantity(double si_value, std::string_view si_unit, UnitStyle style = UnitStyle::metric);

/// The unit as results files spell it: UDUNITS-2 without our own names ("delta_K" is "K").
std::string unit_in_files(std::string_view si_unit);

/// The unit as people read it: "degC" for "K", "W/K" for "W/delta_K", "1/K" for "delta_K-1", "VA" for "V A",
/// "ratio" for "1".
std::string unit_for_people(std::string_view si_unit);

}  // namespace wattloop
