// Runs of one folder are computed with the same instructions, whichever processes compute them, and whenever.
#pragma once

#include <filesystem>
#include <string>

namespace wattloop::twin {

/// Returns where this program computes with the instructions of the folder, which it says where it is the first. Else goes on in the
/// program that does, or throws InputError with the reason. `is_afresh`: whatever the folder holds is lost.
void keep_study_to_instructions(const std::filesystem::path& folder, const std::string& asked, bool is_afresh);

}  // namespace wattloop::twin
