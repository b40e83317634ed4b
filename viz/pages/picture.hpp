// One picture of a run: the hall at one time and a timeline beside it.
#pragma once

#include "viz/drawing/image.hpp"
#include "viz/pages/page.hpp"

class vtkRenderWindow;

namespace wattloop::viz {

/// What was rendered last.
Image pixels_of(vtkRenderWindow& window, int width, int height);

/// Draws the page and the hall on it, off-screen. Throws `FileError` where there is nothing to draw on (see
/// VirtualDisplay).
Image draw_picture(const Page& page, const Scene& scene);

}  // namespace wattloop::viz
