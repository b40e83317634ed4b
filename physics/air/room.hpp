// A room, as it is reported: its air, and racks, floor and walls in it (physics/air/room_mass.hpp).
#pragma once

#include <array>
#include <string_view>

#include "core/parts/part.hpp"
#include "physics/air/wet_coil.hpp"

namespace wattloop::physics {

struct Room {
  static constexpr std::string_view kind = "room";
  static constexpr std::string_view doc = "Air of a room, and the bodies in the room that store heat.";
  static constexpr bool is_only_reported = true;
  struct Params {
    double
        highest_air_k;  ///< up to which equipment in it carries its rating; infinite where that is reported elsewhere
  };

  struct Now {
    double air_k;
    double mass_k;    ///< that of the air where a room has no mass
    double vapour_j;  ///< of heat that left with vapour since the begin: less what condensed on coils brought in
  };

  static constexpr auto ports() {
    return std::array{
        Port<Room>{"air", "K", &Now::air_k}, Port<Room>{"mass", "K", &Now::mass_k},
        Port<Room>{"vapour", "W", &Now::vapour_j},  // noticed like a heat, whose sum it is
    };
  }

  static constexpr PartTable table{"rooms", "room"};
  static constexpr Box box = not_drawn;
  static constexpr auto columns() {
    using Reading = const Instant<Room>&;
    return std::array{
        Column<Room>{"temperature", "K", "air in the room", [](Reading reading) { return reading.now.air_k; }},
        Column<Room>{"mass_temperature", "K", "racks, floor and walls; in a room without mass, the air",
                     [](Reading reading) { return reading.now.mass_k; }},
        Column<Room>{"condensate", "kg", "water that condensed on coils in the room since the start",
                     [](Reading reading) { return (0.0 - reading.now.vapour_j) / evaporation_heat_j_per_kg; }},
    };
  }
  /// Above it no equipment works in a room, and models of a hall mean nothing (estimate).
  static constexpr double end_of_models_k = 373.15;
  static constexpr auto limits() {
    return std::array{
        Limit<Room>{"temperature", "K", [](const Params& p) { return endures_all_beyond(p.highest_air_k); },
                    Beyond::log, Side::above,
                    "hotter than the air in which its electrical equipment carries its rating"},
        Limit<Room>{"temperature", "K", [](const Params&) { return endures_all_beyond(end_of_models_k); }, Beyond::stop,
                    Side::above, "no equipment works in air of this temperature"},
        Limit<Room>{"condensate", "kg", [](const Params&) { return endures_all_beyond(noticeable_condensate_kg); },
                    Beyond::log, Side::above, "water condenses on coils in this room"},
    };
  }
  static constexpr auto watched() {
    return std::array{
        Watched<Room>{{.name = "room_temperature",
                       .unit = "K",
                       .place = SummaryPlace::rooms,
                       .highest = "warmest room",
                       .line = {.shows = WatchedLine::Shows::range, .label = "room", .label_of_many = "rooms"}},
                      [](const Instant<Room>& reading) { return reading.now.air_k; }},
    };
  }
};

static_assert(Part<Room>);

}  // namespace wattloop::physics
