// The summary of a run for machines.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "twin/results/results_schema.hpp"
#include "twin/run/verdict.hpp"

namespace wattloop::twin {

/// What a run ends with.
struct ToldRun {
  const std::vector<NamedValue>& figures;
  const std::vector<Verdict>& verdicts;    ///< of `--limit`
  const std::vector<LimitRecord>& limits;  ///< that parts were beyond
};

/// Every figure by its name with value and unit; null with a `reason` where it is not a number. `results` where there is a file,
/// `limits` always, `verdicts` where any limit was given.
std::string summary_json(const ToldRun& run, const std::filesystem::path& results);

}  // namespace wattloop::twin
