// `follow: { file, column, unit }`: a setting, or the weather, as a column of a measured file says.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "core/parts/field.hpp"
#include "core/tables/time_keys.hpp"
#include "core/text/problem.hpp"
#include "twin/scenario/specs/followed_series.hpp"

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
        Field<P>{&P::column, "column", "", "Name of the column, as the first line of the file has it."},
        Field<P>{&P::unit, "unit", "", "What its numbers are in: kW, degC, %, kg/s; 1 for a ratio."},
        Field<P>{&P::scale_ratio, "scale", "1", Range::any, "Numbers of the file are multiplied by it."},
        Field<P>{&P::offset, "offset", "1", Range::any, "Is added then, in `unit`."},
        Field<P>{&P::skip_s, "skip", "s", Range::non_negative,
                 "Where in the file the run begins, counted from its first row; with dates, later than its own time."},
        Field<P>{&P::between, "between", "linear|step",
                 "What holds between two rows: the line from one to the other, of instants; or each row through its "
                 "interval. Linear where `stamp: instant` is written, and the other way round."},
        Field<P>{&P::longest_gap_s, "longest_gap", "s", Range::non_negative,
                 "Cells may be missing for so long, empty or NaN; 0 s: for three of the usual steps of the file."},
        Field<P>{&P::after_end, "after_end", "refuse|hold",
                 "What a file means that ends before the run does: a mistake, or that its last row holds."},
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
