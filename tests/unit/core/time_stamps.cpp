// Columns of stamps against the calendar: units, dates, offsets, summer time, fractions, and where a run has rows of dates.
#include "core/tables/time_stamps.hpp"
#include "core/tables/rows_by_date.hpp"

#include <fstream>

#include <fmt/format.h>

#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace wattloop;
using Catch::Matchers::Contains;

namespace {

constexpr double hour_s = 3600.0, day_s = 86400.0;
using Values = std::vector<double>;

struct Read {
  std::optional<TimeStamps> stamps;
  std::string problems;
};

Read read(const std::vector<std::string>& cells, const StampFormat& format) {
  static tests::TemporaryFolder folder;
  const std::string file = (folder / "t.csv").string();
  std::ofstream out(file);
  out << "time,x\n";
  for (const std::string& cell : cells) out << cell << ",1\n";
  out.close();
  Problems problems;
  const auto table = read_csv_table(file, problems);
  CsvProblems reported(file, problems);
  Read found{read_time_stamps(*table, 0, format, reported), {}};
  for (const Problem& problem : problems.all()) found.problems += format_problem(problem);
  return found;
}

Values seconds(const std::vector<std::string>& cells, const StampFormat& format) {
  const Read found = read(cells, format);
  INFO(found.problems);
  REQUIRE(found.stamps);
  return found.stamps->since_first_s;
}

/// Hourly dates of whole days.
TimeStamps hourly(const LocalTime& first, int days) {
  TimeStamps stamps{.since_first_s = {}, .interval_s = hour_s, .first = first};
  for (int hour = 0; hour < 24 * days; ++hour) stamps.since_first_s.push_back(hour * hour_s);
  return stamps;
}

/// Which date of the file holds at a date of the run.
std::string row_at(const TimeStamps& stamps, const RunSpan& run, const LocalTime& date) {
  const PlacedRows placed = rows_by_date(stamps, run);
  const double time_s = seconds_between(run.start, date);
  const auto next = std::ranges::upper_bound(placed.times_s, time_s + 1e-6);
  REQUIRE(next != placed.times_s.begin());
  const std::size_t row = placed.rows[static_cast<std::size_t>(next - placed.times_s.begin()) - 1];
  return minute_text(time_after(*stamps.first, stamps.since_first_s[row]));
}

}  // namespace

TEST_CASE("numbers are read in their unit, dates in their order, with fractions of seconds", "[stamps]") {
  CHECK(seconds({"1784109600000", "1784109601000"}, {.unit = "ms"}) == Values{0.0, 1.0});
  CHECK(seconds({"5", "5.5"}, {.unit = "h"}) == Values{0.0, 1800.0});
  CHECK(read({"5", "6"}, {.unit = "min"}).stamps->first_s == 300.0);
  const Values quarter{0.0, 900.0};
  CHECK(seconds({"2026-10-31T00:00", "2026-10-31 00:15:00"}, {.unit = "date"}) == quarter);
  CHECK(seconds({"2026/10/31 00:00", "2026/10/31 00:15"}, {.unit = "date"}) == quarter);
  CHECK(seconds({"10/31/2026 0:00", "10/31/2026 0:15"}, {.unit = "MM/DD/YYYY"}) == quarter);
  CHECK(seconds({"31.10.2026 00:00", "31.10.2026 00:15"}, {.unit = "DD/MM/YYYY"}) == quarter);
  CHECK(seconds({"10/31/2026 11:45 PM", "11/1/2026 12:00 AM", "11/1/2026 12:15 PM"}, {.unit = "MM/DD/YYYY"}) ==
        Values{0.0, 900.0, 900.0 + 12.25 * hour_s});
  const Values halves = seconds({"2026-10-31T00:00:00.250", "2026-10-31T00:00:00.750"}, {.unit = "date"});
  CHECK(halves[1] == Approx(0.5));
  CHECK_THAT(read({"2026-10-31T00:00:00.750", "2026-10-31T00:00:00.250"}, {.unit = "date"}).problems,
             Contains("does not come after"));
}

