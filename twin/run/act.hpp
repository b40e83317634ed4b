// An act: an event of the scenario language that is written while a run is open, at the instant that it has reached.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "twin/document/number_limits.hpp"
#include "twin/plant/equipment/plant.hpp"
#include "twin/scenario/specs/gpu_watts.hpp"
#include "twin/scenario/specs/scenario.hpp"

namespace wattloop::twin {

class HallRun;

/// An act that was read: what it does, and the same as YAML that a scenario file takes.
struct Act {
  std::vector<EventSpec> events;
  std::string text;
};

/// Reads `act`, "fail: cdu_3" or "{ set: loop_1.pump_speed, to: 90 % }", as an item of `events`. Without `at` it happens at `now_s`, with a time
/// of day at the next such time from `now_s` on. Throws InputError with all that is wrong: what the reader of scenarios finds, an instant
/// before `now_s` or after the end, and a rack that clogs without having a branch of its own from the start. Targets that do not exist are
/// found by `add_act`.
Act read_act(const Scenario& base, std::string_view act, double now_s);

/// The act that sets `setting` to `value`, a text with its unit and nothing else: "36 degC".
Act read_set(const Scenario& base, std::string_view setting, std::string_view value, double now_s);

/// What sets the watts asked of all GPUs, [gpu], from now on; it has no text of its own (`GpuWatts`).
Act act_of_watts(const GpuWatts& watts);

/// An act as `Act::text` has it, which was read before.
Act read_again(const Scenario& base, const std::string& text);

/// Gives the act to the run (`HallRun::add_events`). Throws InputError where the plant has not what the act names, and all is as before.
void add_act(HallRun& run, const Act& act);

/// Throws the same, and leaves the run alone.
void check_act(HallRun& run, const Act& act);

/// The scenario with `events`, each as `Act::text` has it, as text of a file; of one that has watts of GPUs set, with `watts_file`, the name of
/// that file beside it. Throws InputError.
std::string text_with_acts(const Scenario& base, const std::vector<std::string>& events,
                           const std::string& watts_file = {});

/// Watts that were set, [gpu] each, as text of that file.
std::string watts_text(const Scenario& base, const Plant& plant, const std::vector<GpuWatts>& watts);

/// What `set` may set it to: "loop_1.pump_speed". None for other inputs, which belong to faults.
std::optional<NumberLimits> limits_of_input(std::string_view setting);

}  // namespace wattloop::twin
