// An act: an event of the scenario language that is written while a run is open, at the instant that it has reached.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "twin/scenario/specs/scenario.hpp"

namespace wattloop::twin {

/// A scenario with one event more, and that event as YAML that a scenario file takes.
struct ActedScenario {
  Scenario scenario;
  std::string event;
};

/// Reads `act`, "fail: cdu_3" or "{ set: loop_1.pump_speed, to: 90 % }", as an item of `events`. Without `at` it happens at `now_s`. Throws
/// InputError with all that is wrong: what the reader of scenarios finds, an instant before `now_s` or after the end, and a rack that
/// clogs without having a branch of its own from the start. Targets that do not exist are found by `HallRun::reschedule`.
ActedScenario with_act(const Scenario& now, std::string_view act, double now_s);

/// The scenario with `events`, each as `with_act` returned it, as text of a file. Throws InputError.
std::string text_with_acts(const Scenario& base, const std::vector<std::string>& events);

/// A scenario of the same hall with these events besides its own. Throws InputError.
Scenario with_acts(const Scenario& base, const std::vector<std::string>& events);

/// Whether `set` changes it: "loop_1.pump_speed". Other inputs belong to faults.
bool may_be_set(std::string_view setting);

}  // namespace wattloop::twin
