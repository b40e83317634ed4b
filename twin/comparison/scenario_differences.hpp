// Where two scenarios say different things, by path.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wattloop::twin {

/// Nothing on the side that does not say it.
struct ScenarioDifference {
  std::string path;  ///< "hall.racks.count", items of lists by number from 1: as `--set` has it
  std::optional<std::string> a, b;
  bool operator==(const ScenarioDifference&) const = default;
};

/// Of two scenarios as results keep them, after `extends`, library and overrides; in the order of `a`, then what only `b` says. A text that
/// is no YAML says nothing.
std::vector<ScenarioDifference> scenario_differences(std::string_view a, std::string_view b);

}  // namespace wattloop::twin
