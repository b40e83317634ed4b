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
        Field<P>{&P::time, "time", "",
                 "Name of the column of times; `first` is the first column. Times must increase from row to row."},
        Field<P>{&P::time_unit, "time_unit", "",
                 "Unit of the times: s, ms, min, h or day; the run then begins at the first row. Or format of dates: "
                 "date (2022-01-01 00:00:00), MM/DD/YYYY or DD/MM/YYYY; the run then begins at its own start date. If "
                 "the file has another year, the run begins at the same day of that year."},
        Field<P>{&P::utc_offset, "utc_offset", "",
                 "Offset of the run's clock (local standard time) from UTC: 1 h, -5 h. Dates with Z or with an offset "
                 "of their own are converted with it; without it they are refused."},
        Field<P>{&P::summer_time, "summer_time", "none|US|EU",
                 "Rule of the summer time that the clocks of the file follow. If an hour is in the file twice, its "
                 "first rows are in summer time."},
        Field<P>{&P::stamp, "stamp", "begin|end|instant",
                 "Meaning of the time of a row: begin or end of the interval over which the row is a mean, or the "
                 "instant of the value."},
    };
  }
};

}  // namespace wattloop