TEST_CASE("24:00 ends the day, halves of the day are written as people do", "[stamps]") {
  const Values quarter{0.0, 900.0};
  CHECK(seconds({"2026-10-31 23:45", "2026-10-31 24:00"}, {.unit = "date"}) == quarter);
  CHECK(seconds({"12/31/2026 23:45", "12/31/2026 24:00:00"}, {.unit = "MM/DD/YYYY"}) == quarter);
  CHECK(minute_text(*read({"2026-12-31T24:00"}, {.unit = "date"}).stamps->first) == "2027-01-01T00:00");
  CHECK(seconds({"2026-10-31T23:45Z", "2026-11-01T01:00+01:00"}, {.unit = "date", .utc_offset = "1 h"}) == quarter);
  CHECK(seconds({"2026-10-31T23:45Z", "2026-10-31T24:00Z"}, {.unit = "date", .utc_offset = "1 h"}) == quarter);
  for (const char* text : {"2026-10-31 24:01", "2026-10-31 24:00 PM", "2026-10-31 25:00", "2026-10-31 24:00:00.5"})
    CHECK_THAT(read({text}, {.unit = "date"}).problems, Contains("is not a date"));
  const StampFormat us{.unit = "MM/DD/YYYY"};
  for (const char* noon : {"10/31/2026 12:15 pm", "10/31/2026 12:15pm", "10/31/2026 12:15 p.m.", "10/31/2026 12:15 PM"})
    CHECK(seconds({"10/31/2026 12:00 am", noon}, us) == Values{0.0, 12.25 * hour_s});
}

TEST_CASE("rows that lack the hour of spring alone are noted, with whose clocks leave it out", "[stamps]") {
  const auto note = [](const std::vector<std::string>& cells, const StampFormat& format = {.unit = "date"}) {
    const Read found = read(cells, format);
    INFO(found.problems);
    REQUIRE(found.stamps);
    return found.stamps->notes.empty() ? std::string() : found.stamps->notes.front();
  };
  const std::vector<std::string> us{"2026-03-08 01:50", "2026-03-08 01:55", "2026-03-08 03:00", "2026-03-08 03:05"};
  CHECK_THAT(note(us), Contains("between 2026-03-08T01:55 and 2026-03-08T03:00") && Contains("`summer_time: US`"));
  CHECK(note(us, {.unit = "date", .summer_time = "US"}).empty());
  CHECK_THAT(note({"2026-03-29 00:15", "2026-03-29 00:30", "2026-03-29 00:45", "2026-03-29 02:00"}),
             Contains("`summer_time: EU`"));
  CHECK(note({"2026-03-09 01:45", "2026-03-09 01:50", "2026-03-09 01:55", "2026-03-09 03:00"}).empty());
  CHECK(
      note({"2026-03-08 01:45", "2026-03-08 01:50", "2026-03-08 01:55", "2026-03-08 04:00"}).empty());  // a longer hole
  CHECK(note({"2026-03-07 00:00", "2026-03-08 00:00", "2026-03-09 00:00"}).empty());
  const StampFormat east{.unit = "date", .utc_offset = "-5 h"};
  CHECK(note({"2026-03-08 06:45Z", "2026-03-08 06:50Z", "2026-03-08 06:55Z", "2026-03-08 08:00Z"}, east).empty());
}

TEST_CASE("the usual step is the median one", "[stamps]") {
  CHECK(median_step_s(Values{}) == 0.0);
  CHECK(median_step_s(Values{5.0}) == 0.0);
  CHECK(median_step_s(Values{0.0, 1.0, 3.0, 100.0}) == 2.0);
  CHECK(median_step_s(Values{0.0, 1.0, 4.0}) == 2.0);
}

