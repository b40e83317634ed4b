#include "twin/run/meters/month_meter.hpp"

#include <algorithm>

namespace wattloop::twin {

namespace {

MonthMeter::Month begun(int number, double time_s, std::vector<double> meters) {
  return {.number = number, .begin_s = time_s, .end_s = time_s, .at_begin = meters, .at_end = meters};
}

/// The month goes on until `time_s`, when its meters show `share` of the way to `meters`.
void go_on(MonthMeter::Month& month, double time_s, std::span<const double> meters, double share) {
  for (std::size_t k = 0; k < meters.size(); ++k)
    month.at_end[k] = share == 1.0 ? meters[k] : month.at_end[k] + share * (meters[k] - month.at_end[k]);
  month.end_s = time_s;
}

}  // namespace

void MonthMeter::observe(double time_s, std::span<const double> meters, const Powers& mean) {
  if (months_.empty()) months_.push_back(begun(clock_.at(time_s).month_number, time_s, {meters.begin(), meters.end()}));
  if (const double over_s = clock_.begin_of_month_s(months_.back().number + 1); months_.back().end_s == over_s)
    months_.push_back(
        begun(months_.back().number + 1, over_s, months_.back().at_end));  // it ended at the instant before
  const auto peak = [&] {
    Powers& highest = months_.back().peak;
    highest = {std::max(highest.facility_w, mean.facility_w), std::max(highest.utility_w, mean.utility_w)};
  };
  peak();
  for (;;) {
    Month& month = months_.back();
    const double over_s = clock_.begin_of_month_s(month.number + 1);
    if (time_s <= over_s) return go_on(month, time_s, meters, 1.0);
    go_on(month, over_s, meters, (over_s - month.end_s) / (time_s - month.end_s));
    months_.push_back(begun(month.number + 1, over_s, month.at_end));
    peak();
  }
}

}  // namespace wattloop::twin
