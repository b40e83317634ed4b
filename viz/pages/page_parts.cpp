#include "viz/pages/page_parts.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "core/tables/time_of_run.hpp"
#include "twin/drawings/names/display_name.hpp"
#include "viz/drawing/page_words.hpp"
#include "viz/hall/equipment_lines.hpp"
#include "viz/hall/labels.hpp"
#include "viz/hall/plan.hpp"

namespace wattloop::viz {
namespace {

constexpr std::size_t colour_bar_steps = 64;
constexpr std::size_t job_columns = 3;
constexpr double job_pitch = 1.5;  // of the text's height

// From the front, a little from the right, far enough above to see into the drawers.
constexpr Metres rack_view{0.46, -1.0, 0.44};
// From the front right corner, far enough above that a row hides little of the next.
constexpr Metres hall_view{0.55, -0.75, 1.0};

std::string time_line(const Scene& scene) {
  const std::string why = !scene.moment.empty() ? scene.moment : scene.is_hottest_time ? "when a die is hottest" : "";
  return with_degrees(fmt::format("{} after the start{}{}", time_of_run(scene.time_s), why.empty() ? "" : ", ", why));
}

void draw_colour_bar(Drawing& drawing, const ColourScale& scale, const Rectangle& bar, double size) {
  const double step_width = bar.width / double(colour_bar_steps);
  for (std::size_t i = 0; i < colour_bar_steps; ++i)
    drawing.add(filled({bar.left + double(i) * step_width, bar.bottom, step_width + 0.5, bar.height},
                       scale.map->at((double(i) + 0.5) / colour_bar_steps)));
  drawing.add(fitted({scale.title, {bar.left, bar.top() + 1.0 * size}, size, ink::text}, bar.width + 2.0 * size));
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

/// The hall in the middle of `area`; a whole hall between the columns of its labels.
Camera hall_camera(const Scene& scene, const std::vector<Label>& labels, const Rectangle& area, double size) {
  const std::vector<twin::LayoutBox> boxes = visible_boxes(scene);
  const bool is_one = std::ranges::count(boxes, "rack", &twin::LayoutBox::kind) == 1;  // narrow: labels stand beside it
  if (scene.is_detailed && is_one) return fit_camera(boxes, rack_view, area, {5.5 * size, 1.5 * size});
  const Point margin{0.5 * size, 1.5 * size};
  const Metres& view = scene.is_detailed ? rack_view : hall_view;
  const Camera first = fit_camera(boxes, view, area, margin);
  return fit_camera(boxes, view, room_between_labels(labels, first, area, size), margin);
}

/// Rows of racks, the most remarkable of `Scene::is_beyond` first, those with one number together: "row 9 (94.8), row 3 and 4 (91.2)".
std::string hottest_rows(const Scene& scene) {
  constexpr std::size_t most_numbers = 4;
  std::vector<std::pair<std::string, double>> rows;
  for (const SceneBox& shown : scene.boxes) {
    if (shown.box.kind != "rack" || !shown.has_value()) continue;
    const std::string row = shown.box.name.substr(0, shown.box.name.find('.'));
    const auto found = std::ranges::find(rows, row, &std::pair<std::string, double>::first);
    if (found == rows.end())
      rows.emplace_back(row, shown.value);
    else
      found->second = scene.is_beyond(shown.value, found->second) ? shown.value : found->second;
  }
  if (rows.size() < 2) return {};
  std::ranges::stable_sort(rows, [&](const auto& a, const auto& b) { return scene.is_beyond(a.second, b.second); });
  std::vector<std::pair<std::string, std::vector<std::string>>> by_number;
  for (const auto& [row, value] : rows) {
    std::string number = fmt::format("{:.1f}", value);
    if (by_number.empty() || by_number.back().first != number)
      by_number.emplace_back(std::move(number), std::vector<std::string>{});
    by_number.back().second.push_back(row);
  }
  std::string text;
  for (const auto& [number, names] : std::span(by_number).first(std::min(by_number.size(), most_numbers)))
    text += fmt::format("{}{} ({})", text.empty() ? "by row: " : ", ", twin::display_names(names), number);
  return text;
}

bool are_throttled(const Scene& scene) {
  return std::ranges::any_of(scene.boxes, [](const SceneBox& shown) { return shown.throttled_fraction > 0.0; });
}

void draw_highest(Drawing& drawing, const Scene& scene, const Rectangle& area, double size) {
  if (!scene.job_keys.empty())
    drawing.add(fitted({std::string("colours: jobs of a rack by their share of its nodes") +
                            (are_throttled(scene) ? "; purple foot: throttled" : ""),
                        {area.left, area.middle_y()},
                        0.92 * size,
                        ink::text},
                       area.width));
  if (!scene.highest) return;
  const SceneBox& highest = scene.boxes[*scene.highest];
  std::vector<std::string> said{
      fmt::format("framed: {}, {}", twin::display_name(highest.box.name), scene.extreme_text(highest.value))};
  if (are_throttled(scene)) said.emplace_back("purple foot: throttled");
  if (!scene.quiet_words.empty()) said.emplace_back("no rack is near a limit");
  if (scene.is_scaled_by_run) said.emplace_back("colours: all of the run");
  if (const std::string rows = hottest_rows(scene); scene.quiet_words.empty() && !rows.empty()) said.push_back(rows);
  drawing.add(
      fitted_list(said, {{}, {area.left, area.middle_y()}, 0.92 * size, ink::text}, area.width, Rest::left_out));
}

/// Slanted lines over a share of a box's top, some five pixels apart.
void hatch_top(Drawing& drawing, const SceneBox& shown, const Camera& camera, Colour colour) {
  const twin::LayoutBox& box = shown.box;
  const double share = shown.is_without_work() ? 1.0 : std::clamp(shown.off_fraction, 0.2, 1.0);
  const auto on_top = [&](double x, double y) {  // from 0 to 1 of its width and depth
    return camera.project({box.centre_m[0] + (x - 0.5) * box.size_m[0],
                           box.centre_m[1] + (share * y - 0.5) * box.size_m[1], box.centre_m[2] + 0.5 * box.size_m[2]});
  };
  constexpr double pitch = 5.0;
  const Point low = on_top(1.0, 0.0), high = on_top(0.0, 1.0);  // the diagonal that lines cross
  const int lines = std::max(int(std::hypot(high.x - low.x, high.y - low.y) / pitch), 2);
  for (int line = 1; line < lines; ++line) {
    const double along = 2.0 * line / lines, left = std::max(along - 1.0, 0.0), right = std::min(along, 1.0);
    drawing.add(Stroke{{on_top(left, along - left), on_top(right, along - right)}, colour, 1.2});
  }
}

/// A strip along the front of a box's top, as a stroke, of which windows keep what is inside of the hall's part.
void mark_throttled(Drawing& drawing, const SceneBox& shown, const Camera& camera) {
  const twin::LayoutBox& box = shown.box;
  constexpr double share = 0.2;
  const double front = camera.towards_viewer[1] < 0.0 ? -0.5 : 0.5, middle = front * (1.0 - share);
  const auto on_top = [&](double x, double y) {
    return camera.project({box.centre_m[0] + x * box.size_m[0], box.centre_m[1] + y * box.size_m[1],
                           box.centre_m[2] + 0.5 * box.size_m[2]});
  };
  const Point outer = on_top(0.0, front), inner = on_top(0.0, front * (1.0 - 2.0 * share));
  drawing.add(Stroke{{on_top(-0.5, middle), on_top(0.5, middle)},
                     ink::throttled,
                     std::max(std::hypot(outer.x - inner.x, outer.y - inner.y), 2.0)});
}

}  // namespace

std::vector<twin::LayoutBox> visible_boxes(const Scene& scene) {
  std::vector<twin::LayoutBox> boxes;
  for (const SceneBox& shown : scene.boxes) boxes.push_back(shown.box);
  boxes.push_back(floor_under(boxes));
  return boxes;
}

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

void draw_title(Drawing& drawing, const Scene& scene, const Rectangle& area, double size) {
  const std::string words = time_line(scene);
  constexpr double small = 0.9;
  const Text usual{words, {area.left, area.top() - 3.5 * size}, size, ink::quiet};
  const bool has_room = text_width(usual) <= area.width;
  const std::vector<std::string> lines =
      has_room ? std::vector<std::string>{} : wrapped(words, area.width, small * size, 2);
  const bool are_two = lines.size() > 1;
  const Point above{area.left, area.top() - (are_two ? 0.95 : 1.3) * size};
  constexpr double smallest_title = 0.57;  // as large as usual text
  drawing.add(fitted({scene.title, above, 1.75 * size, ink::text, Align::left, true}, area.width, smallest_title));
  if (has_room) drawing.add(usual);
  double y = area.top() - (are_two ? 2.85 : 3.5) * size;
  for (const std::string& line : lines) {
    drawing.add(Text{line, {area.left, y}, small * size, ink::quiet});
    y -= 1.1 * size;
  }
}

void draw_conditions(Drawing& drawing, const Scene& scene, const Camera& camera) {
  for (const SceneBox& shown : scene.boxes) {
    if (shown.throttled_fraction > 0.0) mark_throttled(drawing, shown, camera);
    if (shown.is_without_work() || shown.off_fraction > 0.0)
      hatch_top(drawing, shown, camera, ink_on(colour_of(scene, shown)));
    const bool is_broken = shown.condition == Condition::failed || shown.condition == Condition::impaired;
    if (!is_broken && shown.beyond.empty()) continue;
    const twin::LayoutBox& box = shown.box;
    const double front = camera.towards_viewer[1] < 0.0 ? -0.5 : 0.5;
    const auto corner = [&](double x, double z) {  // of the face that looks to the viewer
      return camera.project({box.centre_m[0] + x * box.size_m[0], box.centre_m[1] + front * box.size_m[1],
                             box.centre_m[2] + z * box.size_m[2]});
    };
    if (!shown.beyond.empty())
      for (const auto& [colour, width] : {std::pair(ink::paper, 6.0), {ink::beyond, 3.5}})
        drawing.add(
            Stroke{{corner(-0.5, -0.5), corner(0.5, -0.5), corner(0.5, 0.5), corner(-0.5, 0.5), corner(-0.5, -0.5)},
                   colour,
                   width});
    for (const auto& [colour, width] : {std::pair(ink::paper, 6.0), {ink::text, 3.0}}) {
      if (!is_broken) break;
      drawing.add(Stroke{{corner(-0.5, -0.5), corner(0.5, 0.5)}, colour, width});
      if (shown.condition == Condition::failed)
        drawing.add(Stroke{{corner(-0.5, 0.5), corner(0.5, -0.5)}, colour, width});
    }
  }
}

Camera add_hall(Drawing& drawing, const Scene& scene, const Rectangle& area, double size) {
  const std::vector<Label> labels = hall_labels(scene);
  const Camera camera = hall_camera(scene, labels, area, size);
  draw_rack_numbers(drawing, scene, camera, size);
  draw_conditions(drawing, scene, camera);
  draw_labels(drawing, labels, camera, area, size);
  return camera;
}

PlanLayout add_plan(Drawing& drawing, const Scene& scene, const Rectangle& area, double size) {
  const std::vector<EquipmentLine> lines = equipment_lines(scene);
  const double reported = height_of(lines, size), highest = 1.8 * size, gap = 0.8 * size;
  const Rectangle above{area.left, area.bottom + reported + gap, area.width, area.height - reported - highest - gap};
  const double spare = plan_of(scene, above, size).area.bottom - above.bottom;  // of a hall that is wider than high
  const bool is_wide = spare > 6.0 * size;
  const double between = is_wide ? spare / 3.0 : 0.0;  // above the hall, below it and below the lines
  const PlanLayout plan = plan_of(scene, {above.left, above.bottom, above.width, above.height - between}, size);
  draw_highest(drawing, scene, {area.left, area.top() - highest, area.width, highest}, size);
  draw_plan(drawing, scene, plan, size);
  const double least = is_wide ? between : spare - 3.0 * size;  // between the hall and the lines
  const double top = plan.area.bottom - gap - std::max(least, 0.0);
  draw_equipment_lines(drawing, scene, lines, {area.left, top - reported, area.width, reported}, size);
  return plan;
}

void draw_wrong(Drawing& drawing, const Scene& scene, const Rectangle& area, double size) {
  const Text text{{}, {area.left, area.middle_y()}, 1.1 * size, ink::vermilion, Align::left, true};
  drawing.add(fitted_list(scene.wrong, text, area.width, Rest::counted));
}

double job_legend_height(const Scene& scene, double size) {
  const std::size_t rows = (scene.job_keys.size() + job_columns - 1) / job_columns;
  return job_pitch * size * double(rows);
}

void draw_job_legend(Drawing& drawing, const Scene& scene, const Rectangle& area, double size) {
  const double width = area.width / double(job_columns);
  for (std::size_t i = 0; i < scene.job_keys.size(); ++i) {
    const double left = area.left + double(i % job_columns) * width;
    const double y = area.top() - (double(i / job_columns) + 0.5) * job_pitch * size;
    drawing.add(filled({left, y - 0.45 * size, 1.4 * size, 0.9 * size}, scene.job_keys[i].colour));
    drawing.add(fitted({scene.job_keys[i].words, {left + 1.9 * size, y}, 0.92 * size, ink::text}, width - 2.4 * size));
  }
}

void draw_colour_bars(Drawing& drawing, const Scene& scene, const Rectangle& area, double size) {
  std::vector<const ColourScale*> scales;
  if (scene.highest) scales.push_back(&scene.parts);
  if (scene.rack.empty()) scales.push_back(&scene.coolant);
  if (scene.has_load && scene.rack.empty()) scales.push_back(&scene.load);
  const double gap = 3.0 * size;
  const double width = (area.width - size - gap * double(scales.size() - 1)) / double(scales.size());
  double left = area.left + 0.5 * size;
  for (const ColourScale* scale : scales) {
    draw_colour_bar(drawing, *scale, {left, area.bottom, width, area.height}, size);
    left += width + gap;
  }
}

}  // namespace wattloop::viz
