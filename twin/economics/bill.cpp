#include "twin/economics/bill.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace wattloop::twin {

namespace {

constexpr double hour_s = 3600.0;
constexpr double shortest_s = 1e-6;  // below which instants are the same

}  // namespace

Bill::Bill(Tariff tariff, const std::string& start) : tariff_(std::move(tariff)), clock_(start) {
  interval_end_s_ = clock_.next_multiple_s(0.0, tariff_.demand_interval_s);
}

void Bill::add(double from_s, double to_s, double energy_j) {
  const double power_w = energy_j / (to_s - from_s);
  for (double at_s = from_s; at_s < to_s - shortest_s;) {
    const double end_s = std::min({to_s, clock_.next_multiple_s(at_s + shortest_s, hour_s), interval_end_s_});
    const double part_j = power_w * (end_s - at_s);
    const ClockNow now = clock_.at(at_s + shortest_s);
    const std::size_t price = tariff_.energy_price_at(now);
    Month& month = month_of(now.month_number);
    month.metered_s += end_s - at_s;
    if (price < month.energy_j.size()) month.energy_j[price] += part_j;
    interval_j_ += part_j;
    at_s = end_s;
    now_s_ = end_s;
    if (end_s >= interval_end_s_ - shortest_s) close_interval();
  }
}

void Bill::close_interval() {
  const double mean_w = interval_j_ / tariff_.demand_interval_s;
  const ClockNow when = clock_.at(interval_end_s_ - 0.5 * tariff_.demand_interval_s);
  Month& month = month_of(when.month_number);
  for (std::size_t price = 0; price < month.highest_w.size(); ++price) {
    if (tariff_.demand[price].hours.hold(when)) month.highest_w[price] = std::max(month.highest_w[price], mean_w);
  }
  month.peak_w = std::max(month.peak_w, mean_w);
  if (mean_w > peak_w_) {
    peak_w_ = mean_w;
    peak_at_s_ = interval_end_s_;
  }
  interval_end_s_ += tariff_.demand_interval_s;
  interval_j_ = 0.0;
}

/// Begun now, where it is a new one.
Bill::Month& Bill::month_of(int number) {
  const auto found = std::ranges::find(months_, number, &Month::number);
  if (found != months_.end()) return *found;
  return months_.emplace_back(Month{.number = number,
                                    .energy_j = std::vector<double>(tariff_.energy.size()),
                                    .highest_w = std::vector<double>(tariff_.demand.size())});
}

std::vector<double> Bill::energy_j() const {
  std::vector<double> sum_j(tariff_.energy.size());
  for (const Month& month : months_) {
    for (std::size_t price = 0; price < sum_j.size(); ++price) sum_j[price] += month.energy_j[price];
  }
  return sum_j;
}

double Bill::energy_cost(const Month& month) const {
  double sum = 0.0;
  for (std::size_t price = 0; price < tariff_.energy.size(); ++price)
    sum += tariff_.energy[price].value * month.energy_j[price];
  return sum;
}

double Bill::whole_demand_cost(const Month& month) const {
  double sum = 0.0;
  for (std::size_t price = 0; price < tariff_.demand.size(); ++price)
    sum += tariff_.demand[price].value * month.highest_w[price];
  return sum;
}

double Bill::share_of(const Month& month) const { return month.metered_s / clock_.length_of_month_s(month.number); }

double Bill::demand_cost(const Month& month) const { return whole_demand_cost(month) * share_of(month); }

double Bill::fixed_cost(const Month& month) const { return tariff_.fixed_per_month * share_of(month); }

double Bill::energy_cost() const {
  double sum = 0.0;
  for (const Month& month : months_) sum += energy_cost(month);
  return sum;
}

double Bill::demand_cost() const {
  double sum = 0.0;
  for (const Month& month : months_) sum += demand_cost(month);
  return sum;
}

double Bill::demand_cost_of_whole_months() const {
  double sum = 0.0;
  for (const Month& month : months_) sum += whole_demand_cost(month);
  return sum;
}

double Bill::fixed_cost() const {
  double sum = 0.0;
  for (const Month& month : months_) sum += fixed_cost(month);
  return sum;
}

}  // namespace wattloop::twin
