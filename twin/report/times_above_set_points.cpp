#include "twin/report/times_above_set_points.hpp"

#include <algorithm>
#include <functional>
#include <string_view>

namespace wattloop::twin {

std::vector<TimeAboveSetPoint> times_above_set_points(std::span<const NamedValue> summary) {
  constexpr std::string_view end = "_above_set_point_time";
  constexpr double moments_s = 60.0;
  std::vector<TimeAboveSetPoint> found;
  for (const NamedValue& one : summary) {
    const auto* time_s = one.name.ends_with(end) ? std::get_if<double>(&one.value) : nullptr;
    if (time_s != nullptr && *time_s > moments_s)
      found.push_back({one.name.substr(0, one.name.size() - end.size()), *time_s});
  }
  std::ranges::stable_sort(found, std::greater(), &TimeAboveSetPoint::time_s);
  return found;
}

}  // namespace wattloop::twin
