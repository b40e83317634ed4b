// Figures for sizing from the hardware library.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "twin/scenario/specs/scenario.hpp"
#include "twin/sizing/figures.hpp"

namespace wattloop::twin {

/// Heat to coolant and air of a node at its nameplate: GPUs at what the split leaves them, at most their limit; what supplies lose and fans draw
/// to air; of the rest what is captured to coolant.
NodeFigures node_figures(const NodeHardware& node);

/// The node of that name as a scenario in `folder` would see it. Throws InputError.
NodeFigures read_node_figures(const std::string& name, const std::filesystem::path& folder);

/// Names of the nodes that a scenario in `folder` sees.
std::vector<std::string> node_names(const std::filesystem::path& folder);

/// Throws InputError where the library lacks a device.
LibraryFigures read_library_figures(const std::filesystem::path& folder);

}  // namespace wattloop::twin
