// Stamps of logs: dates in any order that core/tables/time_stamps.hpp reads, UNIX times, seconds since a start.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "twin/imports/telemetry/power_log.hpp"

namespace wattloop::twin {

/// One column of stamps. What its first stamp is, all others are.
class LogClock {
 public:
  /// `order` of dates as in `StampFormat::unit`; `unit` of numbers: s, ms, us, ns, min, h; empty: by their size.
  explicit LogClock(std::string_view order = "date", std::string_view unit = {}) : order_(order), unit_(unit) {}

  /// Seconds; none where the text is no time, or of another kind than those before it.
  std::optional<double> read(std::string_view text);
  ClockKind kind() const { return kind_.value_or(ClockKind::seconds); }
  /// For a hint.
  std::string expected() const;

 private:
  std::optional<double> number(double value);
  std::optional<double> date(std::string_view text);

  std::string order_, unit_;
  std::optional<ClockKind> kind_;
  double per_unit_s_ = 0.0;
  bool has_offset_ = false;
  std::string day_;  ///< the text of the last date, up to its time of day
  double day_s_ = 0.0;
};

}  // namespace wattloop::twin
