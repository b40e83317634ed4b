// The hardware library: one YAML file per device, each value with its source, put instead of the names of a
// scenario.
//
//   hardware: cdu_121kw                     the file hardware/cdu_121kw.yaml of a library folder
//   with: { pump: { efficiency: 60 % } }    changes single values of that device
//   tariff: large_time_of_use               the file tariffs/large_time_of_use.yaml
//
// Library folders, the first that has the file: the folder of the scenario, the folder of the file that says
// `hardware:` (a base scenario, a device), `$WATTLOOP_LIBRARY`, share/wattloop beside the program's folder,
// scenarios/ of the source tree.
#pragma once

#include <filesystem>
#include <vector>

#include "core/text/problem.hpp"
#include "twin/document/document.hpp"

namespace wattloop::twin {

/// Replaces every `hardware: NAME` by the device itself (a map with its `name`), with what stands beside it
/// under `with` merged over, also inside devices. A `hardware:` that is a map already keeps its values.
/// Values in library files without a source that the bibliography has are problems, and so is a name that leaves the folder. The files that were read
/// are added to `files`.
void inline_hardware(Node& root, const std::filesystem::path& scenario_folder, Problems& problems,
                     std::vector<ReadFile>* files = nullptr);

/// Library folders that exist, for a scenario in that folder, in the order in which they are looked at.
std::vector<std::filesystem::path> library_folders(const std::filesystem::path& scenario_folder);

}  // namespace wattloop::twin
