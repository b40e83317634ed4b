// What scenarios say of the times of a table: the same keys wherever one is named.
#pragma once

#include <array>
#include <string>

#include "core/parts/field.hpp"

namespace wattloop {

/// How a column of stamps is written.
struct StampFormat {
  std::string unit = "s";
  std::string utc_offset = "none";  ///< "-5 h", "+05:30"
  std::string summer_time = "none";

  bool is_date() const;
  bool operator==(const StampFormat&) const = default;
};

/// Of `follow` and of a replayed trace.
struct TimeKeys {
  std::string time = "first";
  std::string time_unit = "s";
  std::string utc_offset = "none";
  std::string summer_time = "none";
  std::string stamp = "begin";

  StampFormat format() const { return {time_unit, utc_offset, summer_time}; }

  static constexpr auto fields() {
    using P = TimeKeys;
    return std::array{
        Field<P>{&P::time, "time", "", "Name of the column of times, which increase; `first` is the first one."},
        Field<P>{
            &P::time_unit, "time_unit", "",
            "What times are in: s, ms, min, h, day, and the run begins at the first row; or dates: date (2022-01-01 "
            "00:00:00), MM/DD/YYYY, DD/MM/YYYY, and the run begins at its own date, or at its day of the year where "
            "the file has another year."},
        Field<P>{&P::utc_offset, "utc_offset", "",
                 "What the run's clock, local standard time, is ahead of UTC: 1 h, -5 h. Dates with Z or an offset of "
                 "their own are converted by it, and refused without it."},
        Field<P>{&P::summer_time, "summer_time", "none|US|EU",
                 "Whose summer time the clocks of the file show; of an hour that is there twice the first rows are of "
                 "summer time."},
        Field<P>{&P::stamp, "stamp", "begin|end|instant",
                 "What a time is of its row: begin or end of the interval that it is a mean of, or the instant of a "
                 "value."},
    };
  }
};

}  // namespace wattloop
