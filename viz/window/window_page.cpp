#include "viz/window/window_page.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "core/tables/time_of_run.hpp"
#include "twin/drawings/names/display_name.hpp"
#include "twin/report/events/most_important.hpp"
#include "viz/drawing/page_words.hpp"
#include "viz/hall/labels.hpp"
#include "viz/pages/page_parts.hpp"

namespace wattloop::viz {
namespace {

constexpr double hall_share = 0.735;   // of the width
constexpr double label_column = 12.5;  // of the text's height, at each side of the hall

Layer layer_of(const twin::LayoutBox& box) {
  const std::string& kind = box.kind;
  if (kind == "rack" || kind == "node" || kind == "gpu" || kind == "network_rack" || kind == "storage_rack")
    return Layer::racks;
  if (kind == "rear_door") return Layer::doors;
  if (kind == "supply_pipe" || kind == "return_pipe") return Layer::pipes;
  return kind == "busway" ? Layer::busways : Layer::equipment;
}

/// Lines from the top of a column down, as long as there is room.
class Column {
 public:
  Column(Drawing& drawing, const Rectangle& area, double size)
      : drawing_(drawing), area_(area), size_(size), y_(area.top() - size) {}

  bool has_room(double lines = 1.0) const { return y_ - (lines - 1.0) * pitch() > area_.bottom; }
  void gap(double lines = 0.5) { y_ -= lines * pitch(); }

  void line(const std::string& text, Colour colour = ink::text, bool is_bold = false) {
    drawing_.add(fitted({text, {area_.left, y_}, size_, colour, Align::left, is_bold}, area_.width));
    y_ -= pitch();
  }

  /// What a key does.
  void key(const std::string& name, const std::string& words, Colour colour) {
    drawing_.add(Text{name, {area_.left, y_}, 0.85 * size_, ink::text, Align::left, true});
    drawing_.add(fitted({words, {area_.left + 0.42 * area_.width, y_}, 0.85 * size_, colour}, 0.58 * area_.width));
    y_ -= pitch();
  }

  /// A name at the left, its value at the right.
  void fact(const PartFact& fact) {
    const Colour colour = fact.is_wrong ? ink::vermilion : ink::text;
    Text value{fact.value, {area_.right(), y_}, 0.92 * size_, colour, Align::right, true};
    Text name{fact.name, {area_.left, y_}, 0.92 * size_, fact.is_wrong ? colour : ink::quiet};
    while (text_width(name) + text_width(value) > area_.width - 0.5 * size_ && name.size > 0.6 * size_)
      name.size -= 0.02 * size_, value.size -= 0.02 * size_;
    drawing_.add(name);
    drawing_.add(value);
    y_ -= pitch();
  }

