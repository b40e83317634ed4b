// Pictures that commands write: SVG as it is, PNG by the converter.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace wattloop::twin {

/// InputError where `output` ends neither in .svg nor in .png, or may not be written (twin/commands/program/written_file.hpp).
void demand_picture_place(const std::filesystem::path& output, const std::vector<std::filesystem::path>& inputs,
                          bool is_forced, const std::string& option = "-o");

/// The file appears whole or not at all. Throws FileError.
void write_picture(const std::filesystem::path& output, const std::string& svg);

}  // namespace wattloop::twin
