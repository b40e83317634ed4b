#include "viz/options/time_option.hpp"

#include "core/units.hpp"
#include "viz/options/refused_option.hpp"

namespace wattloop::viz {

std::optional<double> read_time_option_s(const std::string& option, const std::string& given) {
  if (given.empty()) return std::nullopt;
  try {
    return to_si(given, "s");
  } catch (const QuantityError& error) {
    refuse_option(option, error.what(), error.hint.empty() ? "expected a time such as 30min" : error.hint);
  }
}

}  // namespace wattloop::viz
