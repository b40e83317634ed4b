#include "twin/scenario/sections/one_line_rows.hpp"

namespace wattloop::twin {

std::vector<FieldRow> one_line_rows() {
  return {{"buses.NAME", "V", "required", "more than 0", "Nominal voltage of a bus."},
          {"sources.NAME.bus", "text", "required", "", "Bus that a source feeds."},
          {"sources.NAME.hardware", "text", "", "", "A generator; without it the source is a utility feed."},
          {"sources.NAME.enabled", "true or false", "true", "", "Whether a generator starts when its bus is dead."},
          {"sources.NAME.short_circuit_power", "V A", "0 V A", "at least 0", "As `power.utility`; so `x_over_r`."},
          {"branches.NAME.from", "text", "required", "", "Bus on the side of the sources."},
          {"branches.NAME.to", "text", "required", "", "Bus on the side of the loads."},
          {"branches.NAME.between", "list", "", "", "Instead of both: two buses, of what carries either way."},
          {"branches.NAME.hardware", "text", "", "",
           "A transformer, cable, breaker, UPS, PDU ...; without it an ideal switch."},
          {"branches.NAME.with", "map", "none", "",
           "Changes single values of the hardware: `{ high_voltage: 10 kV, low_voltage: 415 V }` of a transformer."},
          {"branches.NAME.resistance", "ohm", "", "more than 0",
           "Of a line without hardware, of one conductor over its whole length; so `reactance` and `rated_current`."},
          {"branches.NAME.length", "m", "required", "more than 0", "Of a cable."},
          {"branches.NAME.modules", "count", "1", "more than 0", "Alike, in parallel."},
          {"branches.NAME.redundant", "count", "none", "at least 0", "Of them, that may be out at full load."},
          {"branches.NAME.room", "text", "", "",
           "`outdoors`, a room of the hall, or with `power.rooms` one of several rooms for UPS. Else UPS and PDUs "
           "stand in the hall, UPS "
           "with `power.rooms` in one room for them, all others outdoors."},
          {"branches.NAME.bypass", "text", "static", "static, none", "Of a UPS, as `power.ups`; so `batteries`."},
          {"branches.NAME.breaker", "text", "none", "",
           "A breaker or a fuse in series, `NAME.breaker` of its own: behind a transformer or a UPS, before what else "
           "there is. Or `{ hardware: ..., with: ... }`."},
          {"branches.NAME.open", "true or false", "false", "", "Whether it is open in the normal position."},
          {"branches.NAME.closes", "text", "by_hand", "by_hand, when_one_is_dead",
           "Of an open one: whether it closes by itself when one end is dead and the other is fed."},
          {"branches.NAME.after", "s", "2 s", "at least 0", "How long after that."},
          {"branches.NAME.returns_after", "s", "5 min", "at least 0",
           "How long after the dead end could be fed without it, it opens again."},
          {"loads.NAME.bus", "text", "required", "",
           "A load besides racks and motors: lights, offices, neighbours on a feeder. Bus that feeds it."},
          {"loads.NAME.power", "W", "required", "more than 0",
           "At nominal voltage; events may set `NAME.power`. It heats no room and is no part of the facility: PUE "
           "leaves it out."},
          {"loads.NAME.power_factor", "ratio", "95 %", "0 to 1, not 0",
           "Power factor; or `reactive_power`, in V A, negative where the load delivers some."},
          {"loads.NAME.constant_current", "ratio", "0 %", "0 to 1",
           "Share that follows the voltage in proportion; so `constant_impedance`, with its square. The rest is "
           "constant power."},
          {"transfers.NAME.from", "list", "required", "",
           "A transfer switch: the bus that it prefers, and the other; takes `hardware`, `after` (0 s), "
           "`returns_after` (10 s)."},
          {"transfers.NAME.to", "text", "required", "", "Bus behind it."},
          {"interlocks.NAME.of", "list", "required", "", "Branches of which only some may be closed at a time."},
          {"interlocks.NAME.at_most", "count", "required", "more than 0",
           "How many: those that are listed first go before others."}};
}

}  // namespace wattloop::twin
