// Runs of one folder are computed with the same instructions, whichever processes compute them, and whenever.
#pragma once

#include <filesystem>
#include <string>

namespace wattloop::twin {

struct StudyProcess {
  bool is_one_of_several = false;
  bool is_afresh = false;  ///< whatever the folder holds is lost
};

/// Returns where this program computes with the instructions of the folder, which are its own where it is the first. Else goes on in the
/// program that does, or throws InputError with the reason.
void keep_study_to_instructions(const std::filesystem::path& folder, const std::string& asked, StudyProcess process);

}  // namespace wattloop::twin
