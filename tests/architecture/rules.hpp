// The rules of the house. Each reads the whole project and returns what breaks it; none of them knows a test
// framework.
#pragma once

#include "tests/architecture/project.hpp"

namespace wattloop::tests {

/// core <- {physics, electrical, network, workload} <- twin <- viz, by quoted includes, which start at the
/// root.
Violations layer_violations(const Project& project);

/// Rooms of `twin/` and of `physics/` in their order, each knows those before it and itself, by quoted includes. Code stands in a room, and
/// every room has a README.md of at most fifteen lines. Rooms inside a room have an order, too; files beside them come after them.
Violations room_violations(const Project& project);

/// Folders and rooms that are compiled with an include folder of their own: `core`, `twin/run`.
std::vector<std::string> compiled_rooms();

/// Whether code of a folder or room may include a header, by the order of folders and of their rooms.
bool is_in_reach(const std::string& header, const std::string& room);

/// A folder has at most 36 sources.
Violations full_room_violations(const Project& project);

/// Every kind of part, a header that says `static_assert(Part<...>)`, is in the catalog of kinds; kinds of electrical equipment in theirs.
Violations part_violations(const Project& project);

/// Code of twin/integration, twin/units and twin/run names no kind of equipment: no word of a header in the catalog of kinds or of a
/// kind of electrical equipment stands there outside comments.
Violations kind_violations(const Project& project);

/// Nothing remembers behind the back of who asks: no code outside of tests says `thread_local`.
Violations memory_violations(const Project& project);

/// Code of twin/integration, twin/units and twin/run names no kind of electrical equipment, by its noun either.
Violations named_equipment_violations(const Project& project);

/// Nothing but twin/run makes a `Simulation`: all others go through `HallRun`, except tests of `Simulation` itself, which are listed.
Violations simulation_violations(const Project& project);

/// A third party is included only where its row of the table in include_rules.cpp says, and never without a
/// row.
Violations third_party_violations(const Project& project);

/// Code has at most 400 lines a file, and every header starts with `#pragma once` instead of guards.
Violations shape_violations(const Project& project);

/// A `.cpp` has a header of its name, or includes the header that a table of exceptions names with its reason.
Violations header_violations(const Project& project);

/// Nothing names a place of somebody's own machine.
Violations machine_path_violations(const Project& project);

/// Tests take folders of their own from tests/support/temporary_folder.hpp alone, and read no clock.
Violations test_surroundings_violations(const Project& project);

/// Every key in brackets in a comment or document, and every `source:` in YAML is an entry of
/// docs/references.bib, there once.
Violations citation_violations(const Project& project);

/// Relative links of Markdown files lead to files of the project.
Violations link_violations(const Project& project);

/// Documents and messages of the program have no word of the table in docs/terminology.md that must not come back.
/// Throws `std::runtime_error` where there is no such table.
Violations word_violations(const Project& project);

/// docs/seams.md and docs/step_contract.md name files, members (`Type::member`), tests (*name*, in a table) and
/// show C++ that exist.
Violations description_violations(const Project& project);

/// docs/seams.md names all groups of the results file.
Violations group_violations(const Project& project);

}  // namespace wattloop::tests
