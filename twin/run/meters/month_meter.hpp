// Meters of a run at the ends of its calendar months. An interval between two instants over the end of a month is split there, evenly.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/tables/local_time.hpp"

namespace wattloop::twin {

/// A value, which may be copied with a checkpoint.
class MonthMeter {
 public:
  /// `start`: local time of the run's begin.
  explicit MonthMeter(const std::string& start) : clock_(start) {}

  /// Means of an interval, or the highest of them.
  struct Powers {
    double facility_w = 0.0, utility_w = 0.0;
  };

  /// What of a month the run has.
  struct Month {
    int number = 0;  ///< of `LocalClock`
    double begin_s = 0.0, end_s = 0.0;
    std::vector<double> at_begin, at_end;  ///< [meter]
    Powers peak{};

    double amount(std::size_t meter) const { return at_end[meter] - at_begin[meter]; }
  };

  /// An interval ends: what meters show, because the begin of the run, and mean powers of the interval, which count for each month that it is of.
  void observe(double time_s, std::span<const double> meters, const Powers& mean);

  const std::vector<Month>& months() const { return months_; }
  const LocalClock& clock() const { return clock_; }

  /// All that it remembers, to a checkpoint and back.
  template <class Archive>
  void keep(Archive& archive) {
    archive(months_);
  }

 private:
  LocalClock clock_;
  std::vector<Month> months_;
};

}  // namespace wattloop::twin
