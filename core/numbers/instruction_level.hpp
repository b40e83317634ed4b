// Which instructions of x86-64 a program computes with: levels of the psABI, of which each has all of those below it (v2: SSE4.2; v3:
// vectors of 256 bits, and products that are added unrounded; v4: vectors of 512 bits). Numbers of two levels differ in their last
// digits; those of one are the same on any processor that has it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wattloop {

enum class InstructionLevel { v2, v3, v4 };

inline constexpr std::string_view any_level = "auto";  ///< on the command line: the best that is there
inline constexpr const char* level_variable = "WATTLOOP_ISA";

std::string_view name_of(InstructionLevel level);

/// "v3"; nothing for any other text.
std::optional<InstructionLevel> level_named(std::string_view name);

/// From the lowest.
std::vector<InstructionLevel> all_levels();

/// The highest that this processor, and the system on it, has; nothing below v2.
std::optional<InstructionLevel> level_of_processor();

/// What the simulation in this program is compiled for: "v3", or "native:" and the processor of a build for one machine. Programs of
/// which these are alike give the same bytes.
std::string_view instructions();

/// Of these levels what a command that asks for `asked` runs on: that one, or the highest of those where it is not there or nothing known is
/// asked for (whoever reads the command line says so). Nothing where there are none.
std::optional<InstructionLevel> chosen_level(std::string_view asked, std::optional<InstructionLevel> of_processor,
                                             const std::vector<InstructionLevel>& there);

}  // namespace wattloop
