// Water of doors and air handlers that is too cold for the air of its room: hoses would drip, and coils may be wet
// (physics/air/wet_coil.hpp). Makers ask for water at least 2 K above the dew point [motivair_rear_door].
//
// The air of a room with humidity control has its dew point; without, that of the air outside.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "twin/actions/weather/outdoors.hpp"
#include "twin/results/schema/event_record.hpp"

namespace wattloop::twin {

inline constexpr double condensation_margin_k = 2.0;  ///< of water above the dew point of the air

/// Whether hoses and coils in air of that dew point may drip with water of that temperature.
bool is_too_cold_for_coils(double water_k, double dew_point_k);

/// The same in words. `water`: "water of", "water of cold at".
std::string condensation_text(std::string_view water, double water_k, double dew_point_k, bool is_controlled);

/// Looks at the water that is now supplied, and reports each room once in a run. To be called when the weather changes.
void note_condensation(const Plant& plant, const Outdoors& outdoors, PlantState& state,
                       std::vector<EventRecord>& events);

/// Water as it comes to the coils of a room, and what it must not be colder than there.
struct WaterAtCoils {
  std::string room, water;  ///< "room_1", "chilled water"
  double water_k = 0.0;
  double least_k = 0.0;  ///< the dew point and the margin above it
};

/// Of every room, each water, where the dew point outside is that.
std::vector<WaterAtCoils> waters_at_coils(const Plant& plant, double dew_point_outside_k, const PlantState& state);

/// Whether it would report any room.
bool would_note_condensation(const Plant& plant, const Outdoors& outdoors, const PlantState& state);

}  // namespace wattloop::twin
