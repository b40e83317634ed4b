// `${NAME}` in quoted strings: the value of the environment variable.
#pragma once

#include <string>
#include <vector>

#include "core/text/problem.hpp"
#include "twin/document/document.hpp"

namespace wattloop::twin {

/// Expands `${NAME}` in every quoted scalar of the tree, which keeps what was written; `$${` becomes a plain `${`. A name that is not set,
/// and a
/// `${NAME}` outside of quotes, are problems.
void expand_environment(Node& node, Problems& problems);

/// Names of the variables that texts of the tree were expanded from, each once, in order.
std::vector<std::string> variables_of(const Node& root);

}  // namespace wattloop::twin
