// The clock of a run, against the calendar.
#include "core/tables/local_time.hpp"

#include "core/units/units.hpp"
#include "tests/support/catch.hpp"

using namespace wattloop;

namespace {

constexpr double hour_s = 3600.0, day_s = 86400.0;

}  // namespace

TEST_CASE("local times are read as people write them", "[unit][clock]") {
  const auto time = parse_local_time("2026-07-15T18:30:05");
  REQUIRE(time);
  CHECK(time->year == 2026);
  CHECK(time->month == 7);
  CHECK(time->day == 15);
  CHECK(time->second_of_day == 18 * hour_s + 30 * 60 + 5);
  for (const char* good : {"2026-07-15", "2026-07-15 18:30", "2022-01-01 00:00:00+00:00", "2022-01-01T00:00:00Z",
                           "2022-01-01T00:00:00.000-0500", "2024-02-29T23:59:59"})
    CHECK(parse_local_time(good));
  for (const char* bad : {"", "2026", "2026-13-01", "2026-02-30", "2025-02-29", "2026-07-15T24:00:00", "2026-07-15T18",
                          "2026-07-15T18:60", "2026-07-15 18:30 pm", "15.07.2026", "1 h"})
    CHECK_FALSE(parse_local_time(bad));
  CHECK(parse_time_of_day("18:00") == 18 * hour_s);
  CHECK(parse_time_of_day("6:05:30") == 6 * hour_s + 330);
  for (const char* bad : {"24:00", "18:0", "18", "18:00 h", "-1:00"}) CHECK_FALSE(parse_time_of_day(bad));
}

TEST_CASE("the clock of a run knows months, weekends and hours", "[unit][clock]") {
  const LocalClock clock("2026-07-31T22:30:00");  // a Friday
  const ClockNow first = clock.at(0.0);
  CHECK(first.month == 7);
  CHECK(first.hour == 22);
  CHECK_FALSE(first.is_weekend);
  const ClockNow saturday = clock.at(1.5 * hour_s);
  CHECK(saturday.month == 8);
  CHECK(saturday.hour == 0);
  CHECK(saturday.is_weekend);
  CHECK(saturday.month_number == first.month_number + 1);
  CHECK(clock.at(1.5 * hour_s + 2 * day_s - 1.0).is_weekend);
  CHECK_FALSE(clock.at(1.5 * hour_s + 2 * day_s).is_weekend);
  CHECK(clock.at(365 * day_s).month == 7);
  CHECK(clock.at(365 * day_s).month_number == first.month_number + 12);
  CHECK(clock.length_of_month_s(first.month_number) == 31 * day_s);
  CHECK(clock.next_multiple_s(0.0, hour_s) == 0.5 * hour_s);
  CHECK(clock.next_multiple_s(0.5 * hour_s, hour_s) == 1.5 * hour_s);
  CHECK(clock.next_time_of_day_s(22.5 * hour_s) == 0.0);
  CHECK(clock.next_time_of_day_s(18 * hour_s) == 19.5 * hour_s);
  CHECK(clock.seconds_of_run(*parse_local_time("2026-08-01T00:00:00")) == 1.5 * hour_s);
  CHECK(clock.seconds_of_run(*parse_local_time("2027-01-01T00:00:00")) == 1.5 * hour_s + (365 - 212) * day_s);
}

TEST_CASE("the clock of a run knows 29 February", "[unit][clock]") {
  const LocalClock clock("2028-02-28T06:00:00");
  CHECK(clock.seconds_of_run(*parse_local_time("2028-02-29T12:00")) == 30 * hour_s);
  CHECK(clock.seconds_of_run(*parse_local_time("2028-03-01T12:00")) == 54 * hour_s);
  CHECK(clock.at(19 * hour_s).month == 2);
  CHECK(clock.at(42 * hour_s).month == 3);
  CHECK(clock.length_of_month_s(1) == 29 * day_s);
  CHECK(clock.length_of_month_s(13) == 28 * day_s);
  CHECK(minute_text(time_after(clock.start(), 18 * hour_s)) == "2028-02-29T00:00");
  CHECK(minute_text(time_after(clock.start(), -59 * day_s)) == "2027-12-31T06:00");
}

TEST_CASE("written times keep fractions of a second and their offset", "[unit][clock]") {
  CHECK(parse_local_time("2026-07-15T00:00:00.250")->second_of_day == 0.25);
  CHECK_FALSE(parse_local_time("2026-07-15T00:00:00")->utc_offset_s);
  CHECK(parse_local_time("2026-07-15T00:00:00Z")->utc_offset_s == 0.0);
  CHECK(parse_local_time("2026-07-15T00:00:00.5-0530")->utc_offset_s == -5.5 * hour_s);
  CHECK(parse_local_time("2026-07-15 00:00+01")->utc_offset_s == hour_s);
  for (const char* bad :
       {"2026-07-15T00:00:00.", "2026-07-15T00:00:00+1", "2026-07-15T00:00:00 CET", "2026-07-15T00:00:00+15:00"})
    CHECK_FALSE(parse_local_time(bad));
}

TEST_CASE("time between dates counts leap days", "[unit][clock]") {
  const auto between = [](const char* from, const char* to) {
    return seconds_between(*parse_local_time(from), *parse_local_time(to));
  };
  CHECK(between("2024-02-28T12:00:00", "2024-03-01T00:00:00") == 1.5 * day_s);
  CHECK(between("2023-02-28T12:00:00", "2023-03-01T00:00:00") == 0.5 * day_s);
  CHECK(between("2022-01-01", "2023-01-01") == 365 * day_s);
}

TEST_CASE("an instant of a run is said as a time of its first day, and by its date after that", "[local_time]") {
  CHECK(instant_text("2026-07-01T00:00:00", 90.0) == format_quantity(90.0, "s"));
  CHECK(instant_text("2026-07-01T00:00:00", 86400.0) == "1 d");
  CHECK(instant_text("2026-07-01T06:30:00", 14.0 * 86400.0 + 5.0 * 3600.0) == "2026-07-15T11:30");
  CHECK(instant_text("2027-12-31T06:30:00", 60.0 * 86400.0) == "2028-02-29T06:30");
  CHECK(instant_text("2026-07-01T06:30:00", 50410.0) == "14 h 0 min 10 s");
  CHECK(instant_text("2026-07-01T06:30:00", 86400.0 + 20.0) == "2026-07-02T06:30:20");
  CHECK(instant_text("2026-07-01T23:59:00", 86400.0 + 59.7) == "2026-07-03T00:00");
  CHECK(instant_text("", 32.0 * 86400.0) == "32 d");
}
