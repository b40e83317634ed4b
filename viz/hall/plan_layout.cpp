#include "viz/hall/plan_layout.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace wattloop::viz {
namespace {

constexpr double floor_margin_m = 0.4;

struct Extent {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  void include(const twin::LayoutBox& box, std::size_t axis) {
    low = std::min(low, box.centre_m[axis] - box.size_m[axis] / 2);
    high = std::max(high, box.centre_m[axis] + box.size_m[axis] / 2);
  }
};

/// Where rows stand along y, from the lowest.
std::vector<double> row_centres_m(std::span<const twin::LayoutBox> boxes) {
  std::vector<double> centres_m;
  for (const twin::LayoutBox& box : boxes)
    if (box.kind == "rack" || box.kind == "network_rack" || box.kind == "storage_rack")
      centres_m.push_back(box.centre_m[1]);
  std::ranges::sort(centres_m);
  const auto same = [](double a, double b) { return std::abs(a - b) < 0.1; };
  centres_m.erase(std::unique(centres_m.begin(), centres_m.end(), same), centres_m.end());
  return centres_m;
}

/// Blocks of `per_block` rows; what stands beyond the first or the last row is in theirs.
std::vector<PlanBlock> cut(const std::vector<double>& rows_m, std::size_t per_block, const Extent& along) {
  std::vector<PlanBlock> blocks;
  for (std::size_t first = 0; first < rows_m.size(); first += per_block) {
    const std::size_t end = std::min(first + per_block, rows_m.size());
    PlanBlock block;
    block.low_m = first == 0 ? along.low : 0.5 * (rows_m[first - 1] + rows_m[first]);
    block.high_m = end == rows_m.size() ? along.high : 0.5 * (rows_m[end - 1] + rows_m[end]);
    blocks.push_back(block);
  }
  if (blocks.empty()) blocks.push_back({along.low, along.high});
  return blocks;
}

double scale_of(const std::vector<PlanBlock>& blocks, double width_m, const Rectangle& area, const PlanMargin& margin) {
  double tallest_m = 0.0;
  for (const PlanBlock& block : blocks) tallest_m = std::max(tallest_m, block.high_m - block.low_m);
  const double count = double(blocks.size());
  const double free_width = area.width - count * margin.left - (count - 1.0) * margin.between;
  return std::max(std::min(free_width / (count * width_m), (area.height - margin.top) / tallest_m), 1e-3);
}

}  // namespace

const PlanBlock& PlanLayout::block_of(const twin::LayoutBox& box) const {
  for (const PlanBlock& block : blocks)
    if (box.centre_m[1] < block.high_m) return block;
  return blocks.back();
}

Rectangle PlanLayout::at(const twin::LayoutBox& box) const {
  const PlanBlock& block = block_of(box);
  const double x_m = box.centre_m[0] - box.size_m[0] / 2 - west_m, y_m = box.centre_m[1] + box.size_m[1] / 2;
  return {block.left + x_m * pixels_per_metre, top - (y_m - block.low_m) * pixels_per_metre,
          box.size_m[0] * pixels_per_metre, box.size_m[1] * pixels_per_metre};
}

Rectangle PlanLayout::floor(const PlanBlock& block) const {
  const double height = (block.high_m - block.low_m) * pixels_per_metre;
  return {block.left, top - height, (east_m - west_m) * pixels_per_metre, height};
}

PlanLayout plan_layout(std::span<const twin::LayoutBox> boxes, const Rectangle& area, const PlanMargin& margin) {
  Extent across, along;
  for (const twin::LayoutBox& box : boxes) {
    across.include(box, 0);
    along.include(box, 1);
  }
  PlanLayout plan;
  if (boxes.empty()) return plan;
  along.low -= floor_margin_m;
  along.high += floor_margin_m;
  plan.west_m = across.low - floor_margin_m;
  plan.east_m = across.high + floor_margin_m;
  const double width_m = plan.east_m - plan.west_m;
  const std::vector<double> rows_m = row_centres_m(boxes);
  double best = 0.0;
  for (std::size_t count = 1; count <= std::max<std::size_t>(rows_m.size(), 1); ++count) {
    const std::size_t even = (rows_m.size() + count - 1) / count;
    const std::size_t per_block =
        even > 1 && count > 1 ? even + even % 2 : std::max<std::size_t>(even, 1);  // pairs stay
    std::vector<PlanBlock> blocks = cut(rows_m, per_block, along);
    const double scale = scale_of(blocks, width_m, area, margin);
    if (scale <= best * 1.02) continue;  // fewer blocks read easier
    best = scale;
    plan.blocks = std::move(blocks);
  }
  plan.pixels_per_metre = best;
  plan.top = area.top() - margin.top;
  const double block_width = margin.left + width_m * best;
  const double used = double(plan.blocks.size()) * (block_width + margin.between) - margin.between;
  double left = area.left + std::max(0.5 * (area.width - used), 0.0), lowest = plan.top;
  for (PlanBlock& block : plan.blocks) {
    block.left = left + margin.left;
    left += block_width + margin.between;
    lowest = std::min(lowest, plan.floor(block).bottom);
  }
  plan.area = {area.left, lowest, area.width, area.top() - lowest};
  return plan;
}

}  // namespace wattloop::viz
