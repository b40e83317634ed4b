#include "viz/pages/page.hpp"

#include <algorithm>

#include "viz/charts/chart.hpp"
#include "viz/hall/elevation.hpp"
#include "viz/pages/page_parts.hpp"

namespace wattloop::viz {
namespace {

// Of the page's width: a picture with GPUs, and one of a whole hall.
constexpr double detailed_share = 0.55, overview_share = 0.62;
constexpr double outdoor_share = 0.32;  // of the height of the picture, for what stands outside

/// The hall as VTK draws it, what stands outside above it.
void draw_in_space(Page& page, const Scene& scene, const Rectangle& hall, double size) {
  Rectangle indoors = hall;
  if (!scene.outdoors.empty()) indoors.height -= outdoor_share * hall.height;
  page.camera = add_hall(page.drawing, scene, indoors, size);
  if (scene.outdoors.empty()) return;
  const Rectangle yard{hall.left, indoors.top(), hall.width, hall.top() - indoors.top()};
  page.outdoors = add_hall(page.drawing, scene.outdoor_scene(),
                           {yard.left, yard.bottom, yard.width, yard.height - 0.5 * size}, size);
  page.drawing.add(Text{"outside, on a scale of its own",
                        {yard.middle_x(), yard.top() - 0.3 * size},
                        0.92 * size,
                        ink::quiet,
                        Align::centre});
}

}  // namespace

Page compose_page(const Scene& scene, const Timeline& timeline, int width, int height) {
  Page page;
  page.area = {0.0, 0.0, double(width), double(height)};
  const double size = std::max(height / 62.0, 10.0);
  const double margin = 2.0 * size;
  const Rectangle inner{margin, margin, width - 2 * margin, height - 2 * margin};
  const double wrong = scene.wrong.empty() ? 0.0 : 2.0 * size;
  const Rectangle head{inner.left, inner.top() - 4.6 * size, inner.width, 4.6 * size};
  const double below_head = head.bottom - wrong;
  const double share = scene.is_detailed ? detailed_share : overview_share;
  const double jobs = job_legend_height(scene, size);
  const Rectangle hall{inner.left, inner.bottom + 5.0 * size + jobs, share * width - margin,
                       below_head - inner.bottom - 6.0 * size - jobs};
  const double chart_left = hall.right() + 1.5 * size;
  const Rectangle chart{chart_left, inner.bottom, inner.right() - chart_left, below_head - inner.bottom};

  Drawing& drawing = page.drawing;
  const double figures_left = draw_key_figures(drawing, scene.key_figures, head, size);
  draw_title(drawing, scene, {head.left, head.bottom, figures_left - head.left, head.height}, size);
  drawing.add(Stroke{{{head.left, head.bottom}, {head.right(), head.bottom}}, ink::line, 1.0});
  if (wrong > 0.0) draw_wrong(drawing, scene, {head.left, below_head, head.width, wrong}, size);
  if (!scene.rack.empty())
    draw_elevation(drawing, scene, hall, size);
  else if (scene.is_detailed || scene.is_isometric)
    draw_in_space(page, scene, hall, size);
  else
    page.plan = add_plan(drawing, scene, hall, size);
  draw_colour_bars(drawing, scene, {hall.left, inner.bottom + 1.6 * size, hall.width, 0.9 * size}, size);
  draw_job_legend(drawing, scene, {hall.left, inner.bottom + 4.4 * size, hall.width, jobs}, size);
  draw_timeline(drawing, timeline, chart, size);
  return page;
}

}  // namespace wattloop::viz
