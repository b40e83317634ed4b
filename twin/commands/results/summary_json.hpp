// The summary of a run for machines.
#pragma once

#include <span>
#include <string>

#include "twin/commands/results/run_end.hpp"

namespace wattloop::twin {

/// Of the form below; grows where a name changes its meaning or goes, not where one is added.
constexpr int summary_json_version = 1;

/// `schema_version`, `title`, `scenario_file`, `seed`, `results` where there is a file; every figure by its name with value and unit, null with a
/// `reason` where it is not a number; `limits` that parts were beyond, `events`, `verdicts` where figures were limited.
std::string summary_json(const RunEnd& end);

/// Verdicts alone, as an array.
std::string verdicts_json(std::span<const Verdict> verdicts);

}  // namespace wattloop::twin
