// SVG to PNG.
#pragma once

#include <filesystem>

namespace wattloop::twin {

/// By the converter of librsvg, so that text looks as in browsers; 1600 pixels wide. Throws FileError where it is not installed or fails.
void convert_to_png(const std::filesystem::path& svg, const std::filesystem::path& png);

}  // namespace wattloop::twin
