#include "tests/views/chart_reading.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

#include "tests/support/catch.hpp"

namespace wattloop::tests {
namespace {

using viz::Align;
using viz::Drawing;
using viz::Point;
using viz::Polygon;
using viz::Rectangle;
using viz::Stroke;
using viz::Text;

struct Tick {
  double pixel = 0.0, value = 0.0;
};

bool is_number(const std::string& text) {
  char* end = nullptr;
  std::strtod(text.c_str(), &end);
  return !text.empty() && *end == '\0';
}

ReadScale scale_of(std::vector<Tick> ticks) {
  REQUIRE(ticks.size() >= 2);
  std::sort(ticks.begin(), ticks.end(), [](const Tick& a, const Tick& b) { return a.pixel < b.pixel; });
  const double per_pixel = (ticks.back().value - ticks.front().value) / (ticks.back().pixel - ticks.front().pixel);
  const ReadScale scale{ticks.front().pixel, ticks.front().value, per_pixel, ticks.size()};
  CHECK(per_pixel > 0.0);
  for (const Tick& tick : ticks) CHECK(scale.at(tick.pixel) == Approx(tick.value).margin(1e-6 * std::abs(per_pixel)));
  return scale;
}

bool is_flat(const Stroke& stroke) { return stroke.points.size() == 2 && stroke.points[0].y == stroke.points[1].y; }

bool is_upright(const Stroke& stroke) { return stroke.points.size() == 2 && stroke.points[0].x == stroke.points[1].x; }

/// Do these pixels agree, one for one?
void check_same_places(std::vector<double> lines, const std::vector<Tick>& ticks) {
  std::vector<double> labels;
  for (const Tick& tick : ticks) labels.push_back(tick.pixel);
  std::sort(lines.begin(), lines.end());
  std::sort(labels.begin(), labels.end());
  REQUIRE(lines.size() == labels.size());
  for (std::size_t i = 0; i < lines.size(); ++i) CHECK(lines[i] == Approx(labels[i]).margin(0.01));
}

ReadPanel read_panel(const Drawing& drawing, const Rectangle& area, double size) {
  ReadPanel panel{area, {}, {}};
  std::vector<Tick> ticks;
  std::vector<double> lines;
  for (const Text& text : texts_in(drawing)) {
    const bool is_beside = text.align == Align::right && text.at.x < area.left && text.at.x > area.left - 2 * size &&
                           text.at.y > area.bottom - 1.0 && text.at.y < area.top() + 1.0;
    if (is_beside && is_number(text.text)) ticks.push_back({text.at.y, std::stod(text.text)});
    const bool is_above = text.at.x == area.left && text.at.y > area.top() && text.at.y < area.top() + 3 * size;
    if (is_above && text.is_bold) panel.title = text.text;
  }
  for (const auto& shape : drawing.shapes) {
    const auto* stroke = std::get_if<Stroke>(&shape);
    if (stroke == nullptr || !is_flat(*stroke) || stroke->colour != viz::ink::faint) continue;
    const double y = stroke->points[0].y;
    const bool spans = stroke->points[0].x == area.left && stroke->points[1].x == area.right();
    if (spans && y > area.bottom - 1.0 && y < area.top() + 1.0) lines.push_back(y);
  }
  check_same_places(lines, ticks);
  panel.values = scale_of(ticks);
  return panel;
}

double seconds_in(const std::string& title) {
  const std::map<std::string, double> units{{"s", 1.0}, {"min", 60.0}, {"h", 3600.0}, {"d", 86400.0}};
  const std::string begin = "time, ";
  REQUIRE(title.starts_with(begin));
  REQUIRE(units.contains(title.substr(begin.size())));
  return units.at(title.substr(begin.size()));
}

}  // namespace

std::vector<Text> texts_in(const Drawing& drawing) {
  std::vector<Text> texts;
  for (const auto& shape : drawing.shapes)
    if (const auto* text = std::get_if<Text>(&shape)) texts.push_back(*text);
  return texts;
}

ReadChart read_chart(const Drawing& drawing, double size) {
  ReadChart chart;
  for (const auto& shape : drawing.shapes) {
    const auto* polygon = std::get_if<Polygon>(&shape);
    if (polygon == nullptr || polygon->colour != viz::ink::panel) continue;
    const Point &from = polygon->points[0], &to = polygon->points[2];
    chart.panels.push_back(read_panel(drawing, {from.x, from.y, to.x - from.x, to.y - from.y}, size));
  }
  REQUIRE(!chart.panels.empty());
  const Rectangle lowest = chart.panels.back().area;
  std::vector<Tick> ticks;
  std::vector<double> lines;
  for (const Text& text : texts_in(drawing)) {
    if (text.at.y > lowest.bottom || text.align != Align::centre) continue;
    if (text.at.x < lowest.left - 1.0 || text.at.x > lowest.right() + 1.0) continue;
    if (is_number(text.text)) ticks.push_back({text.at.x, std::stod(text.text)});
    if (text.text.starts_with("time")) chart.time_title = text.text;
  }
  for (const auto& shape : drawing.shapes) {
    const auto* stroke = std::get_if<Stroke>(&shape);
    if (stroke == nullptr || !is_upright(*stroke) || stroke->points[0].y != lowest.bottom) continue;
    if (stroke->points[1].y < lowest.bottom && stroke->points[0].x >= lowest.left) lines.push_back(stroke->points[0].x);
  }
  check_same_places(lines, ticks);
  for (Tick& tick : ticks) tick.value *= seconds_in(chart.time_title);
  chart.time_s = scale_of(ticks);
  return chart;
}

std::vector<std::vector<Point>> lines_in(const Drawing& drawing, const Rectangle& area, const viz::Colour& colour,
                                         std::size_t least_points) {
  std::vector<std::vector<Point>> lines;
  for (const auto& shape : drawing.shapes) {
    const auto* stroke = std::get_if<Stroke>(&shape);
    if (stroke == nullptr || stroke->colour != colour || stroke->points.size() <= least_points) continue;
    const bool is_inside = std::all_of(stroke->points.begin(), stroke->points.end(), [&](const Point& point) {
      return point.y > area.bottom - 1.0 && point.y < area.top() + 1.0;
    });
    if (is_inside) lines.push_back(stroke->points);
  }
  return lines;
}

}  // namespace wattloop::tests
