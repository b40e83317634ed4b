#include "workload/queue/decision_times.hpp"

#include <cmath>
#include <limits>

namespace wattloop::workload {

double decision_from_s(double interval_s, double time_s) {
  if (std::isinf(time_s)) return time_s;
  double number = std::ceil(time_s / interval_s);
  while ((number - 1.0) * interval_s >= time_s) --number;
  while (number * interval_s < time_s) ++number;
  return number * interval_s;
}

double decision_after_s(double interval_s, double time_s) {
  return decision_from_s(interval_s, std::nextafter(time_s, std::numeric_limits<double>::infinity()));
}

double decision_until_s(double interval_s, double time_s) {
  double number = std::floor(time_s / interval_s);
  while (number * interval_s > time_s) --number;
  while ((number + 1.0) * interval_s <= time_s) ++number;
  return number * interval_s;
}

}  // namespace wattloop::workload
