// One rack from the front: its nodes at their heights, and in each its GPUs with their values.
#pragma once

#include <string>
#include <vector>

#include "twin/results/reader/results_reader.hpp"
#include "viz/drawing/drawing.hpp"
#include "viz/hall/scene.hpp"

namespace wattloop::viz {

/// Of all boxes of a scene with the GPUs of the whole hall; none where neither clock nor power was recorded.
std::vector<GpuState> read_gpu_states(const Scene& scene, const twin::ResultsReader& results);

/// Throws InputError, with the nearest name, where the results have no such rack, or where nothing was recorded of its GPUs.
void demand_rack(const twin::ResultsReader& results, const std::string& rack);

/// IT power, coolant and dies of the rack, instead of the hall's.
std::vector<KeyFigure> read_rack_figures(const Scene& scene, const twin::ResultsReader& results);

/// Into `area`, text of `size`.
void draw_elevation(Drawing& drawing, const Scene& scene, const Rectangle& area, double size);

}  // namespace wattloop::viz
