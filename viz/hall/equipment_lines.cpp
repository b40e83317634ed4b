#include "viz/hall/equipment_lines.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "twin/drawings/names/display_name.hpp"
#include "viz/drawing/page_words.hpp"
#include "viz/hall/plan.hpp"

namespace wattloop::viz {
namespace {

constexpr std::array<std::string_view, 7> reported_otherwise{"rack",        "node",        "gpu",   "rear_door",
                                                             "supply_pipe", "return_pipe", "busway"};
constexpr std::array<std::string_view, 10> order{"cdu", "storage_rack", "substation", "transformer", "generator",
                                                 "ups", "pdu",          "crah",       "chiller",     "tower"};
constexpr double line_pitch = 1.55;  // of the text's height
constexpr std::size_t most_squares = 24;
constexpr double squares_share = 0.30;  // of a column's width

std::string celsius_range(double low, double high) {
  const std::string first = fmt::format("{:.1f}", low), last = fmt::format("{:.1f}", high);
  return first == last ? first : first + " to " + last;
}

/// "32.0 out, 44.6 °C back" of loops that flow, of one or together.
std::string loop_values(const std::vector<const LoopNow*>& loops) {
  double low[2] = {1e300, 1e300}, high[2] = {-1e300, -1e300};
  for (const LoopNow* loop : loops) {
    const double values[2] = {loop->supply_c, loop->return_c};
    for (int end = 0; end < 2; ++end) {
      if (!std::isfinite(values[end])) return {};
      low[end] = std::min(low[end], values[end]);
      high[end] = std::max(high[end], values[end]);
    }
  }
  return fmt::format("{} out, {} °C back", celsius_range(low[0], high[0]), celsius_range(low[1], high[1]));
}

std::vector<const SceneBox*> pipes_of(const Scene& scene, const std::string& loop) {
  std::vector<const SceneBox*> pipes;
  for (const std::string_view kind : {"supply_pipe", "return_pipe"}) {
    const auto found = std::ranges::find_if(
        scene.boxes, [&](const SceneBox& shown) { return shown.box.kind == kind && shown.box.parent == loop; });
    if (found != scene.boxes.end()) pipes.push_back(&*found);
  }
  return pipes;
}

EquipmentLine loop_line(const Scene& scene, const std::vector<const LoopNow*>& loops) {
  std::vector<std::string> names;
  for (const LoopNow* loop : loops) names.push_back(loop->name);
  EquipmentLine line{
      .name = twin::display_names(names), .boxes = pipes_of(scene, names.front()), .values = {}, .state = {}};
  line.is_wrong = loops.front()->is_still;
  if (line.is_wrong)
    line.state = "no flow";
  else
    line.values = loop_values(loops);
  return line;
}

void add_loops(std::vector<EquipmentLine>& lines, const Scene& scene, std::size_t most) {
  std::vector<const LoopNow*> still, flowing;
  for (const LoopNow& loop : scene.loops) (loop.is_still ? still : flowing).push_back(&loop);
  if (scene.loops.size() <= most) {
    for (const auto& group : {still, flowing})
      for (const LoopNow* loop : group) lines.push_back(loop_line(scene, {loop}));
    return;
  }
  if (!still.empty()) lines.push_back(loop_line(scene, still));
  if (!flowing.empty()) lines.push_back(loop_line(scene, flowing));
}

std::string range_text(const Scene& scene, const std::vector<const SceneBox*>& boxes) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const SceneBox* shown : boxes) {
    if (!shown->has_value()) continue;
    low = std::min(low, shown->value);
    high = std::max(high, shown->value);
  }
  if (!(low <= high)) return {};
  return scene.range_text(boxes.front()->scale, low, high);
}

/// "1 failed, 2 idle", "1 of 8 impaired, 1 over limit"; a machine that is idle is nothing wrong.
void report_state(EquipmentLine& line) {
  const auto count = [&](Condition condition) {
    return std::ranges::count(line.boxes, condition, &SceneBox::condition);
  };
  const auto failed = count(Condition::failed), idle = count(Condition::idle);
  const auto impaired = count(Condition::impaired);
  const bool is_one = line.boxes.size() == 1;
  if (failed > 0) line.state = is_one ? "failed" : fmt::format("{} failed", failed);
  const auto disabled = std::ranges::count_if(
      line.boxes, [](const SceneBox* shown) { return shown->is_disabled && shown->condition == Condition::idle; });
  const auto add = [&](std::ptrdiff_t of_them, const char* one, const char* several) {
    if (of_them == 0) return;
    const std::string of_all = line.state.empty() ? fmt::format(" of {}", line.boxes.size()) : "";  // room is short
    line.state += line.state.empty() ? "" : ", ";
    line.state += is_one ? std::string(one) : fmt::format("{}{} {}", of_them, of_all, several);
  };
  const auto dead = count(Condition::dead);
  const auto still = std::ranges::count_if(line.boxes, [](const SceneBox* shown) {
    return shown->is_still && !shown->is_without_work() && shown->condition != Condition::failed;
  });
  const auto beyond = std::ranges::count_if(line.boxes, [](const SceneBox* shown) { return !shown->beyond.empty(); });
  add(dead, "without power", "without power");
  add(idle - disabled, "idle", "idle");
  add(disabled, "disabled", "disabled");
  add(impaired, "impaired", "impaired");
  add(still, "without water", "without water");
  add(beyond, "beyond a limit", line.state.empty() ? "beyond a limit" : "over limit");
  const std::string& kind = line.boxes.front()->box.kind;
  line.is_wrong = failed > 0 || impaired > 0 || dead > 0 || beyond > 0 ||
                  (idle > 0 && (kind == "cdu" || kind == "ups" || kind == "pdu" || kind == "transformer"));
}

