// YAML text to nodes and back, without what the scenario language adds to it.
#pragma once

#include <string>
#include <string_view>

#include "core/text/problem.hpp"
#include "twin/document/document.hpp"

namespace wattloop::twin {

/// The text's one document; null for an empty one. Duplicate keys (the first one is kept), keys that are no
/// text, tags, merge keys and a second document are problems; so is broken YAML, for which null is returned.
/// Aliases are copied.
Node parse_yaml(std::string_view text, const std::string& file, Problems& problems);

/// Same of a value given on the command line, whose every place is `place`.
Node parse_yaml_value(std::string_view text, const Place& place, Problems& problems);

/// `text` as it is written in quotes: its `${` would be read as a name of the environment.
std::string without_environment(std::string_view text);

}  // namespace wattloop::twin
