#include "twin/search/pareto_front.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace wattloop::twin {

std::vector<std::size_t> pareto_front(std::span<const TwoFigures> points) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!std::isnan(points[i].first) && !std::isnan(points[i].second)) order.push_back(i);
  }
  std::ranges::sort(order, {}, [&](std::size_t i) { return std::tuple(points[i].first, points[i].second, i); });
  std::vector<std::size_t> front;
  for (const std::size_t i : order) {
    const bool is_better = front.empty() || points[i].second < points[front.back()].second;
    const bool is_equal = !front.empty() && points[i].first == points[front.back()].first &&
                          points[i].second == points[front.back()].second;
    if (is_better || is_equal) front.push_back(i);
  }
  return front;
}

}  // namespace wattloop::twin
