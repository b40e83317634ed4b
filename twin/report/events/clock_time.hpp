// Clock times and dates of people as times of a run.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace wattloop::twin {

/// Seconds of a run that starts at `start_iso`: "16:00" when its clock first shows that, "2026-07-15 16:00" and "2026-07-15" then; negative
/// before the start. Nothing where the text is neither, or the start none.
std::optional<double> clock_time_s(std::string_view start_iso, std::string_view text);

/// What is expected where a time is: "expected a time such as 30min, a time of day such as 16:00 or a date such as 2026-07-15 16:00".
std::string expected_time(std::string_view start_iso);

}  // namespace wattloop::twin
