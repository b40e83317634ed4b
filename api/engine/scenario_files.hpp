// The files of an open hall: the text of its scenario, and beside it the watts of GPUs that a program has set.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "twin/scenario/specs/gpu_watts.hpp"

namespace wattloop::engine {

/// Name of the file of watts beside `file`: of mine.yaml mine.gpu_power.csv; empty where none were set.
std::string watts_file(const std::filesystem::path& file, const std::vector<twin::GpuWatts>& watts);

}  // namespace wattloop::engine
