// `follow: { file, column, unit }`: a setting, or the weather, as a column of a measured file says.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "core/parts/field.hpp"
#include "core/tables/time_keys.hpp"
#include "core/text/problem.hpp"
#include "twin/plant/state/followed_series.hpp"

namespace wattloop::twin {

/// How a column is read.
struct FollowParams {
  std::string column = {};
  std::string unit = {};
  TimeKeys times = {};
  double scale_ratio = 1.0;
  double offset = 0.0;  ///< in `unit`
  double skip_s = 0.0;
  std::string between = "step";
  double longest_gap_s = 0.0;  ///< 0: three intervals
  std::string after_end = "refuse";

  static constexpr auto fields() {
    using P = FollowParams;
    return std::array{
        Field<P>{&P::column, "column", "", "Name of the column, as in the first line of the file."},
        Field<P>{&P::unit, "unit", "", "Unit of the numbers in the file: kW, degC, %, kg/s; 1 for a ratio."},
        Field<P>{&P::scale_ratio, "scale", "1", Range::any, "Factor by which the numbers of the file are multiplied."},
        Field<P>{&P::offset, "offset", "1", Range::any, "Offset that is added after the multiplication, in `unit`."},
        Field<P>{&P::skip_s, "skip", "s", Range::non_negative,
                 "Time in the file at which the run begins, counted from the first row; in a file with dates, the "
                 "delay after the start time of the run."},
        Field<P>{&P::between, "between", "linear|step",
                 "Value between two rows. linear: on the straight line between them. step: the value of the row during "
                 "its interval. The default is linear with `stamp: instant`, otherwise step."},
        Field<P>{&P::longest_gap_s, "longest_gap", "s", Range::non_negative,
                 "Longest time without a value (empty cell or NaN). 0 s means three times the usual step of the file."},
        Field<P>{
            &P::after_end, "after_end", "refuse|hold",
            "What happens if the file ends before the run: an error, or the last row is used to the end of the run."},
    };
  }
};

/// What follows a column.
struct FollowSpec {
  std::string setting = {};  ///< COMPONENT.SETTING, `*` matches within a name; "weather.dry_bulb", "weather.wet_bulb"
  FieldInfo info = {};       ///< of the setting
  std::string file = {};     ///< as resolved
  FollowParams params = {};
  Mention mention = {};  ///< of the setting
  Mention file_mention = {}, column_mention = {}, unit_mention = {}, time_mention = {}, time_unit_mention = {};
  FollowedSeries series = {};  ///< of the run; filled when all of the scenario has been read
  std::vector<std::string> notes =
      {};  ///< for the user, with it: another year that is followed, hours that are there twice
};

}  // namespace wattloop::twin
