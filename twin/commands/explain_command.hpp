// `wattloop explain`: the language, the hardware library, and what stands in a scenario's plant.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace wattloop::twin {

struct ExplainOptions {
  std::string topic;               ///< a section, a kind, "hardware" or a device; empty: the list of topics
  std::filesystem::path scenario;  ///< whose parts are listed, if any
  std::vector<std::string> overrides;
  bool is_markdown = false;
  bool is_json = false;
  bool is_schema = false;
};

/// Prints what was asked for; the exit code. Throws InputError for names and scenarios that are not.
int explain_command(const ExplainOptions& options);

}  // namespace wattloop::twin
