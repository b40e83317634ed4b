// A figure among those of a summary or a month, by its name.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "twin/results/schema/results_schema.hpp"

namespace wattloop::twin {

/// Null where there is none.
const NamedValue* figure_named(std::span<const NamedValue> figures, std::string_view name);

/// A number of a figure; NaN where it is none or is not there.
double figure_number(std::span<const NamedValue> figures, std::string_view name);

/// A text of a figure; empty where it is none or is not there.
std::string figure_text(std::span<const NamedValue> figures, std::string_view name);

}  // namespace wattloop::twin
