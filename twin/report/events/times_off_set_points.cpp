#include "twin/report/events/times_off_set_points.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <variant>

#include <fmt/format.h>

#include "twin/results/schema/figure_named.hpp"

namespace wattloop::twin {

std::vector<TimeOffSetPoint> times_off_set_points(std::span<const NamedValue> summary) {
  static constexpr std::array<std::string_view, 2> sides{"above", "below"};
  constexpr double moments_s = 60.0;
  std::vector<TimeOffSetPoint> found;
  for (const NamedValue& one : summary) {
    for (const std::string_view side : sides) {
      const std::string end = fmt::format("_{}_set_point_time", side);
      const auto* time_s = one.name.ends_with(end) ? std::get_if<double>(&one.value) : nullptr;
      if (time_s == nullptr || !(*time_s > moments_s)) continue;
      const std::string place = one.name.substr(0, one.name.size() - end.size());
      found.push_back({place, side, *time_s, figure_number(summary, fmt::format("{}_most_{}_set_point", place, side))});
    }
  }
  std::ranges::stable_sort(found, std::greater(), &TimeOffSetPoint::time_s);
  return found;
}

}  // namespace wattloop::twin
