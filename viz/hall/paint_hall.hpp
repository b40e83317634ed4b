// Paints a hall into a layer of a window.
#pragma once

#include "viz/hall/camera.hpp"
#include "viz/hall/scene.hpp"

class vtkRenderer;

namespace wattloop::viz {

/// Fills a renderer with the hall, seen through the camera; the renderer's view is the whole page of
/// `page_height` pixels.
void paint_hall(vtkRenderer& renderer, const Scene& scene, const Camera& camera, const Rectangle& page);

}  // namespace wattloop::viz
