// What switches by itself when power is lost or returns: batteries, standby generators with their transfer switches, and
// the motors that a dead bus stops. Acts at an instant, after the orders of events; what it decides holds until the next.
//
//   feed lost       generators start; after their start time they carry the bus of their side
//   feed back       before that: they stop. While they carry: after the retransfer delay, without a gap, they stop
//   battery empty   its branch is dead until it is fed; charged by anything at all, it is ready again
//   module failed   those left of its branch carry all; without any its bypass does, or it is dead
//   UPS open        whoever or whatever opened it: its bypass carries at the same instant (twin/actions/power/bypass.hpp)
//   end dead        ties and transfer switches close (twin/actions/power/automatic_switches.hpp)
//   bus dead        its motors stop at once and may start when power has been back for their restart delay
//
// Live: a source or branch that is neither open nor failed. The feed of a side is there when a branch into its bus is
// live. Starting and transfer times: [nfpa110], docs/models/generators.md. Tested in tests/unit/plant/switching.cpp.
#pragma once

#include <vector>

#include "twin/plant/state/plant_state.hpp"
#include "twin/results/schema/event_record.hpp"

namespace wattloop::twin {

/// Brings the switches of `state` in line with orders, charges and timers, starts and stops generators, and stops motors
/// that lost power. What happened is added to `events`. True if any switch changed.
bool switch_power(const Plant& plant, PlantState& state, std::vector<EventRecord>& events);

/// The next instant after now at which a generator takes load or a feed takes its load back; infinity if there is none.
double next_switching_s(const Plant& plant, const PlantState& state);

/// Lets what switches by itself do so at all instants before that time, from now on; `state.time_s` is then that of the last one.
void switch_until(double time_s, const Plant& plant, PlantState& state, std::vector<EventRecord>& events);

}  // namespace wattloop::twin
