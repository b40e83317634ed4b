// Mistakes that are told of a file which others extend, and are none of that file by itself.
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <vector>

#include "core/problem.hpp"
#include "twin/document/document.hpp"

namespace wattloop::twin {

/// What is wrong with a file that nobody extends.
using MistakesOf = std::function<std::vector<Problem>(const std::filesystem::path&)>;

/// To hints of mistakes that stand in one of `bases`, which a scenario extends, adds what others say beside them, and where: where the
/// text stands that is not right, and where what makes it so, are two places then. Those that the base has by itself stay as they are.
void tell_what_extends(const Node& root, std::span<const ReadFile> bases, const MistakesOf& mistakes_of,
                       std::vector<Problem>& problems);

}  // namespace wattloop::twin
