// `wattloop search`: the value at a limit, an optimum, what matters most; resumed by the same command.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/instruction_level.hpp"

namespace wattloop::twin {

struct SearchOptions {
  std::filesystem::path study;
  std::filesystem::path output;  ///< folder; empty: results/NAME
  std::vector<std::string> overrides;
  std::string isa{any_level};
  int threads = 1;
  bool is_afresh = false;
  bool is_json = false;
  bool is_quiet = false;
};

/// Exit code: 0 an answer, 2 none that can be trusted (runs failed, not monotone), 3 no value in the range holds, 130 interrupted. Throws
/// InputError, FileError, SolverError.
int search_command(const SearchOptions& options);

}  // namespace wattloop::twin