TEST_CASE("what is no time, or in another order, is reported with what would read it", "[stamps]") {
  CHECK_THAT(read({"2026-10-31T00:00"}, {}).problems, Contains("`time_unit: date`"));
  CHECK_THAT(read({"10/31/2026 00:00"}, {}).problems, Contains("`time_unit: MM/DD/YYYY`"));
  CHECK_THAT(read({"31/10/2026"}, {.unit = "MM/DD/YYYY"}).problems, Contains("`time_unit: DD/MM/YYYY`?"));
  CHECK_THAT(read({"2026-02-30"}, {.unit = "date"}).problems, Contains("is not a date"));
  CHECK_THAT(read({"5", "5"}, {}).problems, Contains("time '5' does not come after '5'"));
  for (const StampFormat& format : {StampFormat{}, StampFormat{.unit = "date"}}) {
    for (const char* text : {"", "#N/A", "None"})
      CHECK_THAT(read({text}, format).problems, Contains("the time is missing"));
  }
  CHECK_THAT(read({"10/31/26 01:15"}, {.unit = "MM/DD/YYYY"}).problems, Contains("written with four digits"));
  CHECK_THAT(read({"\"1,5\""}, {.unit = "h"}).problems, Contains("a decimal comma"));
  CHECK(read({"2024-02-29"}, {.unit = "date"}).problems.empty());
}

TEST_CASE("a written offset is applied where the run's clock has one, and refused where it has none", "[stamps]") {
  const std::vector<std::string> cells{"2026-03-29T01:30:00+01:00", "2026-03-29T03:30:00+02:00",
                                       "2026-03-29T02:30:00Z"};
  CHECK_THAT(read(cells, {.unit = "date"}).problems, Contains("has a UTC offset") && Contains("`utc_offset: 1 h`"));
  const Read found = read(cells, {.unit = "date", .utc_offset = "1 h"});
  REQUIRE(found.stamps);
  CHECK(found.stamps->since_first_s == Values{0.0, hour_s, 2.0 * hour_s});
  CHECK(minute_text(*found.stamps->first) == "2026-03-29T01:30");
  CHECK(minute_text(*read(cells, {.unit = "date", .utc_offset = "-05:00"}).stamps->first) == "2026-03-28T19:30");
  CHECK_THAT(format_mistake({.unit = "date", .utc_offset = "east"}), Contains("is not an offset"));
  CHECK_THAT(format_mistake({.unit = "s", .utc_offset = "1 h"}), Contains("needs dates"));
  CHECK(format_mistake({.unit = "date", .utc_offset = "+05:30"}).empty());
}

TEST_CASE("clocks with summer time are read in order, the hour that is there twice is reported", "[stamps]") {
  const StampFormat us{.unit = "date", .summer_time = "US"};
  const std::vector<std::string> autumn{"2026-11-01 00:30", "2026-11-01 01:00", "2026-11-01 01:30",
                                        "2026-11-01 01:00", "2026-11-01 01:30", "2026-11-01 02:00"};
  const Read found = read(autumn, us);
  REQUIRE(found.stamps);
  CHECK(found.stamps->since_first_s == Values{0.0, 1800.0, 3600.0, 5400.0, 7200.0, 9000.0});
  CHECK(minute_text(*found.stamps->first) == "2026-10-31T23:30");  // standard time
  REQUIRE(found.stamps->notes.size() == 1);
  CHECK_THAT(found.stamps->notes[0], Contains("twice") && Contains("line 5 are"));
  CHECK_THAT(read(autumn, {.unit = "date"}).problems, Contains("`summer_time: US` or `summer_time: EU`"));
  CHECK(seconds({"2026-03-08 01:30", "2026-03-08 03:00"}, us) == Values{0.0, 1800.0});
  CHECK_THAT(read({"2026-03-08 02:30"}, us).problems, Contains("skip in spring"));
  const StampFormat eu{.unit = "date", .utc_offset = "1 h", .summer_time = "EU"};
  CHECK(seconds({"2026-03-29 01:30", "2026-03-29 03:00"}, eu) == Values{0.0, 1800.0});
  CHECK(seconds({"2026-10-25 02:30", "2026-10-25 02:00", "2026-10-25 03:00"}, eu) == Values{0.0, 1800.0, 5400.0});
  CHECK(seconds({"2026-07-01 02:30", "2026-07-01 00:45Z"}, eu) == Values{0.0, 900.0});  // an own offset counts
  CHECK_THAT(format_mistake({.unit = "date", .summer_time = "EU"}), Contains("needs `utc_offset`"));
}

