// The files of an open hall: the text of its scenario, and beside it the watts of GPUs that a program has set.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "twin/scenario/specs/gpu_watts.hpp"
#include "twin/scenario/specs/scenario.hpp"

namespace wattloop::engine {

/// The file by its whole path, so that it is found wherever the program goes; of a text without a name nothing.
std::filesystem::path place_of(const std::filesystem::path& file);

/// Name of the file of watts beside `file`: of mine.yaml mine.gpu_power.csv, with a number if `base` reads a file of that name; empty where none
/// were set.
std::string watts_file(const std::filesystem::path& file, const std::vector<twin::GpuWatts>& watts,
                       const twin::Scenario& base);

}  // namespace wattloop::engine
