// Text of a file, unpacked where gzip has packed it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace wattloop {

/// None where it cannot be read or is damaged.
std::optional<std::string> unpacked_text(const std::filesystem::path& file);

}  // namespace wattloop
