// What a page is made of: title, figures, what is wrong, the hall with its labels, scales. Pictures and the window are laid out from them.
#pragma once

#include <vector>

#include "viz/hall/camera.hpp"
#include "viz/hall/plan_layout.hpp"
#include "viz/hall/scene.hpp"

namespace wattloop::viz {

/// Key figures side by side, each a large value over its name, at the right end of `area`; returns their left end.
double draw_key_figures(Drawing& drawing, const std::vector<KeyFigure>& figures, const Rectangle& area, double size);

/// The run's title over the time that is shown and why.
void draw_title(Drawing& drawing, const Scene& scene, const Rectangle& area, double size);

/// What is wrong, in a line of its own.
void draw_wrong(Drawing& drawing, const Scene& scene, const Rectangle& area, double size);

/// The scales side by side, those that colour something.
void draw_colour_bars(Drawing& drawing, const Scene& scene, const Rectangle& area, double size);

/// What the legend of jobs needs above the scales; nothing where other fields colour the racks.
double job_legend_height(const Scene& scene, double size);
void draw_job_legend(Drawing& drawing, const Scene& scene, const Rectangle& area, double size);

/// Everything that is drawn, and the floor under it: what a camera must hold.
std::vector<twin::LayoutBox> visible_boxes(const Scene& scene);

/// Labels of a hall in `area`, and its camera.
Camera add_hall(Drawing& drawing, const Scene& scene, const Rectangle& area, double size);

/// Crosses and strokes on what failed or is impaired, hatching on what stands or is off, as in the plan: on the face that looks to the viewer and on top.
void draw_conditions(Drawing& drawing, const Scene& scene, const Camera& camera);

/// The hall from above over what serves it.
PlanLayout add_plan(Drawing& drawing, const Scene& scene, const Rectangle& area, double size);

}  // namespace wattloop::viz
