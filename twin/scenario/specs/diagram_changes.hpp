// Where a hall's one-line diagram differs from the regular one: other cords of racks, equipment that is not installed.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/problem.hpp"
#include "electrical/one_line.hpp"
#include "twin/scenario/specs/power_spec.hpp"

namespace wattloop::twin {

/// The load of the fans in a rack's door is the rack's name with this behind it. They hang on the cords of their rack.
inline constexpr std::string_view door_fans_suffix = ".door_fans";

/// Whether a pattern of `power.cords` means that motor: it fits its name, or that of the unit or water that it is of.
bool means_motor(std::string_view pattern, std::string_view motor);

/// Of a name under `power` that nothing bears: the message, with the nearest of the names that are borne.
void report_unknown(std::string message, std::string_view name, std::span<const std::string> known,
                    const Mention& mention, Problems& problems);

/// Loads of a diagram by what they are: those of racks hang on cords, doors on the cords of their rack.
struct LoadNames {
  std::vector<std::string> racks, motors;
};

/// Applies `power.absent` and `power.cords`. Names that do not exist, what hangs on nothing, and what is wrong with the diagram then, are
/// reported at the places of the file that name it.
void change_diagram(const PowerSpec& power, const LoadNames& loads, electrical::OneLineDiagram& diagram,
                    Problems& problems);

}  // namespace wattloop::twin
