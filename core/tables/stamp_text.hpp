// One stamp as text: what the reader of columns of stamps, core/tables/time_stamps.hpp, reads of each cell of dates.
#pragma once

#include <optional>
#include <string_view>

#include "core/tables/local_time.hpp"

namespace wattloop {

/// A date with its time, in an order of `StampFormat::unit`: date, MM/DD/YYYY, DD/MM/YYYY. None where it is none; an offset is not applied.
std::optional<LocalTime> parse_stamp(std::string_view text, std::string_view order);

}  // namespace wattloop
