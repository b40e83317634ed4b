// Which instructions the runs of a study's folder are computed with: the first process that comes says it, all others keep to it.
#pragma once

#include <filesystem>
#include <string>

namespace wattloop::twin {

/// What stands there already, else `requested`, from now on. `is_afresh`: forgets what stands there. Makes the folder. Throws InputError
/// where it is that of something else, FileError.
std::string fixed_instructions(const std::filesystem::path& folder, const std::string& requested, bool is_afresh);

/// What a process wants without a request: no more than every processor for servers of the last ten years has (v3), also where it is
/// alone, so that a study gives the same bytes however it is shared out.
std::string requested_instructions(const std::string& of_program);

}  // namespace wattloop::twin
