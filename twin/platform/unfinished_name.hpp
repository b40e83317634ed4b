// Names of files that are not whole yet, beside those that they are to become.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace wattloop::twin {

/// What this machine calls itself; "unknown" where it does not say.
std::string host_name();

/// "run.h5" -> "run.h5.4711-host-9f86d081a3c1e25b.partial": process, machine and chance, since containers that share a disk may agree in
/// the names of their machines and the numbers of their processes.
std::filesystem::path unfinished_name(const std::filesystem::path& file, std::string_view end = ".partial");

}  // namespace wattloop::twin
