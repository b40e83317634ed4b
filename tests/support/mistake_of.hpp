// What the program reports of a scenario of the source tree with changes.
#pragma once

#include <string>
#include <vector>

#include "tests/support/scenario_run.hpp"

namespace wattloop::tests {

/// All mistakes in one text; "nothing" where a run of it begins.
inline std::string mistake_of(const std::vector<std::string>& overrides, const std::string& scenario = "one_rack") {
  try {
    ScenarioRun run(scenario, overrides);
  } catch (const InputError& error) {
    return error.what();
  }
  return "nothing";
}

}  // namespace wattloop::tests
