// Which boxes of a drawing are beyond a limit at a time, and the same in words.
#pragma once

#include <map>
#include <span>
#include <string>

#include "twin/report/events/limits_beyond.hpp"
#include "twin/results/schema/results_schema.hpp"

namespace wattloop::twin {

/// By name of the box, what is farthest beyond its limit: "loading 112.3 % where 100.0 % is allowed". Parts of a CDU mark the CDU, and limits of the
/// door of a rack its door. Racks of GPUs are left out, because their colours are margins.
using BoxesBeyond = std::map<std::string, std::string, std::less<>>;
BoxesBeyond boxes_beyond(std::span<const ExceededLimit> parts, std::span<const LayoutBox> layout);

/// "CDU 2: loading 104.0 % where 100.0 % is allowed; row 1 to 8, rack 1 to 20: inlet air temperature at most 38.3 degC where 35 degC is allowed": parts
/// that are alike together, the worst first. Empty where there are none.
std::string beyond_words(std::span<const ExceededLimit> parts);

}  // namespace wattloop::twin
