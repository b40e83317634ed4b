#include "viz/hall/plan.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "twin/drawings/names/plan_label.hpp"

namespace wattloop::viz {
namespace {

constexpr Colour unknown{206, 212, 218}, outline{120, 130, 140};
constexpr double shortest_pipe_m = 1.0;       // shorter ones are risers and hoses, seen from above points
constexpr double smallest_outlined = 7.0;     // pixels
constexpr double smallest_hatched = 4.0;      // the same
constexpr double least_hatched_height = 8.0;  // the same; of a share of a rack
constexpr double number_share = 0.85;         // of the text's height

bool is_pipe(const SceneBox& shown) { return shown.box.kind == "supply_pipe" || shown.box.kind == "return_pipe"; }

void draw_frame(Drawing& drawing, const Rectangle& r, Colour colour, double width) {
  drawing.add(
      Stroke{{{r.left, r.bottom}, {r.right(), r.bottom}, {r.right(), r.top()}, {r.left, r.top()}, {r.left, r.bottom}},
             colour,
             width});
}

void draw_pipe(Drawing& drawing, const Scene& scene, const SceneBox& shown, const PlanLayout& plan) {
  const double along_m = std::max(shown.box.size_m[0], shown.box.size_m[1]);
  if (along_m < shortest_pipe_m) return;
  const Rectangle at = plan.at(shown.box);
  const double width = std::max(std::min(at.width, at.height), 1.0);
  const bool is_across = at.width > at.height;
  const Point from = is_across ? Point{at.left, at.middle_y()} : Point{at.middle_x(), at.bottom};
  const Point to = is_across ? Point{at.right(), at.middle_y()} : Point{at.middle_x(), at.top()};
  drawing.add(Stroke{{from, to}, colour_of(scene, shown), width, shown.is_still});
}

/// One beside the other along the longer side.
void draw_shares(Drawing& drawing, const std::vector<ColouredShare>& shares, const Rectangle& at) {
  const bool is_high = at.height >= at.width;
  double done = 0.0;
  for (const ColouredShare& one : shares) {
    const Rectangle part = is_high ? Rectangle{at.left, at.bottom + done * at.height, at.width, one.share * at.height}
                                   : Rectangle{at.left + done * at.width, at.bottom, one.share * at.width, at.height};
    drawing.add(filled(part, one.colour));
    done += one.share;
  }
}

void draw_box(Drawing& drawing, const Scene& scene, const SceneBox& shown, const Rectangle& at) {
  const Colour colour = colour_of(scene, shown);
  if (shown.shares.empty())
    drawing.add(filled(at, colour));
  else
    draw_shares(drawing, shown.shares, at);
  const double least = std::min(at.width, at.height);
  const bool is_rack = shown.box.kind == "rack";
  const bool is_hatched = shown.off_fraction > 0.0 || shown.is_without_work();
  if (is_hatched && least >= smallest_hatched) {
    Rectangle part = at;
    if (is_rack) part.height = std::min(at.height, std::max(shown.off_fraction * at.height, least_hatched_height));
    draw_hatch(drawing, part, ink_on(colour), hatch_pitch(least));
  } else if (is_hatched) {
    drawing.add(filled(at, ink::text));
  }
  if (shown.throttled_fraction > 0.0) draw_throttled(drawing, at);
  const bool is_storage = shown.box.kind == "storage_rack";
  if (least >= smallest_outlined)
    draw_frame(drawing, at, is_rack ? ink::paper : is_storage ? ink::text : outline, is_storage ? 2.0 : 1.0);
  if (!shown.beyond.empty()) draw_beyond(drawing, at, 1.0);
  if (shown.condition == Condition::failed) {
    draw_cross(drawing, at, ink::paper, 6.0);
    draw_cross(drawing, at, ink::text, 3.0);
  }
  if (shown.condition == Condition::impaired) {
    draw_slash(drawing, at, ink::paper, 6.0);
    draw_slash(drawing, at, ink::text, 3.0);
  }
}

/// "row_3.rack_7" or "network_rack_4": the row's number; nothing where racks have other names.
std::string row_of(const std::string& rack) {
  const std::string row = rack.substr(0, rack.find('.'));
  return row.starts_with("row_") ? row.substr(4) : row == rack ? "" : row;
}

std::string number_of(const std::string& name) { return name.substr(name.rfind('_') + 1); }

/// Rows of racks by where they stand: the leftmost rack of each.
std::vector<const SceneBox*> first_racks(const Scene& scene) {
  std::map<std::string, const SceneBox*> rows;
  for (const SceneBox& shown : scene.boxes) {
    if (shown.box.kind != "rack") continue;
    const SceneBox*& first = rows[row_of(shown.box.name)];
    if (first == nullptr || shown.box.centre_m[0] < first->box.centre_m[0]) first = &shown;
  }
  std::vector<const SceneBox*> firsts;
  for (const auto& [row, first] : rows) firsts.push_back(first);
  std::ranges::sort(firsts, {}, [](const SceneBox* shown) { return shown->box.centre_m[1]; });
  return firsts;
}

/// The least of 1, 2, 5, 10 ... for which every so-manieth of those places is `apart` or more from the next.
std::size_t even_step(const std::vector<double>& places, double apart) {
  const auto fits = [&](std::size_t step) {
    for (std::size_t k = step; k < places.size(); k += step)
      if (std::abs(places[k] - places[k - step]) < apart) return false;
    return true;
  };
  for (std::size_t ten = 1;; ten *= 10)
    for (const std::size_t step : {ten, 2 * ten, 5 * ten})
      if (fits(step)) return step;
}

void draw_row_numbers(Drawing& drawing, const Scene& scene, const PlanLayout& plan, double size) {
  std::map<const PlanBlock*, std::vector<const SceneBox*>> by_block;
  std::size_t step = 1;
  for (const SceneBox* rack : first_racks(scene)) by_block[&plan.block_of(rack->box)].push_back(rack);
  for (const auto& [block, racks] : by_block) {
    std::vector<double> places;
    for (const SceneBox* rack : racks) places.push_back(plan.at(rack->box).middle_y());
    step = std::max(step, even_step(places, 1.25 * size));
  }
  std::size_t row = 0;
  for (const SceneBox* rack : first_racks(scene)) {
    if (++row % step != 0) continue;
    const PlanBlock& block = plan.block_of(rack->box);
    drawing.add(Text{row_of(rack->box.name),
                     {block.left - 0.4 * size, plan.at(rack->box).middle_y()},
                     number_share * size,
                     ink::quiet,
                     Align::right});
  }
}

/// Above each block, those of its first row.
void draw_rack_numbers(Drawing& drawing, const Scene& scene, const PlanLayout& plan, double size) {
  std::set<double> done;
  for (const SceneBox* first : first_racks(scene)) {
    const PlanBlock& block = plan.block_of(first->box);
    if (!done.insert(block.left).second) continue;
    std::vector<Text> numbers;
    for (const SceneBox& shown : scene.boxes) {
      if (shown.box.kind != "rack" || row_of(shown.box.name) != row_of(first->box.name)) continue;
      numbers.push_back({number_of(shown.box.name),
                         {plan.at(shown.box).middle_x(), plan.top + 0.7 * size},
                         number_share * size,
                         ink::quiet,
                         Align::centre});
    }
    std::ranges::sort(numbers, {}, [](const Text& number) { return number.at.x; });
    std::vector<double> places;
    double widest = 0.0;
    for (const Text& number : numbers) {
      places.push_back(number.at.x);
      widest = std::max(widest, text_width(number));
    }
    const std::size_t step = even_step(places, widest + 0.6 * size);
    for (std::size_t k = step - 1; k < numbers.size(); k += step) drawing.add(numbers[k]);
  }
}

/// Where the labels of a kind are: on all of its boxes in one size, or on none.
std::map<std::string_view, twin::LabelPlace> label_places(const Scene& scene, const PlanLayout& plan, double size) {
  constexpr double least = 0.5, most = number_share, rim = 2.0;
  std::map<std::string_view, twin::LabelPlace> places;
  for (const SceneBox& shown : scene.boxes) {
    const std::string label = twin::plan_label(shown.box.kind, shown.box.name);
    if (label.empty()) continue;
    const Rectangle at = plan.at(shown.box);
    const twin::LabelPlace here = twin::label_place(label, at.width - rim, at.height - rim, least * size, most * size);
    const auto [place, is_first] = places.try_emplace(shown.box.kind, here);
    if (!is_first && here.size < place->second.size) place->second = here;
  }
  return places;
}

/// On a spot without lines.
void draw_label(Drawing& drawing, const Text& text, const Colour& ground) {
  const double along = text_width(text) + 2.0, across = 1.1 * text.size;
  const double width = text.is_upright ? across : along, height = text.is_upright ? along : across;
  drawing.add(filled({text.at.x - 0.5 * width, text.at.y - 0.5 * height, width, height}, ground));
  drawing.add(text);
}

/// Names of equipment on its boxes, as far as these have room; of racks of storage above them.
void draw_part_labels(Drawing& drawing, const Scene& scene, const PlanLayout& plan, double size) {
  constexpr double smallest = 0.6;
  const auto places = label_places(scene, plan, size);
  for (const SceneBox& shown : scene.boxes) {
    const auto place = places.find(shown.box.kind);
    if (place == places.end()) continue;
    const Rectangle at = plan.at(shown.box);
    Text text{twin::plan_label(shown.box.kind, shown.box.name),
              {at.middle_x(), at.middle_y()},
              place->second.size,
              ink_on(colour_of(scene, shown)),
              Align::centre,
              true,
              place->second.is_upright};
    if (shown.box.kind == "storage_rack" && text.size == 0.0) {
      text.size = smallest * size;
      text.at.y = at.top() + 0.7 * text.size;
      text.colour = ink::text;
      draw_label(drawing, text, ink::faint);
    } else if (text.size > 0.0 && shown.condition != Condition::failed) {
      if (shown.is_without_work() || shown.condition == Condition::impaired)
        draw_label(drawing, text, colour_of(scene, shown));
      else
        drawing.add(text);
    }
  }
}

/// Walls of rooms and their names, as far as each block goes.
void draw_rooms(Drawing& drawing, const Scene& scene, const PlanLayout& plan, double size) {
  for (const SceneBox& shown : scene.boxes) {
    if (shown.box.kind != "room") continue;
    for (const PlanBlock& block : plan.blocks) {
      twin::LayoutBox part = shown.box;
      const double low_m = std::max(part.centre_m[1] - part.size_m[1] / 2, block.low_m);
      const double high_m = std::min(part.centre_m[1] + part.size_m[1] / 2, block.high_m);
      if (high_m - low_m < 1.0) continue;
      part.centre_m[1] = 0.5 * (low_m + high_m);
      part.size_m[1] = high_m - low_m;
      const Rectangle at = plan.at(part);
      draw_frame(drawing, at, outline, 1.0);
      drawing.add(
          Text{part.name, {at.right(), at.top() + 0.6 * size}, number_share * size, ink::quiet, Align::right, true});
    }
  }
}

}  // namespace

Colour colour_of(const Scene& scene, const SceneBox& shown) {
  if (!shown.shares.empty()) return std::ranges::max_element(shown.shares, {}, &ColouredShare::share)->colour;
  return shown.has_value() ? scene.scale_of(shown).at(shown.value) : unknown;
}

void draw_beyond(Drawing& drawing, const Rectangle& area, double scale) {
  draw_frame(drawing, area, ink::paper, 6.0 * scale);
  draw_frame(drawing, area, ink::beyond, 3.5 * scale);
}

void draw_throttled(Drawing& drawing, const Rectangle& area) {
  constexpr double share = 0.2, least = 2.0;
  const double height = std::max(share * area.height, least);
  drawing.add(filled({area.left, area.bottom, area.width, height + 1.0}, ink::paper));
  drawing.add(filled({area.left, area.bottom, area.width, height}, ink::throttled));
}

double hatch_pitch(double least) {
  constexpr double smallest_read =
      6.0;  // pixels across, 4.2 from line to line; below it lines and gaps become one grey
  return std::max(std::round(least / 4.0), smallest_read);
}

void draw_hatch(Drawing& drawing, const Rectangle& area, Colour colour, double pitch) {
  constexpr double line_share = 0.25, widest = 2.0;
  const double reach = area.width + area.height,
               whole_pitch = std::round(pitch);  // in whole pixels boxes alike look alike
  const double width = std::min(line_share * whole_pitch, widest);
  const double diagonal = area.left - area.top(), to_pixel = std::round(diagonal) - diagonal;
  for (double along = whole_pitch + to_pixel; along < reach; along += whole_pitch) {
    const double x0 = std::min(along, area.width), x1 = std::max(along - area.height, 0.0);
    const double y0 = along - x0, y1 = along - x1;
    drawing.add(Stroke{{{area.left + x0, area.top() - y0}, {area.left + x1, area.top() - y1}}, colour, width});
  }
}

void draw_slash(Drawing& drawing, const Rectangle& area, Colour colour, double width) {
  drawing.add(Stroke{{{area.left, area.bottom}, {area.right(), area.top()}}, colour, width});
}

void draw_cross(Drawing& drawing, const Rectangle& area, Colour colour, double width) {
  draw_slash(drawing, area, colour, width);
  drawing.add(Stroke{{{area.left, area.top()}, {area.right(), area.bottom}}, colour, width});
}

PlanLayout plan_of(const Scene& scene, const Rectangle& area, double size) {
  std::vector<twin::LayoutBox> boxes;
  for (const SceneBox& shown : scene.boxes)
    if (!is_pipe(shown)) boxes.push_back(shown.box);
  return plan_layout(boxes, area, {.left = 2.2 * size, .top = 1.4 * size, .between = 0.8 * size});
}

void draw_plan(Drawing& drawing, const Scene& scene, const PlanLayout& plan, double size) {
  for (const PlanBlock& block : plan.blocks) drawing.add(filled(plan.floor(block), ink::faint));
  for (const SceneBox& shown : scene.boxes)
    if (is_pipe(shown)) draw_pipe(drawing, scene, shown, plan);
  for (const SceneBox& shown : scene.boxes) {
    if (is_pipe(shown) || shown.box.kind == "node" || shown.box.kind == "gpu" || shown.box.kind == "room") continue;
    draw_box(drawing, scene, shown, plan.at(shown.box));
  }
  if (scene.highest) {
    Rectangle ring = plan.at(scene.boxes[*scene.highest].box);
    ring = {ring.left - 3.0, ring.bottom - 3.0, ring.width + 6.0, ring.height + 6.0};
    draw_frame(drawing, ring, ink::paper, 4.5);
    draw_frame(drawing, ring, ink::text, 2.5);
  }
  draw_rooms(drawing, scene, plan, size);
  draw_row_numbers(drawing, scene, plan, size);
  draw_rack_numbers(drawing, scene, plan, size);
  draw_part_labels(drawing, scene, plan, size);
}

}  // namespace wattloop::viz
