// `wattloop audit`: every part, and every pair, out for maintenance and lost, and what that costs; resumed by the same command.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/instruction_level.hpp"
#include "twin/search/audit_plan.hpp"

namespace wattloop::twin {

struct AuditCommandOptions {
  AuditOptions audit;
  std::filesystem::path output;  ///< folder; empty: results/audit_NAME
  std::vector<std::string> overrides;
  std::string require;  ///< "concurrently_maintainable", "fault_tolerant"; empty: nothing
  std::string isa{any_level};
  int threads = 1;
  bool is_dry = false;
  bool is_afresh = false;
  bool is_json = false;
  bool is_quiet = false;
};

/// Exit code: 0 done, 2 the hall as it is has no answer, 3 what is required is not so, 130 interrupted. Throws InputError, FileError.
int audit_command(const AuditCommandOptions& options);

}  // namespace wattloop::twin
