// A data file that a scenario names: where it is, or a problem at the place where it was named.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

#include "core/text/problem.hpp"
#include "twin/document/document.hpp"

namespace wattloop::twin {

/// The file at `key` of a map, as it is reached from the working folder. None where the map names no file
/// that exists; what is wrong is a problem. `what` is what people call such a file: "trace".
std::optional<std::filesystem::path> find_named_file(const Node& map, std::string_view key, std::string_view what,
                                                     Problems& problems);

}  // namespace wattloop::twin
