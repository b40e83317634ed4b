// The hall from above on a part of the page, to scale: cut between rows into blocks that stand side by side, so that it
// fills the page however many rows there are.
#pragma once

#include <span>
#include <vector>

#include "twin/results/schema/results_schema.hpp"
#include "viz/drawing/drawing.hpp"

namespace wattloop::viz {

/// Rows that stand above each other on the page; the first is on top.
struct PlanBlock {
  double low_m = 0.0, high_m = 0.0;  ///< along y of the hall
  double left = 0.0;                 ///< where the hall's lowest x appears, pixels
};

/// Room beside and above each block for the numbers of rows and racks, pixels.
struct PlanMargin {
  double left = 0.0, top = 0.0, between = 0.0;
};

struct PlanLayout {
  Rectangle area;  ///< that the plan fills, from the top left of what was given
  double west_m = 0.0, east_m = 0.0;
  double top = 0.0;  ///< of all blocks, pixels
  double pixels_per_metre = 1.0;
  std::vector<PlanBlock> blocks;

  const PlanBlock& block_of(const twin::LayoutBox& box) const;
  /// Where a box appears.
  Rectangle at(const twin::LayoutBox& box) const;
  /// The floor of a block.
  Rectangle floor(const PlanBlock& block) const;
};

/// Rows are those of racks, of switches and storage too; everything else stands in the block of its place along y.
PlanLayout plan_layout(std::span<const twin::LayoutBox> boxes, const Rectangle& area, const PlanMargin& margin);

}  // namespace wattloop::viz
