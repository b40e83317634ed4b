#include "twin/results/reader/scenario_lines.hpp"

#include <sstream>
#include <utility>

namespace wattloop::twin {

std::vector<ScenarioLine> scenario_lines(std::string_view scenario) {
  std::vector<ScenarioLine> lines;
  std::vector<std::pair<std::size_t, std::string>> open;  // keys around the line present, each with its indent
  std::istringstream in{std::string(scenario)};
  for (std::string text; std::getline(in, text);) {
    const std::size_t indent = text.find_first_not_of(" -");
    const std::size_t colon = indent == std::string::npos ? indent : text.find(':', indent);
    if (colon == std::string::npos || colon == indent) continue;
    while (!open.empty() && open.back().first >= indent) open.pop_back();
    open.emplace_back(indent, text.substr(indent, colon - indent));
    ScenarioLine line;
    for (const auto& [at, key] : open) line.keys.push_back(key);
    if (const std::size_t value = text.find_first_not_of(' ', colon + 1); value != std::string::npos)
      line.value = text.substr(value);
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace wattloop::twin
