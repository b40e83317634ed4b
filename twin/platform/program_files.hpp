// Where the programs of an installation are: the one that people start, and behind it one for each level of instructions
// (core/numbers/instruction_level.hpp), beside it in a build tree, in its libexec folder where it is installed.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "core/numbers/instruction_level.hpp"

namespace wattloop::twin {

/// The one that people start, whichever this is; empty where the system does not report.
std::filesystem::path program_of_people();

/// Where the shared library is that holds this code, above its folders for levels of instructions; nothing in a program.
std::optional<std::filesystem::path> folder_of_library();

/// The program of a level; nothing where this installation has none.
std::optional<std::filesystem::path> program_of(InstructionLevel level);

std::vector<InstructionLevel> installed_levels();

/// A program whose bytes change with each change of the code, whatever level runs: the one of the lowest level, or this one.
std::filesystem::path program_reported_apart();

/// Starts that program instead of this one, with the same arguments. Functions of the C library that choose their instructions by
/// the processor keep to the level. Returns only where it fails.
void become(InstructionLevel level, char** arguments);

}  // namespace wattloop::twin
