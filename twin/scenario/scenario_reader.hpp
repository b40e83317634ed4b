// Reads a scenario: the file, what it extends, the hardware library and overrides, checked as a whole.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "twin/scenario/scenario.hpp"

namespace wattloop::twin {

/// The scenario of a YAML file. `overrides` are "path=value" as after `--set`. Throws InputError with all
/// that is wrong.
Scenario read_scenario(const std::filesystem::path& file, const std::vector<std::string>& overrides = {});

/// Same from text; `name` stands for the file, whose folder is where relative paths begin.
Scenario read_scenario_text(std::string_view text, const std::filesystem::path& name,
                            const std::vector<std::string>& overrides = {});

}  // namespace wattloop::twin
