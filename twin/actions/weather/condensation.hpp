// Water of doors and air handlers that is too cold for the air of its room: hoses would drip, and coils may be wet
// (physics/air/wet_coil.hpp). Makers ask for water at least 2 K above the dew point [motivair_rear_door].
//
// The air of a room with humidity control has its dew point; without, that of the air outside.
#pragma once

#include <string>
#include <vector>

#include "twin/actions/weather/outdoors.hpp"
#include "twin/results/schema/event_record.hpp"

namespace wattloop::twin {

inline constexpr double condensation_margin_k = 2.0;  ///< of water above the dew point of the air

/// What is wrong with the set-point of the water at the highest dew points from start to end, room by room.
std::vector<std::string> condensation_warnings(const Scenario& scenario, const Outdoors& outdoors);

/// Looks at the water that is now supplied, and reports each room once in a run. To be called when the weather changes.
void note_condensation(const Plant& plant, const Scenario& scenario, const Outdoors& outdoors, PlantState& state,
                       std::vector<EventRecord>& events);

/// Water as it comes to the coils of a room, and what it must not be colder than there.
struct WaterAtCoils {
  std::string room, water;  ///< "room_1", "chilled water"
  double water_k = 0.0;
  double least_k = 0.0;  ///< the dew point and the margin above it
};

/// Of every room, each water, where the dew point outside is that.
std::vector<WaterAtCoils> waters_at_coils(const Plant& plant, const Scenario& scenario, double dew_point_outside_k,
                                          const PlantState& state);

/// Whether it would report any room.
bool would_note_condensation(const Plant& plant, const Scenario& scenario, const Outdoors& outdoors,
                             const PlantState& state);

}  // namespace wattloop::twin
