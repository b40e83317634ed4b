#include "viz/page.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "viz/chart.hpp"
#include "viz/labels.hpp"

namespace wattloop::viz {
namespace {

constexpr double hall_share = 0.55;  // of the page's width
constexpr std::size_t colour_bar_steps = 64;

// From the front, a little from the right, far enough above to see into the drawers.
constexpr Metres rack_view{0.46, -1.0, 0.44};
constexpr Metres hall_view{0.55, -1.0, 0.85};
constexpr Metres long_hall_view{1.0, -0.55, 0.75};  // of a hall much deeper than its rows are long

Metres viewing_direction(const Scene& scene) {
  if (scene.is_detailed) return rack_view;
  Metres low{1e9, 1e9, 1e9}, high{-1e9, -1e9, -1e9};
  for (const SceneBox& shown : scene.boxes) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      low[axis] = std::min(low[axis], shown.box.centre_m[axis]);
      high[axis] = std::max(high[axis], shown.box.centre_m[axis]);
    }
  }
  return high[1] - low[1] > 1.6 * (high[0] - low[0]) ? long_hall_view : hall_view;
}

std::string time_line(const Scene& scene) {
  return fmt::format("{} after the start{}", time_text(scene.time_s),
                     scene.is_hottest_time ? ", when a die is hottest" : "");
}

/// Key figures side by side, each a large value over its name, at the right end of `area`; returns their left
/// end.
double draw_key_figures(Drawing& drawing, const std::vector<KeyFigure>& figures, const Rectangle& area,
                        double size) {
  double right = area.right();
  for (auto figure = figures.rbegin(); figure != figures.rend(); ++figure) {
    const Text value{figure->value, {right, area.top() - 1.4 * size}, 1.5 * size, ink::text, Align::right,
                     true};
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
    while (!text.text.empty() && (text.text.back() & 0xC0) == 0x80)
      text.text.pop_back();  // a letter of several bytes
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
  const std::vector<double> ticks = round_ticks(scale.low, scale.high, 5);
  const double step = ticks.size() > 1 ? ticks[1] - ticks[0] : 1.0;
  for (const double tick : ticks) {
    const double x = bar.left + bar.width * (tick - scale.low) / (scale.high - scale.low);
    drawing.add(Stroke{{{x, bar.bottom}, {x, bar.bottom - 0.35 * size}}, ink::quiet});
    drawing.add(
        Text{tick_text(tick, step), {x, bar.bottom - 1.1 * size}, 0.92 * size, ink::quiet, Align::centre});
  }
}

/// What the camera must hold: everything, and the floor.
std::vector<twin::LayoutBox> visible_boxes(const Scene& scene) {
  std::vector<twin::LayoutBox> boxes;
  for (const SceneBox& shown : scene.boxes) boxes.push_back(shown.box);
  boxes.push_back(floor_under(boxes));
  return boxes;
}

}  // namespace

Page compose_page(const Scene& scene, const Timeline& timeline, int width, int height) {
  Page page;
  page.area = {0.0, 0.0, double(width), double(height)};
  const double size = std::max(height / 62.0, 10.0);
  const double margin = 2.0 * size;
  const Rectangle inner{margin, margin, width - 2 * margin, height - 2 * margin};
  const Rectangle head{inner.left, inner.top() - 4.6 * size, inner.width, 4.6 * size};
  const Rectangle hall{inner.left, inner.bottom + 5.0 * size, hall_share * width - margin,
                       head.bottom - inner.bottom - 6.0 * size};
  const double chart_left = hall.right() + 1.5 * size;
  const Rectangle chart{chart_left, inner.bottom, inner.right() - chart_left, head.bottom - inner.bottom};

  const Point for_labels{(scene.is_detailed ? 5.5 : 4.0) * size, 1.5 * size};
  page.camera = fit_camera(visible_boxes(scene), viewing_direction(scene), hall, for_labels);

  Drawing& drawing = page.drawing;
  const double figures_left = draw_key_figures(drawing, scene.key_figures, head, size);
  draw_title(drawing, scene, {head.left, head.bottom, figures_left - head.left, head.height}, size);
  drawing.add(Stroke{{{head.left, head.bottom}, {head.right(), head.bottom}}, ink::line, 1.0});
  draw_labels(drawing, hall_labels(scene), page.camera, hall, size);
  const Rectangle bars{hall.left, inner.bottom + 1.6 * size, hall.width, 0.9 * size};
  if (scene.highest)
    draw_colour_bar(drawing, scene.parts, {bars.left + size, bars.bottom, 0.46 * bars.width, bars.height},
                    size);
  draw_colour_bar(drawing, scene.coolant,
                  {bars.left + 0.58 * bars.width, bars.bottom, 0.40 * bars.width, bars.height}, size);
  draw_timeline(drawing, timeline, chart, size);
  return page;
}

}  // namespace wattloop::viz
