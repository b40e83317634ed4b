// The file of a folder that a misspelt one was probably meant to be.
#pragma once

#include <filesystem>
#include <string>

namespace wattloop {

/// "did you mean 'x.csv'?" or "there is no folder 'y'"; empty where no name of the folder is near.
std::string nearest_file_hint(const std::filesystem::path& file);

}  // namespace wattloop
