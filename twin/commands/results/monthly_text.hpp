// The months of a run, as `wattloop summary --monthly` prints them.
#pragma once

#include <span>
#include <string>

#include "core/units/units.hpp"
#include "twin/results/schema/results_schema.hpp"

namespace wattloop::twin {

/// A page for people: energy, water and power, then costs and carbon where there are any, month by month and of the whole run, whose
/// figures are `of_run`.
std::string monthly_text(std::span<const MonthRecord> months, std::span<const NamedValue> of_run, UnitStyle style);

/// All figures, a line each month, the last line for the whole run; heads "facility_energy (J)".
std::string monthly_csv(std::span<const MonthRecord> months, std::span<const NamedValue> of_run);

/// `schema_version`, `months`: each with `month`, `begin_s`, `end_s` and its figures by name, as in the summary.
std::string monthly_json(std::span<const MonthRecord> months);

}  // namespace wattloop::twin
