#include "twin/economics/bill.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace wattloop::twin {

namespace {

constexpr double hour_s = 3600.0;
constexpr double shortest_s = 1e-6;  // below which instants are the same

}  // namespace

Bill::Bill(Tariff tariff, const std::string& start)
    : tariff_(std::move(tariff)), clock_(start), energy_j_(tariff_.energy.size()) {
  interval_end_s_ = clock_.next_multiple_s(0.0, tariff_.demand_interval_s);
}

void Bill::add(double from_s, double to_s, double energy_j) {
  const double power_w = energy_j / (to_s - from_s);
  for (double at_s = from_s; at_s < to_s - shortest_s;) {
    const double end_s = std::min({to_s, clock_.next_multiple_s(at_s + shortest_s, hour_s), interval_end_s_});
    const double part_j = power_w * (end_s - at_s);
    const ClockNow now = clock_.at(at_s + shortest_s);
    const std::size_t price = tariff_.energy_price_at(now);
    metered_s_[month_of(now.month_number)] += end_s - at_s;
    if (price < energy_j_.size()) energy_j_[price] += part_j;
    interval_j_ += part_j;
    at_s = end_s;
    now_s_ = end_s;
    if (end_s >= interval_end_s_ - shortest_s) close_interval();
  }
}

void Bill::close_interval() {
  const double mean_w = interval_j_ / tariff_.demand_interval_s;
  const ClockNow when = clock_.at(interval_end_s_ - 0.5 * tariff_.demand_interval_s);
  std::vector<double>& highest_w = highest_w_[month_of(when.month_number)];
  for (std::size_t price = 0; price < highest_w.size(); ++price) {
    if (tariff_.demand[price].hours.hold(when)) highest_w[price] = std::max(highest_w[price], mean_w);
  }
  if (mean_w > peak_w_) {
    peak_w_ = mean_w;
    peak_at_s_ = interval_end_s_;
  }
  interval_end_s_ += tariff_.demand_interval_s;
  interval_j_ = 0.0;
}

double Bill::energy_cost() const {
  double sum = 0.0;
  for (std::size_t price = 0; price < energy_j_.size(); ++price) sum += tariff_.energy[price].value * energy_j_[price];
  return sum;
}

/// Begun now, where it is a new one.
std::size_t Bill::month_of(int number) {
  const auto found = std::ranges::find(month_numbers_, number);
  if (found != month_numbers_.end()) return static_cast<std::size_t>(found - month_numbers_.begin());
  month_numbers_.push_back(number);
  metered_s_.push_back(0.0);
  highest_w_.emplace_back(tariff_.demand.size(), 0.0);
  return month_numbers_.size() - 1;
}

double Bill::month_demand_cost(std::size_t month) const {
  double sum = 0.0;
  for (std::size_t price = 0; price < tariff_.demand.size(); ++price)
    sum += tariff_.demand[price].value * highest_w_[month][price];
  return sum;
}

double Bill::demand_cost() const {
  double sum = 0.0;
  for (std::size_t month = 0; month < month_numbers_.size(); ++month)
    sum += month_demand_cost(month) * metered_s_[month] / clock_.length_of_month_s(month_numbers_[month]);
  return sum;
}

double Bill::demand_cost_of_whole_months() const {
  double sum = 0.0;
  for (std::size_t month = 0; month < month_numbers_.size(); ++month) sum += month_demand_cost(month);
  return sum;
}

double Bill::fixed_cost() const {
  double months = 0.0;
  for (std::size_t month = 0; month < month_numbers_.size(); ++month)
    months += metered_s_[month] / clock_.length_of_month_s(month_numbers_[month]);
  return tariff_.fixed_per_month * months;
}

}  // namespace wattloop::twin
