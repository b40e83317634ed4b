// Two runs as one HTML page: what was changed, what became of it, curves of both in one chart.
#pragma once

#include <filesystem>
#include <string>

namespace wattloop::twin {

/// The whole page: how `b` differs from `a`. Throws FileError.
std::string difference_page(const std::filesystem::path& a, const std::filesystem::path& b);

}  // namespace wattloop::twin
