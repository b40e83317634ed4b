// The scenario that results keep, YAML in blocks, line by line: for what is asked of it without its library.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace wattloop::twin {

/// A line "key: value" with the keys around it.
struct ScenarioLine {
  std::vector<std::string> keys;  ///< from the outermost to its own
  std::string value{};            ///< empty where lines below it say it
};

/// The dash of a list counts as a blank.
std::vector<ScenarioLine> scenario_lines(std::string_view scenario);

}  // namespace wattloop::twin
