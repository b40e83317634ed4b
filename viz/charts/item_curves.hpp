// Curves of what has many items: one for each where there are few and they differ, else that of the worst over the band of all.
#pragma once

#include <string>

#include "viz/charts/timeline.hpp"
#include "viz/hall/item_course.hpp"

namespace wattloop::viz {

struct ItemCurves {
  std::string all{};   ///< name of the one curve where all items agree: "coolant supply"
  std::string each{};  ///< before the names of items: "supply"; may be empty
  Colour colour{};     ///< of the worst
  bool is_least_worst = false;
  std::string gap{};   ///< said behind the name of a curve that ends in a gap: "no flow"; may be empty
  double alike = 0.0;  ///< items that never differ by more are one curve, their mean
};

/// At most this many items have curves of their own.
inline constexpr std::size_t most_own_curves = 4;

/// Nothing where the course is empty or has no number.
void add_item_curves(Panel& panel, const ItemCourse& course, const ItemCurves& shown);

}  // namespace wattloop::viz
