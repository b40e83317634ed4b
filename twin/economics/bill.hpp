// The bill of a run under a tariff (twin/economics/tariff.hpp). A value: what has been metered so far.
#pragma once

#include <map>
#include <vector>

#include "twin/economics/tariff.hpp"

namespace wattloop::twin {

class Bill {
 public:
  /// `start`: local time of the run's begin.
  Bill(Tariff tariff, const std::string& start);

  /// Energy of a stretch, taken evenly from `from_s` to `to_s` of the run. Stretches follow one another.
  void add(double from_s, double to_s, double energy_j);

  double energy_cost() const;  ///< of time of use
  double demand_cost() const;  ///< of each month its highest interval so far, for the share of the month that went by
  double fixed_cost() const;   ///< months, or the share of them, that went by
  double total() const { return energy_cost() + demand_cost() + fixed_cost(); }
  /// What demand would cost if all of every month that was begun were metered and no interval worse.
  double demand_cost_of_whole_months() const;
  /// Highest mean of a demand interval that is over, and when it ended, of all the run.
  double peak_demand_w() const { return peak_w_; }
  double peak_demand_at_s() const { return peak_at_s_; }
  const Tariff& tariff() const { return tariff_; }
  /// What each price of energy was paid for, J.
  const std::vector<double>& energy_j() const { return energy_j_; }

 private:
  void close_interval();

  Tariff tariff_;
  LocalClock clock_;
  std::vector<double> energy_j_;  ///< [price]
  struct Month {
    std::vector<double> demand_w;  ///< [price] highest mean of an interval
    double metered_s = 0.0;
  };
  double month_demand_cost(const Month& month) const;

  std::map<int, Month> months_;  ///< [month number]
  double interval_end_s_ = 0.0, interval_j_ = 0.0;
  double now_s_ = 0.0;
  double peak_w_ = 0.0, peak_at_s_ = 0.0;
};

}  // namespace wattloop::twin
