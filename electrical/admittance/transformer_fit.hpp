// Whether a transformer belongs between two buses: its rated voltages and its turns against their nominal voltages.
#pragma once

#include <optional>
#include <string>

#include "core/text/problem.hpp"
#include "electrical/admittance/branch_impedance.hpp"

namespace wattloop::electrical {

/// What does not fit, without a place; nothing where both rated voltages and the turns at its tap are within `fitting_fraction` of those of
/// the buses, or where its rated voltages are not known.
std::optional<Problem> misfit(const std::string& name, const TransformerRating& rating, double from_nominal_v,
                              double to_nominal_v);

}  // namespace wattloop::electrical
