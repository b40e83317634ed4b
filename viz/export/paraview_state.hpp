// A state of ParaView as a Python script: opens what was exported coloured, scaled and framed.
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "twin/results/schema/results_schema.hpp"
#include "viz/export/xdmf.hpp"

namespace wattloop::viz {

/// Where the state of an XDMF file stands: "a/run.xdmf2" -> "a/run.pvstate.py".
std::filesystem::path state_path(const std::filesystem::path& xdmf);

/// The script. Racks by their hottest die, pipes by their water, equipment by its loading, on the scales of pictures; GPUs are
/// there and hidden, as is what stands in the yard; every cell has the name of its part. The camera shows what stands in the hall.
std::string paraview_state(const XdmfDocument& document, std::span<const twin::LayoutBox> layout,
                           const std::filesystem::path& xdmf, const std::string& title);

}  // namespace wattloop::viz
