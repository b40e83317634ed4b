// The bill of a run under a tariff (twin/economics/tariff.hpp). A value: what has been metered so far.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "twin/economics/tariff.hpp"

namespace wattloop::twin {

class Bill {
 public:
  /// `start`: local time of the run's begin.
  Bill(Tariff tariff, const std::string& start);

  /// Energy of an interval, taken evenly from `from_s` to `to_s` of the run. Intervals follow one another.
  void add(double from_s, double to_s, double energy_j);

  /// A calendar month, as far as it went by.
  struct Month {
    int number = 0;  ///< of `LocalClock`
    double metered_s = 0.0;
    std::vector<double> energy_j;   ///< [price of energy]
    std::vector<double> highest_w;  ///< [price of demand] highest mean of an interval
    double peak_w = 0.0;            ///< the same at any hour
  };
  const std::vector<Month>& months() const { return months_; }
  double energy_cost(const Month& month) const;  ///< of time of use
  double demand_cost(
      const Month& month) const;  ///< of its highest interval so far, for the share of the month that went by
  double fixed_cost(const Month& month) const;  ///< for the same share

  double energy_cost() const;  ///< of all months, as the next two
  double demand_cost() const;
  double fixed_cost() const;
  double total() const { return energy_cost() + demand_cost() + fixed_cost(); }
  /// What demand would cost if all of every month that was begun were metered and no interval worse.
  double demand_cost_of_whole_months() const;
  /// Highest mean of a demand interval that is over, and when it ended, of all the run.
  double peak_demand_w() const { return peak_w_; }
  double peak_demand_at_s() const { return peak_at_s_; }
  const Tariff& tariff() const { return tariff_; }
  /// What each price of energy was paid for, J.
  std::vector<double> energy_j() const;

  /// All that it remembers, to a checkpoint and back.
  template <class Archive>
  void keep(Archive& archive) {
    archive(months_, interval_end_s_, interval_j_, now_s_, peak_w_, peak_at_s_);
  }

 private:
  void close_interval();

  Tariff tariff_;
  LocalClock clock_;
  Month& month_of(int number);
  double whole_demand_cost(const Month& month) const;
  double share_of(const Month& month) const;

  std::vector<Month> months_;  ///< those that were begun
  double interval_end_s_ = 0.0, interval_j_ = 0.0;
  double now_s_ = 0.0;
  double peak_w_ = 0.0, peak_at_s_ = 0.0;
};

}  // namespace wattloop::twin
