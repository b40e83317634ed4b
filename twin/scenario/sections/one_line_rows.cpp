#include "twin/scenario/sections/one_line_rows.hpp"

namespace wattloop::twin {

std::vector<FieldRow> one_line_rows() {
  return {
      {"buses.NAME", "V", "required", "more than 0", "Nominal voltage of a bus."},
      {"sources.NAME.bus", "text", "required", "", "Bus that a source feeds."},
      {"sources.NAME.hardware", "text", "", "", "A generator; without it the source is a utility feed."},
      {"sources.NAME.enabled", "true or false", "true", "", "Whether the generator starts when its bus is dead."},
      {"sources.NAME.short_circuit_power", "V A", "0 V A", "at least 0",
       "Short-circuit power, as under `power.utility`; `x_over_r` likewise."},
      {"branches.NAME.from", "text", "required", "", "Bus on the side of the sources."},
      {"branches.NAME.to", "text", "required", "", "Bus on the side of the loads."},
      {"branches.NAME.between", "list", "", "",
       "For a branch that carries power in both directions: two buses, instead of `from` and `to`."},
      {"branches.NAME.hardware", "text", "", "",
       "A transformer, cable, breaker, UPS, PDU and so on; without it the branch is an ideal switch."},
      {"branches.NAME.with", "map", "none", "",
       "Single values of the hardware that differ here: `{ high_voltage: 10 kV, low_voltage: 415 V }` for a "
       "transformer."},
      {"branches.NAME.resistance", "ohm", "", "more than 0",
       "Resistance of one conductor of a line without hardware, over its whole length; `reactance` and `rated_current` "
       "likewise."},
      {"branches.NAME.length", "m", "required", "more than 0", "Length of a cable."},
      {"branches.NAME.modules", "count", "1", "more than 0", "Number of equal units in parallel."},
      {"branches.NAME.redundant", "count", "none", "at least 0",
       "Number of these modules that may be out of service at full load."},
      {"branches.NAME.room", "text", "", "",
       "Place of the equipment: `outdoors`, a room of the hall, or one of several UPS rooms of `power.rooms`. If it is "
       "not given, PDUs are in the hall. UPS are in their common UPS room if `power.rooms` is given, otherwise in the "
       "hall. All other equipment is outdoors."},
      {"branches.NAME.bypass", "text", "static", "static, none",
       "Bypass of a UPS, as under `power.ups`; `batteries` likewise."},
      {"branches.NAME.breaker", "text", "none", "",
       "A breaker or a fuse in series, named `NAME.breaker`: downstream of a transformer or a UPS, upstream of other "
       "equipment. Or `{ hardware: ..., with: ... }`."},
      {"branches.NAME.open", "true or false", "false", "", "Whether it is open in the normal position."},
      {"branches.NAME.closes", "text", "by_hand", "by_hand, when_one_is_dead",
       "For an open branch: whether it closes automatically when one end is dead and the other end is live."},
      {"branches.NAME.after", "s", "2 s", "at least 0", "Delay before it closes."},
      {"branches.NAME.returns_after", "s", "5 min", "at least 0",
       "Time for which other equipment must be able to feed the dead end before this branch opens again."},
      {"loads.NAME.bus", "text", "required", "",
       "Bus that feeds a load other than racks and motors, such as lights, offices or other users of a feeder."},
      {"loads.NAME.power", "W", "required", "more than 0",
       "Power at nominal voltage; events may set `NAME.power`. The load heats no room and is no part of the facility, "
       "so PUE does not include it."},
      {"loads.NAME.power_factor", "ratio", "95 %", "0 to 1, not 0",
       "Power factor; or `reactive_power` in V A, negative if the load delivers reactive power."},
      {"loads.NAME.constant_current", "ratio", "0 %", "0 to 1",
       "Share of the load with constant current; `constant_impedance`: share with constant impedance. The remaining "
       "share has constant power."},
      {"transfers.NAME.from", "list", "required", "",
       "A transfer switch between two buses: the preferred bus first, then the alternate bus; further keys are "
       "`hardware`, `after` (0 s), `returns_after` (10 s)."},
      {"transfers.NAME.to", "text", "required", "", "Bus downstream of the transfer switch."},
      {"interlocks.NAME.of", "list", "required", "",
       "Branches of which only `at_most` may be closed at the same time."},
      {"interlocks.NAME.at_most", "count", "required", "more than 0",
       "Number of these branches that may be closed; the branches that are listed first have priority."}};
}

}  // namespace wattloop::twin
