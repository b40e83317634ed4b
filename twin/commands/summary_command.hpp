// `wattloop summary RESULTS`: what a run, or a study, said at its end, from its file.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "twin/commands/run_end.hpp"

namespace wattloop::twin {

struct SummaryOptions {
  std::filesystem::path results;
  std::vector<std::string> limits;  ///< on figures of the summary: "pue <= 1.2"
  EndStyle style{};
  bool is_monthly = false;  ///< by calendar month
  bool is_csv = false;      ///< of months
};

/// Prints what `run` or `study` printed. Exit code 0, or 3 where a limit is violated, 2 where runs of a study have no answer. Throws InputError, FileError.
int summary_command(const SummaryOptions& options);

}  // namespace wattloop::twin
