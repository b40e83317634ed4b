// Drawings in two widths on one page: that of screens and paper, and that of a telephone, in one column and without small letters.
#pragma once

#include <functional>
#include <string>

namespace wattloop::twin {

enum class DrawingWidth { wide, phone };

/// Pixels of a drawing for a telephone; its letters are as large as those of the page.
inline constexpr double phone_width = 360.0;

/// Both drawings, of which a page shows one (classes `on_wide` and `on_phone` of its style). Empty where there is nothing to draw.
inline std::string in_both_widths(const std::function<std::string(DrawingWidth)>& draw) {
  const std::string wide = draw(DrawingWidth::wide);
  if (wide.empty()) return wide;
  return "<div class='on_wide'>" + wide + "</div>\n<div class='on_phone'>" + draw(DrawingWidth::phone) + "</div>\n";
}

}  // namespace wattloop::twin
