// Values of a scenario against each other: each of them is good, but together they make no sense.
#pragma once

#include "core/text/problem.hpp"
#include "twin/document/document.hpp"
#include "twin/scenario/sections/scenario_sections.hpp"

namespace wattloop::twin {

/// The value at a path of keys; null where it does not go on.
const Node* find_path(const Node& root, const FilePath& keys);

/// The value at the path or, where it is left to its default, the last map on the way there.
const Node& mention_of(const Node& root, const FilePath& keys);

/// That of something inside of what stands at a path.
FilePath inside(FilePath path, const FilePath& keys);

/// "cdu_1", "room_1", "ups_a": names that equipment has or may have.
bool is_of_equipment(const std::string& name);

/// How much of a scenario was read: where there are problems already, only names mean something.
enum class ReadSoFar { names, all };

/// Names that two things have, or that equipment has (twin/scenario/checks/taken_names_check.cpp).
void check_taken_names(const Node& root, const Scenario& scenario, Problems& problems);

/// Names in `on:` that nothing has, or that more than one could be meant by; racks that nothing cools. The same
/// (twin/scenario/checks/hangs_on_check.cpp).
void check_hangs_on(const Node& root, const Scenario& scenario, ReadSoFar so_far, Problems& problems);

/// Rooms by name: what stands in none of them, and what one has nothing of (twin/scenario/checks/rooms_check.cpp).
void check_rooms(const Node& root, const Scenario& scenario, Problems& problems);

/// Fabrics that cannot be built, where they are modelled (twin/scenario/checks/fabric_check.cpp).
void check_fabric(const Node& root, const Scenario& scenario, Problems& problems);

/// Water of coils whose set-point no one says, or two do (twin/scenario/checks/coil_set_points_check.cpp).
void check_coil_set_points(const Node& root, const CoolingSpec& cooling, Problems& problems);

/// Whether a part brings water of that name from its return to its supply.
bool makes_water(const Scenario& scenario, const std::string& water);

/// Waters that parts of a scenario are joined to by name, and where heat goes through them (twin/scenario/checks/part_ways_check.cpp).
void check_part_ways(const Node& root, const Scenario& scenario, ReadSoFar so_far, Problems& problems);

/// Checks names. Works also for a scenario that was read with problems.
void check_names(const Node& root, const Scenario& scenario, Problems& problems);

/// Adds a problem, at its place in the document, for everything that does not fit. Means something only for a
/// scenario that was read without problems.
void check_consistency(const Node& root, const ScenarioDraft& draft, Problems& problems);

}  // namespace wattloop::twin