 private:
  double pitch() const { return 1.5 * size_; }
  Drawing& drawing_;
  Rectangle area_;
  double size_, y_;
};

void draw_picked(Column& column, const WindowState& state, std::span<const PartFact> facts) {
  column.line(twin::display_name(state.picked), ink::text, true);
  column.line(state.is_pinned ? "pinned; Escape releases it" : "click to pin", ink::quiet);
  column.gap();
  if (facts.empty()) column.line("the run recorded no values of it", ink::quiet);
  for (std::size_t i = 0; i < facts.size(); ++i) {
    if (!column.has_room(2.0) && i + 1 < facts.size())
      return column.line(fmt::format("and {} more", facts.size() - i), ink::quiet);
    column.fact(facts[i]);
  }
}

/// What happened, what is still to come in grey.
void draw_events(Column& column, const WindowContent& content, double width, double size) {
  column.line("what happened", ink::text, true);
  column.gap();
  constexpr std::size_t most = 14;
  const std::vector<twin::EventSummaryLine> event_lines = twin::most_important(content.event_lines, most);
  if (event_lines.empty()) column.line("nothing", ink::quiet);
  for (const twin::EventSummaryLine& line : event_lines) {
    const bool is_past = line.first_s <= content.scene.time_s + 1e-6;
    const Colour colour = !is_past ? ink::event : line.weight == twin::Weight::cause ? ink::vermilion : ink::text;
    constexpr std::size_t most_lines = 5;
    const auto lines = wrapped(time_of_run(line.first_s) + ": " + with_degrees(line.words), width, size, most_lines);
    if (!column.has_room(double(lines.size()))) return;
    for (const std::string& one : lines) column.line(one, colour);
    column.gap(0.25);
  }
}

void draw_slider(Drawing& drawing, const WindowContent& content, const WindowState& state, const Rectangle& track,
                 double size) {
  const double begin_s = state.times_s.front(), end_s = std::max(state.times_s.back(), begin_s + 1e-9);
  const auto x_of = [&](double time_s) { return track.left + track.width * (time_s - begin_s) / (end_s - begin_s); };
  drawing.add(filled({track.left, track.middle_y() - 0.15 * size, track.width, 0.3 * size}, ink::line));
  for (const twin::EventSummaryLine& line : content.event_lines) {
    if (line.weight == twin::Weight::routine || line.first_s < begin_s || line.first_s > end_s) continue;
    const Colour colour = line.weight == twin::Weight::cause  ? ink::vermilion
                          : line.weight == twin::Weight::loss ? ink::text
                                                              : ink::event;
    const double x = x_of(line.first_s);
    drawing.add(Stroke{{{x, track.bottom}, {x, track.top()}}, colour, 1.5});
  }
  const double now = x_of(content.scene.time_s);
  drawing.add(filled({now - 0.3 * size, track.bottom - 0.1 * size, 0.6 * size, track.height + 0.2 * size}, ink::blue));
  const double below = track.bottom - 0.9 * size;
  drawing.add(Text{time_of_run(begin_s), {track.left, below}, 0.92 * size, ink::quiet});
  drawing.add(Text{time_of_run(state.times_s.back()), {track.right(), below}, 0.92 * size, ink::quiet, Align::right});
  const double half = 4.0 * size;
  drawing.add(Text{time_of_run(content.scene.time_s),
                   {std::clamp(now, track.left + 2.0 * half, track.right() - 2.0 * half), below},
                   size,
                   ink::text,
                   Align::centre,
                   true});
}

/// A triangle where it stands still, two bars while it plays.
void draw_play(Drawing& drawing, const WindowState& state, const Rectangle& at) {
  if (state.is_playing) {
    drawing.add(filled({at.left, at.bottom, 0.35 * at.width, at.height}, ink::blue));
    drawing.add(filled({at.left + 0.65 * at.width, at.bottom, 0.35 * at.width, at.height}, ink::blue));
  } else {
    drawing.add(Polygon{{{at.left, at.bottom}, {at.right(), at.middle_y()}, {at.left, at.top()}}, ink::blue});
  }
}

/// Every key, and which layers are off.
void draw_help(Column& column, const WindowState& state) {
  column.line("keys", ink::text, true);
  column.gap();
  for (const KeyHelp& one : key_help()) {
    const auto layer = std::ranges::find(layer_keys, one.keys, &LayerKey::key);
    const bool is_layer = layer != layer_keys.end();
    const bool is_off = (is_layer && state.hidden.contains(layer->layer)) || (one.keys == "l" && !state.has_labels);
    const bool is_switch = is_layer || one.keys == "l";
    column.key(std::string(one.keys), std::string(one.words) + (is_switch ? is_off ? ": off" : ": on" : ""),
               is_off ? ink::event : ink::text);
  }
}

/// Its edges, or its rectangle in a plan.
void draw_picked_box(Drawing& drawing, const Scene& shown, const WindowState& state, const Page& page) {
  const auto picked = std::ranges::find(shown.boxes, state.picked, [](const SceneBox& one) { return one.box.name; });
  if (state.picked.empty() || picked == shown.boxes.end()) return;
  const auto edge = [&](Point a, Point b) {
    drawing.add(Stroke{{a, b}, ink::paper, 5.0});
    drawing.add(Stroke{{a, b}, ink::blue, 2.5});
  };
  if (page.plan) {
    const Rectangle at = page.plan->at(picked->box);
    const std::array corners{Point{at.left, at.bottom}, Point{at.right(), at.bottom}, Point{at.right(), at.top()},
                             Point{at.left, at.top()}};
    for (std::size_t i = 0; i < corners.size(); ++i) edge(corners[i], corners[(i + 1) % corners.size()]);
    return;
  }
  if (!page.camera) return;
  for (int corner = 0; corner < 8; ++corner)
    for (const int axis : {1, 2, 4})
      if ((corner & axis) == 0)
        edge(page.camera->project(corner_m(picked->box, corner)),
             page.camera->project(corner_m(picked->box, corner | axis)));
}

bool is_inside(const Rectangle& r, Point p) {
  return p.x > r.left && p.x < r.right() && p.y > r.bottom && p.y < r.top();
}

/// From where the state looks: all that is not hidden as a whole fits at a zoom of 1.
Camera camera_of(const WindowContent& content, const WindowState& state, const Rectangle& area, double size) {
  Scene all = content.scene;
  if (!state.hidden.contains(Layer::outside))
    all.boxes.insert(all.boxes.end(), all.outdoors.begin(), all.outdoors.end());
  const double labels = state.has_labels ? label_column * size : 0.0;
  const Rectangle between{area.left + labels, area.bottom, area.width - 2.0 * labels, area.height};
  Camera camera = fit_camera(visible_boxes(all), state.view.towards_viewer(), between, {0.5 * size, 1.5 * size});
  camera.pixels_per_metre *= state.view.zoom;
  for (std::size_t axis = 0; axis < 3; ++axis)
    camera.focus_m[axis] -=
        (state.view.shift.x * camera.right[axis] + state.view.shift.y * camera.up[axis]) / camera.pixels_per_metre;
  return camera;
}

void draw_space(WindowPage& window, const WindowContent& content, const WindowState& state, double size) {
  const Camera camera = camera_of(content, state, window.hall, size);
  window.page.camera = camera;
  Drawing marks;
  draw_conditions(marks, content.shown, camera);
  for (auto& shape : marks.shapes) {  // those outside of the hall's part of the window would stand on its frame
    const auto* stroke = std::get_if<Stroke>(&shape);
    if (stroke != nullptr && std::ranges::all_of(stroke->points, [&](Point p) { return is_inside(camera.area, p); }))
      window.page.drawing.shapes.push_back(std::move(shape));
  }
  if (!state.has_labels) return;
  std::vector<Label> labels = hall_labels(content.shown);
  std::erase_if(labels, [&](const Label& label) { return !is_inside(camera.area, camera.project(label.at_m)); });
  const bool is_usual_side = state.view.azimuth_deg > -90.0 && state.view.azimuth_deg < -10.0;
  if (!is_usual_side)
    for (Label& label : labels) label.side = Side::nearest;
  draw_labels(window.page.drawing, labels, camera, window.hall, size);
}

}  // namespace

Scene shown_layers(const Scene& scene, const WindowState& state) {
  Scene shown = scene;
  const std::string highest = scene.highest ? scene.boxes[*scene.highest].box.name : "";
  std::erase_if(shown.boxes, [&](const SceneBox& one) { return state.hidden.contains(layer_of(one.box)); });
  if (state.hidden.contains(Layer::outside) && !state.is_plan) shown.outdoors.clear();  // lines below a plan report it
  if (!state.is_plan) shown.boxes.insert(shown.boxes.end(), shown.outdoors.begin(), shown.outdoors.end());
  shown.highest.reset();
  for (std::size_t i = 0; i < shown.boxes.size() && !highest.empty(); ++i)
    if (shown.boxes[i].box.name == highest) shown.highest = i;
  return shown;
}

WindowPage compose_window(const WindowContent& content, const WindowState& state, int width, int height) {
  WindowPage window;
  Page& page = window.page;
  page.area = {0.0, 0.0, double(width), double(height)};
  const double size = std::max(height / 62.0, 10.0), margin = 2.0 * size;
  const Rectangle inner{margin, margin, width - 2 * margin, height - 2 * margin};
  const Rectangle head{inner.left, inner.top() - 4.6 * size, inner.width, 4.6 * size};
  const double wrong = content.scene.wrong.empty() ? 0.0 : 2.0 * size, below_head = head.bottom - wrong;
  const double slider_top = inner.bottom + 2.6 * size, jobs = job_legend_height(content.scene, size);
  const double scales_top = slider_top + 4.4 * size + jobs;
  const double hall_width = hall_share * width - margin;
  window.hall = {inner.left, scales_top + size, hall_width, below_head - scales_top - 1.5 * size};
  window.slider = {inner.left + 3.0 * size, inner.bottom + 1.6 * size, inner.width - 3.0 * size, size};
  const double side_left = window.hall.right() + 1.5 * size;
  const Rectangle side{side_left, slider_top + size, inner.right() - side_left, below_head - slider_top - 2.0 * size};

  Drawing& drawing = page.drawing;
  const double figures_left = draw_key_figures(drawing, content.scene.key_figures, head, size);
  draw_title(drawing, content.scene, {head.left, head.bottom, figures_left - head.left, head.height}, size);
  drawing.add(Stroke{{{head.left, head.bottom}, {head.right(), head.bottom}}, ink::line, 1.0});
  if (wrong > 0.0) draw_wrong(drawing, content.scene, {head.left, below_head, head.width, wrong}, size);
  if (state.is_plan)
    page.plan = add_plan(drawing, content.shown, window.hall, size);
  else
    draw_space(window, content, state, size);
  draw_picked_box(drawing, content.shown, state, page);
  draw_colour_bars(drawing, content.scene, {window.hall.left, slider_top + 1.9 * size, hall_width, 0.9 * size}, size);
  draw_job_legend(drawing, content.scene, {window.hall.left, slider_top + 4.4 * size, hall_width, jobs}, size);
  Column column(drawing, {side.left, side.bottom + 2.0 * size, side.width, side.height - 2.0 * size}, size);
  if (state.has_help)
    draw_help(column, state);
  else if (state.picked.empty())
    draw_events(column, content, side.width, size);
  else
    draw_picked(column, state, content.facts);
  drawing.add(
      Text{"space: play   p: plan   h: all keys", {side.left, side.bottom + 0.5 * size}, 0.92 * size, ink::quiet});
  draw_play(drawing, state, {inner.left, window.slider.bottom - 0.2 * size, 1.3 * size, 1.4 * size});
  draw_slider(drawing, content, state, window.slider, size);
  return window;
}

}  // namespace wattloop::viz