TEST_CASE("rows stand for intervals as their stamps say", "[stamps]") {
  const Values stamps{0.0, 10.0, 20.0, 50.0};
  const auto check = [&](StampOf stamp, const Values& begin_s, const Values& end_s) {
    const RowIntervals found = row_intervals(stamps, 10.0, stamp);
    CHECK(found.begin_s == begin_s);
    CHECK(found.end_s == end_s);
  };
  check(StampOf::begin, {0, 10, 20, 50}, {10, 20, 30, 60});
  check(StampOf::end, {-10, 0, 10, 40}, {0, 10, 20, 50});
  check(StampOf::instant, {-5, 5, 15, 45}, {5, 15, 25, 55});
}

TEST_CASE("a log is followed at its own dates, else at the day of the year, and that is reported", "[stamps]") {
  const TimeStamps three = hourly({2025, 1, 1}, 3 * 365);
  for (const int year : {2025, 2026, 2027})
    CHECK(row_at(three, {{year, 7, 15}, day_s}, {year, 7, 15}) == fmt::format("{}-07-15T00:00", year));
  CHECK(rows_by_date(three, {{2027, 7, 15}, day_s}).notes.empty());
  CHECK(row_at(three, {{2031, 7, 15}, day_s}, {2031, 7, 15, hour_s}) == "2025-07-15T01:00");
  REQUIRE(rows_by_date(three, {{2031, 7, 15}, day_s}).notes.size() == 1);
  CHECK_THAT(rows_by_date(three, {{2031, 7, 15}, day_s}).notes[0], Contains("the rows of 2025 with the same day"));
}

TEST_CASE("29 February is matched by date, whether the file or the run has it", "[stamps]") {
  const RunSpan leap{{2028, 2, 27}, 5 * day_s}, plain{{2027, 2, 27}, 5 * day_s};
  const TimeStamps without = hourly({2025, 1, 1}, 365), with = hourly({2024, 1, 1}, 366);
  CHECK(row_at(without, leap, {2028, 2, 29, 5 * hour_s}) == "2025-02-28T05:00");
  CHECK(row_at(without, leap, {2028, 3, 1, 5 * hour_s}) == "2025-03-01T05:00");
  CHECK(rows_by_date(without, leap).notes.size() == 2);
  CHECK(row_at(with, leap, {2028, 2, 29, 5 * hour_s}) == "2024-02-29T05:00");
  CHECK(rows_by_date(with, leap).notes.size() == 1);  // of the year
  CHECK(row_at(with, plain, {2027, 3, 1}) == "2024-03-01T00:00");
  CHECK(row_at(with, plain, {2027, 2, 28, 23 * hour_s}) == "2024-02-28T23:00");
  CHECK_THAT(rows_by_date(with, plain).notes.back(), Contains("29 February is left out"));
  const PlacedRows placed = rows_by_date(without, leap);
  CHECK(std::ranges::adjacent_find(placed.times_s, std::ranges::greater_equal()) == placed.times_s.end());
}

TEST_CASE("a run before the first row, and one that sees a row alone, are reported", "[stamps]") {
  const TimeStamps stamps = hourly({2026, 7, 15, 10 * hour_s}, 1);
  const LocalTime early{2026, 7, 15, 7 * hour_s};
  const PlacedRows placed = rows_by_date(stamps, {early, day_s});
  CHECK_THAT(early_begin_text(placed, early, hour_s), Contains("begins 3 h before the first row, 2026-07-15T10:00"));
  CHECK(early_begin_text(placed, early, 3.0 * hour_s).empty());
  CHECK_THAT(few_rows_text(Values{0.0, 1000.0, 2000.0}, 1000.0, 120.0),
             Contains("the run lasts 2 min: it uses only 1 of 3 rows of the file, which are 16 min 40 s apart"));
  CHECK(few_rows_text(Values{0.0, 1000.0, 2000.0}, 1000.0, 1001.0).empty());
}
