// `wattloop check`: everything that can be said of a scenario without running it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace wattloop::twin {

struct CheckOptions {
  std::filesystem::path scenario;
  std::vector<std::string> overrides;
  bool is_resolved = false;  ///< print the resolved scenario instead
  bool is_json = false;
  bool are_all = false;  ///< rows, however far from their limits
};

/// Exit code 0; 2 where the hall has no steady state with nothing out, so that its limits have no values. Throws InputError.
int check(const CheckOptions& options);

}  // namespace wattloop::twin
