// The first minute of a scenario as results, for pictures of a hall that nobody has run yet.
#pragma once

#include <filesystem>

namespace wattloop::twin {

/// Results of the first minute, in a file of its own that is gone with this object. Throws what reading and running a scenario throw.
class ScenarioStart {
 public:
  explicit ScenarioStart(const std::filesystem::path& scenario);
  ~ScenarioStart();
  ScenarioStart(const ScenarioStart&) = delete;
  ScenarioStart& operator=(const ScenarioStart&) = delete;

  const std::filesystem::path& results() const { return results_; }

 private:
  std::filesystem::path folder_, results_;
};

bool is_scenario(const std::filesystem::path& file);

}  // namespace wattloop::twin
