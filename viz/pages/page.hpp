// The page around the hall: title, key figures, labels with leaders, colour bars, timeline; and where the
// hall goes.
#pragma once

#include <optional>

#include "viz/charts/timeline.hpp"
#include "viz/hall/camera.hpp"
#include "viz/hall/plan_layout.hpp"
#include "viz/hall/scene.hpp"

namespace wattloop::viz {

struct Page {
  Rectangle area;                  ///< all of it, from (0, 0)
  std::optional<PlanLayout> plan;  ///< of a hall from above, which is part of the drawing
  std::optional<Camera> camera;    ///< of a hall that VTK draws: with GPUs, or isometric
  std::optional<Camera> outdoors;  ///< of what stands outside, on a scale of its own
  Drawing drawing;                 ///< over them
};

/// Lays out a page of `width` by `height` pixels; text grows with the height. At least 800 by 500.
Page compose_page(const Scene& scene, const Timeline& timeline, int width, int height);

}  // namespace wattloop::viz
