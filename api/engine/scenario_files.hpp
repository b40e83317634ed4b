// The scenario of an open hall as files: its text, and beside it the watts of GPUs that a program has set.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "twin/scenario/specs/gpu_watts.hpp"
#include "twin/scenario/specs/scenario.hpp"

namespace wattloop::engine {

/// Name of the file of watts beside `file`: of mine.yaml mine.gpu_power.csv; empty where none were set.
std::string watts_file(const std::filesystem::path& file, const std::vector<twin::GpuWatts>& watts);

/// The scenario with acts, as `twin::Act::text` has them, and watts.
twin::Scenario with_all(const twin::Scenario& base, const std::vector<std::string>& acts,
                        const std::vector<twin::GpuWatts>& watts);

/// In the place of what that file had. Throws FileError.
void write_whole(const std::filesystem::path& file, std::string_view text);

}  // namespace wattloop::engine
