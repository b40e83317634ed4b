// `wattloop summary RESULTS`: what a run said at its end, from its results file.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "core/units.hpp"
#include "twin/run/verdict.hpp"

namespace wattloop::twin {

struct SummaryOptions {
  std::filesystem::path results;
  std::vector<std::string> limits;  ///< on figures of the summary: "pue <= 1.2"
  bool is_json = false;
  UnitStyle units = UnitStyle::metric;
};

/// Prints what `run` printed. Exit code 0, or 3 where a limit is violated. Throws InputError, FileError.
int summary_command(const SummaryOptions& options);

/// The summary as `run` and `summary` print it: its text, verdicts, and where the results are; empty: not written.
std::string summary_page(const std::string& text, std::span<const Verdict> verdicts,
                         const std::filesystem::path& results);

}  // namespace wattloop::twin