std::size_t rank_of(const std::string& kind) { return std::size_t(std::ranges::find(order, kind) - order.begin()); }

std::vector<EquipmentLine> machine_lines(const Scene& scene) {
  std::vector<EquipmentLine> lines;
  std::vector<std::string> kinds;
  for (const std::vector<SceneBox>* boxes : {&scene.boxes, &scene.outdoors}) {
    for (const SceneBox& shown : *boxes) {
      if (std::ranges::find(reported_otherwise, shown.box.kind) != reported_otherwise.end()) continue;
      auto kind = std::ranges::find(kinds, shown.box.kind);
      if (kind == kinds.end()) {
        kind = kinds.insert(kinds.end(), shown.box.kind);
        lines.emplace_back();
      }
      lines[std::size_t(kind - kinds.begin())].boxes.push_back(&shown);
    }
  }
  for (EquipmentLine& line : lines) {
    std::vector<std::string> names;
    for (const SceneBox* shown : line.boxes) names.push_back(shown->box.name);
    line.name = twin::display_names(names);
    line.values = range_text(scene, line.boxes);
    report_state(line);
  }
  std::ranges::stable_sort(lines, {}, [](const EquipmentLine& line) { return rank_of(line.boxes.front()->box.kind); });
  return lines;
}

/// Of the machines for which one square stands, the one in the worst condition; of several the first.
const SceneBox& worst_of(const EquipmentLine& line, std::size_t begin, std::size_t end) {
  const auto rank = [](const SceneBox* shown) { return std::pair(shown->condition, !shown->beyond.empty()); };
  return **std::max_element(line.boxes.begin() + std::ptrdiff_t(begin), line.boxes.begin() + std::ptrdiff_t(end),
                            [&](const SceneBox* a, const SceneBox* b) { return rank(a) < rank(b); });
}

void draw_squares(Drawing& drawing, const Scene& scene, const EquipmentLine& line, const Rectangle& area) {
  if (line.boxes.empty()) return;
  const std::size_t shown_count = std::min(line.boxes.size(), most_squares);
  const double pitch = std::min(area.width / double(shown_count), 1.15 * area.height);
  for (std::size_t i = 0; i < shown_count; ++i) {
    const SceneBox& shown =
        worst_of(line, i * line.boxes.size() / shown_count, (i + 1) * line.boxes.size() / shown_count);
    const Rectangle square{area.left + double(i) * pitch, area.bottom, 0.85 * pitch, area.height};
    const Colour colour = colour_of(scene, shown);
    drawing.add(filled(square, colour));
    if (shown.is_without_work() || shown.is_still)
      draw_hatch(drawing, square, ink_on(colour), hatch_pitch(square.height));
    if (shown.condition == Condition::failed) {
      draw_cross(drawing, square, ink::paper, 4.0);
      draw_cross(drawing, square, ink::text, 2.0);
    }
    if (shown.condition == Condition::impaired) {
      draw_slash(drawing, square, ink::paper, 4.0);
      draw_slash(drawing, square, ink::text, 2.0);
    }
    if (!shown.beyond.empty()) draw_beyond(drawing, square, 0.7);
  }
}

void draw_line(Drawing& drawing, const Scene& scene, const EquipmentLine& line, const Rectangle& area, double size) {
  const double middle = area.middle_y();
  const Rectangle squares{area.left, middle - 0.45 * size, squares_share * area.width - 0.8 * size, 0.9 * size};
  draw_squares(drawing, scene, line, squares);
  const auto said = [&](std::initializer_list<std::string> all) {
    std::string words = line.name;
    for (const std::string& more : all)
      if (!more.empty()) words += (words == line.name ? ": " : ", ") + more;
    return words;
  };
  const double left = area.left + squares_share * area.width;
  Text text{said({line.values, line.state}), {left, middle}, 0.92 * size, ink::text, Align::left, line.is_wrong};
  const double room = (1.0 - squares_share) * area.width - 0.5 * size;
  constexpr double least = 0.84;
  if (text_width(text) > room / least && !line.state.empty())
    text.text = said({line.state});  // what is wrong before how much
  drawing.add(fitted(text, room, 0.8));
}

std::size_t lines_down(const std::vector<EquipmentLine>& lines) { return (lines.size() + 1) / 2; }

}  // namespace

std::vector<EquipmentLine> equipment_lines(const Scene& scene, std::size_t most_loops) {
  std::vector<EquipmentLine> lines;
  add_loops(lines, scene, most_loops);
  for (EquipmentLine& line : machine_lines(scene)) lines.push_back(std::move(line));
  return lines;
}

double height_of(const std::vector<EquipmentLine>& lines, double size) {
  return line_pitch * size * double(lines_down(lines));
}

void draw_equipment_lines(Drawing& drawing, const Scene& scene, const std::vector<EquipmentLine>& lines,
                          const Rectangle& area, double size) {
  const double width = area.width / 2, pitch = line_pitch * size;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::size_t column = i / lines_down(lines), down = i % lines_down(lines);
    draw_line(drawing, scene, lines[i],
              {area.left + double(column) * width, area.top() - double(down + 1) * pitch, width, pitch}, size);
  }
}

}  // namespace wattloop::viz
