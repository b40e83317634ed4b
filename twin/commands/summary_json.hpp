// The summary of a run for machines.
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "twin/results/results_schema.hpp"
#include "twin/run/verdict.hpp"

namespace wattloop::twin {

/// Every figure by its name with value and unit; null with a `reason` where it is not a number. `limits` that parts were beyond, `results`
/// where there is a file, `verdicts` where figures were limited.
std::string summary_json(std::span<const NamedValue> figures, std::span<const LimitRecord> limits,
                         std::span<const Verdict> verdicts, const std::filesystem::path& results);

/// Verdicts alone, as an array.
std::string verdicts_json(std::span<const Verdict> verdicts);

}  // namespace wattloop::twin
