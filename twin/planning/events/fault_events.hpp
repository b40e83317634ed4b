// What events named `stick`, `clog` and `fail` do to valves, passages and fans: each moves one setting of its part
// (core/parts/fault_setting.hpp), and `restore` moves it back.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/parts/fault_setting.hpp"
#include "twin/plant/equipment/plant.hpp"
#include "twin/scenario/specs/scenario.hpp"

namespace wattloop::twin {

/// Where an event names its target of that number.
Mention mention_of(const EventSpec& spec, std::size_t number);

/// The fault that an event brings by its setting; nullptr for `set`.
const FaultSetting* fault_of(const EventSpec& spec);

/// The state in which a valve stands: "cdu_3.valve_position" of "cdu_3.valve.stuck_at".
std::size_t position_state(const Plant& plant, const std::string& setting);

/// A rack that is shut off instead of clogged: it would have no way for its heat.
bool shuts_rack(const Plant& plant, const EventSpec& spec, const std::string& name);
/// Whether an event leaves less of a filter than lets any air through.
bool shuts_filter(const EventSpec& spec, const std::string& name);
Problem shut_filter(const EventSpec& spec, std::size_t number, const std::string& name);
Problem shut_rack(const EventSpec& spec, std::size_t number, const std::string& name);

}  // namespace wattloop::twin
