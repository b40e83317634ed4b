#include "viz/pages/page.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "viz/charts/chart.hpp"
#include "viz/hall/labels.hpp"

namespace wattloop::viz {
namespace {

// Of the page's width: a picture with GPUs, and one of a whole hall.
constexpr double detailed_share = 0.55, overview_share = 0.62;
constexpr double outdoor_share = 0.32;  // of the height of the picture, for what stands outside
constexpr std::size_t colour_bar_steps = 64;

// From the front, a little from the right, far enough above to see into the drawers.
constexpr Metres rack_view{0.46, -1.0, 0.44};
// Almost a plan: rows lie level, no row hides another, fronts still show what stands upright.
constexpr Metres hall_view{0.0, -0.5, 1.0};

std::string time_line(const Scene& scene) {
  const std::string why = !scene.moment.empty() ? scene.moment : scene.is_hottest_time ? "when a die is hottest" : "";
  return fmt::format("{} after the start{}{}", time_text(scene.time_s), why.empty() ? "" : ", ", why);
}

/// Key figures side by side, each a large value over its name, at the right end of `area`; returns their left
/// end.
double draw_key_figures(Drawing& drawing, const std::vector<KeyFigure>& figures, const Rectangle& area, double size) {
  double right = area.right();
  for (auto figure = figures.rbegin(); figure != figures.rend(); ++figure) {
    const Text value{figure->value, {right, area.top() - 1.4 * size}, 1.5 * size, ink::text, Align::right, true};
    const Text caption{figure->caption, {right, area.top() - 3.5 * size}, size, ink::quiet, Align::right};
    right -= std::max(text_width(value), text_width(caption)) + 1.6 * size;
    drawing.add(value);
    drawing.add(caption);
  }
  return right;
}

/// The title as large as fits into `width`; one that is too long even when small loses its end.
Text fit_title(const std::string& title, Point at, double width, double size) {
  Text text{title, at, 1.75 * size, ink::text, Align::left, true};
  while (text_width(text) > width && text.size > 1.2 * size) text.size -= 0.05 * size;
  while (text_width(text) > width && text.text.size() > 4) {
    text.text.resize(text.text.size() - 4);
    while (!text.text.empty() && (text.text.back() & 0xC0) == 0x80) text.text.pop_back();  // a letter of several bytes
    if (!text.text.empty() && (text.text.back() & 0x80) != 0) text.text.pop_back();
    text.text += "...";
  }
  return text;
}

void draw_title(Drawing& drawing, const Scene& scene, const Rectangle& area, double size) {
  drawing.add(fit_title(scene.title, {area.left, area.top() - 1.3 * size}, area.width, size));
  drawing.add(Text{time_line(scene), {area.left, area.top() - 3.5 * size}, size, ink::quiet});
}

void draw_colour_bar(Drawing& drawing, const ColourScale& scale, const Rectangle& bar, double size) {
  const double step_width = bar.width / double(colour_bar_steps);
  for (std::size_t i = 0; i < colour_bar_steps; ++i)
    drawing.add(filled({bar.left + double(i) * step_width, bar.bottom, step_width + 0.5, bar.height},
                       scale.map->at((double(i) + 0.5) / colour_bar_steps)));
  drawing.add(Text{scale.title, {bar.left, bar.top() + 1.0 * size}, size, ink::text});
  for (const double limit : scale.limits) {
    const double x = bar.left + bar.width * (limit - scale.low) / (scale.high - scale.low);
    drawing.add(Stroke{{{x, bar.bottom}, {x, bar.top()}}, ink::text, 2.0});
  }
  const std::vector<double> ticks = round_ticks(scale.low, scale.high, 5);
  const double step = ticks.size() > 1 ? ticks[1] - ticks[0] : 1.0;
  for (const double tick : ticks) {
    const double x = bar.left + bar.width * (tick - scale.low) / (scale.high - scale.low);
    drawing.add(Stroke{{{x, bar.bottom}, {x, bar.bottom - 0.35 * size}}, ink::quiet});
    drawing.add(Text{tick_text(tick, step), {x, bar.bottom - 1.1 * size}, 0.92 * size, ink::quiet, Align::centre});
  }
}

/// What the camera must hold: everything, and the floor.
std::vector<twin::LayoutBox> visible_boxes(const Scene& scene) {
  std::vector<twin::LayoutBox> boxes;
  for (const SceneBox& shown : scene.boxes) boxes.push_back(shown.box);
  boxes.push_back(floor_under(boxes));
  return boxes;
}

/// The hall in the middle of `area`; a whole hall between the columns of its labels.
Camera hall_camera(const Scene& scene, const std::vector<Label>& labels, const Rectangle& area, double size) {
  const std::vector<twin::LayoutBox> boxes = visible_boxes(scene);
  if (scene.is_detailed) return fit_camera(boxes, rack_view, area, {5.5 * size, 1.5 * size});
  const Point margin{0.5 * size, 1.5 * size};
  const Camera first = fit_camera(boxes, hall_view, area, margin);
  return fit_camera(boxes, hall_view, room_between_labels(labels, first, area, size), margin);
}

/// Labels of a hall in `area`, and its camera.
Camera add_hall(Drawing& drawing, const Scene& scene, const Rectangle& area, double size) {
  const std::vector<Label> labels = hall_labels(scene);
  const Camera camera = hall_camera(scene, labels, area, size);
  draw_rack_numbers(drawing, scene, camera, size);
  draw_labels(drawing, labels, camera, area, size);
  return camera;
}

/// The scales side by side, those that colour something.
void draw_colour_bars(Drawing& drawing, const Scene& scene, const Rectangle& area, double size) {
  std::vector<const ColourScale*> scales;
  if (scene.highest) scales.push_back(&scene.parts);
  scales.push_back(&scene.coolant);
  if (scene.has_load) scales.push_back(&scene.load);
  const double gap = 3.0 * size;
  const double width = (area.width - size - gap * double(scales.size() - 1)) / double(scales.size());
  double left = area.left + 0.5 * size;
  for (const ColourScale* scale : scales) {
    draw_colour_bar(drawing, *scale, {left, area.bottom, width, area.height}, size);
    left += width + gap;
  }
}

}  // namespace

Page compose_page(const Scene& scene, const Timeline& timeline, int width, int height) {
  Page page;
  page.area = {0.0, 0.0, double(width), double(height)};
  const double size = std::max(height / 62.0, 10.0);
  const double margin = 2.0 * size;
  const Rectangle inner{margin, margin, width - 2 * margin, height - 2 * margin};
  const Rectangle head{inner.left, inner.top() - 4.6 * size, inner.width, 4.6 * size};
  const double share = scene.is_detailed ? detailed_share : overview_share;
  const Rectangle hall{inner.left, inner.bottom + 5.0 * size, share * width - margin,
                       head.bottom - inner.bottom - 6.0 * size};
  const double chart_left = hall.right() + 1.5 * size;
  const Rectangle chart{chart_left, inner.bottom, inner.right() - chart_left, head.bottom - inner.bottom};

  const Rectangle yard{hall.left, hall.top() - outdoor_share * hall.height, hall.width, outdoor_share * hall.height};
  Rectangle indoors = hall;
  if (!scene.outdoors.empty()) indoors.height -= yard.height;

  Drawing& drawing = page.drawing;
  const double figures_left = draw_key_figures(drawing, scene.key_figures, head, size);
  draw_title(drawing, scene, {head.left, head.bottom, figures_left - head.left, head.height}, size);
  drawing.add(Stroke{{{head.left, head.bottom}, {head.right(), head.bottom}}, ink::line, 1.0});
  page.camera = add_hall(drawing, scene, indoors, size);
  if (!scene.outdoors.empty()) {
    const Rectangle below_caption{yard.left, yard.bottom, yard.width, yard.height - 0.5 * size};
    page.outdoors = add_hall(drawing, scene.outdoor_scene(), below_caption, size);
    drawing.add(Text{"outside, on a scale of its own",
                     {yard.middle_x(), yard.top() - 0.3 * size},
                     0.92 * size,
                     ink::quiet,
                     Align::centre});
  }
  draw_colour_bars(drawing, scene, {hall.left, inner.bottom + 1.6 * size, hall.width, 0.9 * size}, size);
  draw_timeline(drawing, timeline, chart, size);
  return page;
}

}  // namespace wattloop::viz
