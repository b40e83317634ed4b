// A flat drawing as plain data: strokes, filled polygons and texts in pixels, painted in the order given,
// texts last. Pages and charts are drawn into it without knowing what paints it.
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "twin/drawings/colours/colour.hpp"
#include "twin/drawings/names/fitted_text.hpp"
#include "twin/drawings/names/meaning_colours.hpp"

namespace wattloop::viz {

/// Pixels from the left and from the bottom of the page.
struct Point {
  double x = 0.0, y = 0.0;
};

/// A part of the page.
struct Rectangle {
  double left = 0.0, bottom = 0.0, width = 0.0, height = 0.0;
  double right() const { return left + width; }
  double top() const { return bottom + height; }
  double middle_x() const { return left + width / 2; }
  double middle_y() const { return bottom + height / 2; }
};

using twin::Colour;

/// Colours that everything on a page shares. The series colours are distinguished by colour-blind readers
/// [okabe2008].
namespace ink {
namespace meaning = twin::meaning;
inline constexpr Colour text = twin::colour_of(meaning::facility_power), quiet{97, 110, 124}, line{203, 210, 217},
                        faint{232, 236, 240}, paper{255, 255, 255}, panel{250, 251, 252}, event{120, 130, 140};
inline constexpr Colour vermilion = twin::colour_of(meaning::hottest_die), orange = twin::colour_of(meaning::battery),
                        green = twin::colour_of(meaning::cooling_power), blue = twin::colour_of(meaning::it_power),
                        sky{86, 180, 233}, throttled = twin::colour_of(meaning::throttled), beyond{178, 24, 43};
}  // namespace ink

struct Stroke {
  std::vector<Point> points;
  Colour colour = ink::text;
  double width = 1.0;
  bool is_dashed = false;
};

struct Polygon {
  std::vector<Point> points;  ///< convex
  Colour colour = ink::faint;
};

enum class Align { left, centre, right };

struct Text {
  std::string text;
  Point at;  ///< vertically the middle of the text's capital letters
  double size = 14.0;
  Colour colour = ink::text;
  Align align = Align::left;
  bool is_bold = false;
  bool is_upright = false;  ///< read from below to above; `at` is its middle
};

struct Drawing {
  std::vector<std::variant<Stroke, Polygon, Text>> shapes;

  void add(Stroke stroke) { shapes.emplace_back(std::in_place_type<Stroke>, std::move(stroke)); }
  void add(Polygon polygon) { shapes.emplace_back(std::in_place_type<Polygon>, std::move(polygon)); }
  void add(Text text) { shapes.emplace_back(std::in_place_type<Text>, std::move(text)); }
};

inline Polygon filled(const Rectangle& r, Colour colour) {
  return {{{r.left, r.bottom}, {r.right(), r.bottom}, {r.right(), r.top()}, {r.left, r.top()}}, colour};
}

/// What is seen on a ground: dark on light, light on dark.
inline Colour ink_on(const Colour& ground) {
  const double luminance = 0.299 * ground.red + 0.587 * ground.green + 0.114 * ground.blue;
  return luminance > 140.0 ? ink::text : ink::paper;
}

/// Width of a text, a little overestimated, so that what is placed by it does not overlap.
inline double text_width(const Text& text) {
  return text.size * twin::letters_width(text.text) * (text.is_bold ? 1.06 : 1.0);
}

}  // namespace wattloop::viz
