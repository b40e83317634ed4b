// `wattloop import hall DIR`: a scenario from lists of racks, CDUs and power.
#pragma once

#include <filesystem>

namespace wattloop::twin {

struct ImportOptions {
  std::filesystem::path folder;
  std::filesystem::path output = "hall.yaml";
  bool is_forced = false;  ///< replaces a file that this command did not write
  bool is_quiet = false;   ///< no notes
};

/// Exit code 0; notes and warnings on standard error. Throws InputError with every inconsistency, FileError.
int import_command(const ImportOptions& options);

}  // namespace wattloop::twin
