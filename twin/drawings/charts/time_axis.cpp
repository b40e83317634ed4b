#include "twin/drawings/charts/time_axis.hpp"

#include <array>
#include <cmath>

#include <fmt/format.h>

namespace wattloop::twin {

namespace {

constexpr double most_ticks = 8.0;

struct Step {
  double step_s, unit_s;
  const char* unit;
};

constexpr double minute_s = 60.0, hour_s = 3600.0, day_s = 86400.0;
constexpr std::array<Step, 24> steps{{{1, 1, "s"},
                                      {2, 1, "s"},
                                      {5, 1, "s"},
                                      {10, 1, "s"},
                                      {30, 1, "s"},
                                      {minute_s, minute_s, "min"},
                                      {2 * minute_s, minute_s, "min"},
                                      {5 * minute_s, minute_s, "min"},
                                      {10 * minute_s, minute_s, "min"},
                                      {30 * minute_s, minute_s, "min"},
                                      {hour_s, hour_s, "h"},
                                      {2 * hour_s, hour_s, "h"},
                                      {3 * hour_s, hour_s, "h"},
                                      {6 * hour_s, hour_s, "h"},
                                      {12 * hour_s, hour_s, "h"},
                                      {day_s, day_s, "d"},
                                      {2 * day_s, day_s, "d"},
                                      {5 * day_s, day_s, "d"},
                                      {10 * day_s, day_s, "d"},
                                      {30 * day_s, day_s, "d"},
                                      {60 * day_s, day_s, "d"},
                                      {100 * day_s, day_s, "d"},
                                      {500 * day_s, day_s, "d"},
                                      {1000 * day_s, day_s, "d"}}};

}  // namespace

std::vector<TimeTick> time_ticks(double begin_s, double end_s) {
  Step chosen = steps.back();
  for (const Step& step : steps) {
    if ((end_s - begin_s) / step.step_s > most_ticks) continue;
    chosen = step;
    break;
  }
  std::vector<TimeTick> ticks;
  for (double k = std::ceil(begin_s / chosen.step_s); k * chosen.step_s <= end_s; k += 1.0)
    ticks.push_back({k * chosen.step_s, fmt::format("{:g} {}", k * chosen.step_s / chosen.unit_s, chosen.unit)});
  return ticks;
}

std::vector<double> number_ticks(double low, double high) {
  if (!(high > low)) return {low};
  const double power = std::pow(10.0, std::floor(std::log10((high - low) / most_ticks)));
  double step = 10.0 * power;
  for (const double factor : {5.0, 2.0, 1.0}) {
    if ((high - low) / (factor * power) <= most_ticks) step = factor * power;
  }
  std::vector<double> ticks;
  for (double k = std::ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k += 1.0) ticks.push_back(k * step);
  return ticks;
}

}  // namespace wattloop::twin
