// A state of ParaView as a Python script: opens what was exported coloured, scaled and framed.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "twin/results/schema/results_schema.hpp"
#include "viz/export/xdmf.hpp"

namespace wattloop::viz {

/// Where the state of an XDMF file stands: "a/run.xdmf2" -> "a/run.pvstate.py".
std::filesystem::path state_path(const std::filesystem::path& xdmf);

/// What the state shows besides the blocks.
struct StateOfRun {
  std::string title{};
  std::string start_iso{};                               ///< "2026-01-01T00:00:00"
  double shown_s = 0.0;                                  ///< where it opens
  std::vector<std::pair<double, std::string>> events{};  ///< time in s, words; in the order of time
};

/// The script. Racks by their margin, or their hottest die, pipes by their water, equipment by its loading, on the scales of pictures; GPUs, motors
/// and breakers are there and hidden, as is what stands in the yard; every cell has the name of its part, racks and GPUs the numbers of
/// row, rack and node. The camera shows what stands in the hall.
std::string paraview_state(const XdmfDocument& document, std::span<const twin::LayoutBox> layout,
                           const std::filesystem::path& xdmf, const StateOfRun& run);

}  // namespace wattloop::viz
