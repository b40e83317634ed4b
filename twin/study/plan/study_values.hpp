// What files of studies and of calibrations say alike. What is wrong goes to `problems`.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/text/problem.hpp"
#include "twin/document/document.hpp"
#include "twin/document/override.hpp"

namespace wattloop::twin {

/// `set:` and `events:`, what all runs have otherwise than the base; either may be null.
std::vector<DocumentChange> read_fixed(const Node* set, const Node* events, Problems& problems);

/// The file that `key: NAME` names; empty where the node is null.
std::filesystem::path read_file_name(const Node* name, const std::string& key, Problems& problems);

/// The items of a list; a scalar is a list of one. `what` is for messages.
std::vector<Node> list_of(const Node& node, const std::string& what, Problems& problems);

/// Like `list_of`, for a list of names.
std::vector<Node> texts_of(const Node& node, const std::string& what, Problems& problems);

/// A letter, then letters, digits and _.
bool is_name(const std::string& text);

}  // namespace wattloop::twin
