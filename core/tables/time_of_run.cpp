#include "core/tables/time_of_run.hpp"

#include <array>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "core/units/units.hpp"

namespace wattloop {

std::string time_of_run(double time_s) {
  constexpr double hour_s = 3600.0, longest_s = 1e12;
  if (!(time_s >= hour_s) || time_s > longest_s) return format_quantity(time_s, "s");
  struct Part {
    long long seconds;
    std::string_view unit;
  };
  constexpr std::array parts{Part{86400, "d"}, Part{3600, "h"}, Part{60, "min"}, Part{1, "s"}};
  std::string text;
  long long left = std::llround(time_s);
  for (const auto& [seconds, unit] : parts) {
    const long long count = left / seconds;
    left %= seconds;
    if (count > 0 || (!text.empty() && left > 0)) text += fmt::format("{}{} {}", text.empty() ? "" : " ", count, unit);
    if (left == 0) break;
  }
  return text;
}

}  // namespace wattloop
