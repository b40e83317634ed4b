// The colours of what serves the racks: pipes, CDUs, CRAHs, towers, chillers by their temperatures,
// transformers, UPS and PDUs by their load, each as far as a group of the results holds it.
#pragma once

#include "viz/hall/scene.hpp"

namespace wattloop::viz {

/// Gives pipes and equipment their values at the scene's time, and the scene its scales for them.
void colour_equipment(Scene& scene, const twin::ResultsReader& results);

}  // namespace wattloop::viz
