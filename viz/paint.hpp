// Paints a drawing and a hall into the layers of a window. The only seam between our plain data and VTK.
#pragma once

#include "viz/camera.hpp"
#include "viz/drawing.hpp"
#include "viz/scene.hpp"

class vtkRenderer;

namespace wattloop::viz {

/// Fills a renderer with the drawing, in pixels of its window.
void paint_drawing(vtkRenderer& renderer, const Drawing& drawing);

/// Fills a renderer with the hall, seen through the camera; the renderer's view is the whole page of
/// `page_height` pixels.
void paint_hall(vtkRenderer& renderer, const Scene& scene, const Camera& camera, const Rectangle& page);

}  // namespace wattloop::viz
