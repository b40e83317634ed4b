#include "twin/report/events/clock_time.hpp"

#include "core/tables/local_time.hpp"

namespace wattloop::twin {

std::optional<double> clock_time_s(std::string_view start_iso, std::string_view text) {
  if (!parse_local_time(start_iso)) return std::nullopt;
  const LocalClock clock(start_iso);
  if (const std::optional<double> second = parse_time_of_day(text)) return clock.next_time_of_day_s(*second);
  if (const std::optional<LocalTime> date = parse_local_time(text); date && !date->utc_offset_s)
    return clock.seconds_of_run(*date);
  return std::nullopt;
}

std::string expected_time(std::string_view start_iso) {
  constexpr std::size_t to_minutes = 16;
  std::string date(start_iso.substr(0, to_minutes));
  if (const std::size_t between = date.find('T'); between != std::string::npos) date[between] = ' ';
  return "expected a time such as 30min, a time of day such as 16:00" +
         (date.empty() ? date : " or a date such as '" + date + "', when this run starts");
}

}  // namespace wattloop::twin
