// Pictures that commands write: SVG as it is, PNG by the converter.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "twin/platform/picture_texts.hpp"

namespace wattloop::twin {

/// InputError where `output` ends neither in .svg nor in .png, or may not be written (twin/commands/program/written_file.hpp).
void demand_picture_place(const std::filesystem::path& output, const std::vector<std::filesystem::path>& inputs,
                          bool is_forced, const std::string& option = "-o");

/// The file appears whole or not at all. Throws FileError.
void write_picture(const std::filesystem::path& output, const std::string& svg, std::span<const PictureText> texts);

}  // namespace wattloop::twin
