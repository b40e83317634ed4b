// Paints a drawing into a layer of a window.
#pragma once

#include "viz/drawing/drawing.hpp"

class vtkRenderer;

namespace wattloop::viz {

/// Fills a renderer with the drawing, in pixels of its window.
void paint_drawing(vtkRenderer& renderer, const Drawing& drawing);

}  // namespace wattloop::viz
