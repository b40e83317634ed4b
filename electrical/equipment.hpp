// Equipment of the one-line diagram: what it is rated for, what it loses and what its battery holds, whatever its kind.
//
// The loss of every kind is a quadratic in what it delivers, `LossCurve`, and identical modules in parallel are one again.
// These are losses at nominal voltage and unity power factor; what voltages change in them: electrical/tree_voltages.hpp. Beyond a rating the curves go on;
// for how long a part carries that is its limit (electrical/overload.hpp). Verified in tests/verification/power/equipment_losses.cpp.
#pragma once

#include <cmath>
#include <string_view>

#include "electrical/electrical_kinds.hpp"

namespace wattloop::electrical {

/// "feeder", "transformer", ...
std::string_view kind_of(const Equipment& equipment);
std::string_view kind_of(const SourceEquipment& equipment);

/// Rated output of one module; a transformer's at unity power factor; 0 where that is not known.
double rated_w(const Equipment& equipment);
double rated_w(const SourceEquipment& equipment);

/// Loss of one module.
LossCurve loss_curve(const Equipment& equipment);

/// Battery of one module; nothing where there is none.
Battery battery_of(const Equipment& equipment);

/// How far over its rating it may be loaded, and whether it trips; no limit where none is declared.
OverloadLimit overload_limit(const Equipment& equipment);
OverloadLimit overload_limit(const SourceEquipment& equipment);

/// One module of a kind that transforms voltage; rated for 0 VA where it does not.
TransformerRating transformer_rating(const Equipment& equipment);
/// Short-circuit current that breakers behind it interrupt; infinite where it does not transform voltage.
double breaking_capacity_a(const Equipment& equipment);

/// Stages of its protection that operate after a fixed time; none where it has none.
FixedStages fixed_stages(const Equipment& equipment);
ZeroSequence zero_sequence(const Equipment& equipment);

/// Current into a short circuit over rated current, of an inverter that limits it; 0 of all other equipment.
double short_circuit_ratio(const Equipment& equipment);

/// Series reactance of one module of equipment that is no transformer; 0 where it has none.
double reactance_ohm(const Equipment& equipment);
/// Power factor at which it draws from its input, of equipment that makes the voltage of its output; 0 of all other.
double input_power_factor(const Equipment& equipment);

/// Reactive over active power at a power factor.
inline double tangent_of(double power_factor) { return std::sqrt(1.0 / (power_factor * power_factor) - 1.0); }

/// Nominal voltage at both ends; 0 where that is not known.
double voltage_v(const Equipment& equipment);

/// Highest nominal voltage that it is built for; 0 where that is not known.
double highest_voltage_v(const Equipment& equipment);

/// The same equipment where the nominal voltage is that one: what carries a current has another rated power there, and another loss.
Equipment at_voltage(const Equipment& equipment, double nominal_v);
/// Whether the rating of a kind is a current, so that it carries more power at a higher voltage.
bool carries_a_current(std::string_view kind);

}  // namespace wattloop::electrical
