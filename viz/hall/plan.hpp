// The hall from above as a drawing: racks by their values, doors, CDUs, pipes; what failed is crossed out, what is off hatched.
#pragma once

#include "viz/hall/plan_layout.hpp"
#include "viz/hall/scene.hpp"

namespace wattloop::viz {

/// Where the parts of a scene appear in `area`, with room for numbers of rows and racks of text height `size`.
PlanLayout plan_of(const Scene& scene, const Rectangle& area, double size);

void draw_plan(Drawing& drawing, const Scene& scene, const PlanLayout& plan, double size);

/// A red frame around what is beyond a limit; of `scale` 1 on plans, less on small squares.
void draw_beyond(Drawing& drawing, const Rectangle& area, double scale);

/// A strip at the foot of `area` that says throttled, apart from what is coloured above it.
void draw_throttled(Drawing& drawing, const Rectangle& area);

/// Distance of lines in a box of so many pixels, so that lines and gaps remain distinct in one of eight pixels, too.
double hatch_pitch(double least);
/// Lines across `area` from lower left to upper right, `pitch` pixels apart.
void draw_hatch(Drawing& drawing, const Rectangle& area, Colour colour, double pitch);

void draw_cross(Drawing& drawing, const Rectangle& area, Colour colour, double width);
/// One stroke of a cross: something of it is wrong, and it goes on.
void draw_slash(Drawing& drawing, const Rectangle& area, Colour colour, double width);

/// The colour of a box: that of its value or of its largest share, else that of a part of which nothing is known.
Colour colour_of(const Scene& scene, const SceneBox& shown);

}  // namespace wattloop::viz
