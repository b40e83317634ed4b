// A text file as a whole, or a problem that says why there is none.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "core/text/problem.hpp"
#include "twin/document/document.hpp"

namespace wattloop::twin {

/// The text of a UTF-8 file. A file that is missing (with the nearest name in its folder), a folder,
/// unreadable, or binary is a problem: at `named_at` where the file was named in another one, else at the
/// file itself.
std::optional<std::string> read_text_file(const std::filesystem::path& file, const Node* named_at, Problems& problems);

}  // namespace wattloop::twin
