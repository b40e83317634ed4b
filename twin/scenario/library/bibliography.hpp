// The keys that a `source:` of the hardware library may name.
#pragma once

#include <filesystem>
#include <set>
#include <string>

namespace wattloop::twin {

/// Keys of docs/references.bib as the program was built, and of the file references.bib beside the folder hardware/ of
/// `library`, where it has one of its own.
std::set<std::string> bibliography_keys(const std::filesystem::path& library);

}  // namespace wattloop::twin
