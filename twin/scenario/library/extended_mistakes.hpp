// Mistakes that are reported for a file that others extend, and are none of that file by itself.
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <vector>

#include "core/text/problem.hpp"
#include "twin/document/document.hpp"

namespace wattloop::twin {

/// What is wrong with a file that no one extends.
using MistakesOf = std::function<std::vector<Problem>(const std::filesystem::path&)>;

/// To hints of mistakes that stand in one of `bases`, which a scenario extends, adds what others say beside them, and where: where the
/// text stands that is not right, and where what makes it so, are two places then. Those that the base has by itself stay as they are.
void report_what_extends(const Node& root, std::span<const ReadFile> bases, const MistakesOf& mistakes_of,
                         std::vector<Problem>& problems);

}  // namespace wattloop::twin
