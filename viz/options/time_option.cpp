#include "viz/options/time_option.hpp"

#include "core/units/units.hpp"
#include "twin/report/events/clock_time.hpp"
#include "viz/options/refused_option.hpp"

namespace wattloop::viz {

std::optional<double> read_time_option_s(const std::string& option, const std::string& given,
                                         const std::string& start_iso) {
  if (given.empty()) return std::nullopt;
  if (const std::optional<double> clock_s = twin::clock_time_s(start_iso, given)) return clock_s;
  try {
    return to_si(given, "s");
  } catch (const QuantityError& error) {
    refuse_option(option, error.what(), error.hint.empty() ? twin::expected_time(start_iso) : error.hint);
  }
}

}  // namespace wattloop::viz
