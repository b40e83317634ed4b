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

  /// All that it remembers, to a checkpoint and back.
  template <class Archive>
  void keep(Archive& archive) {
    archive(energy_j_, month_numbers_, metered_s_, highest_w_, interval_end_s_, interval_j_, now_s_, peak_w_,
            peak_at_s_);
  }

 private:
  void close_interval();

  Tariff tariff_;
  LocalClock clock_;
  std::vector<double> energy_j_;  ///< [price]
  double month_demand_cost(std::size_t month) const;
  std::size_t month_of(int number);

  std::vector<int> month_numbers_;              ///< [month] those that were begun
  std::vector<double> metered_s_;               ///< [month]
  std::vector<std::vector<double>> highest_w_;  ///< [month][price] highest mean of an interval
  double interval_end_s_ = 0.0, interval_j_ = 0.0;
  double now_s_ = 0.0;
  double peak_w_ = 0.0, peak_at_s_ = 0.0;
};

}  // namespace wattloop::twin
