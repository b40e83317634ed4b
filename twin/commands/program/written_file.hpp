// Texts that commands write to files: never over what they read, a device, or a file of somebody else.
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "twin/platform/whole_file.hpp"

namespace wattloop::twin {

/// InputError where `output` is one of `inputs`, a folder, a device, or, unless `is_forced`, a file that does not begin with `head`.
void demand_own_place(const std::filesystem::path& output, const std::vector<std::filesystem::path>& inputs,
                      std::string_view head, bool is_forced);

}  // namespace wattloop::twin
