#include "twin/economics/tariff.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace wattloop::twin {

bool PriceHours::hold(const ClockNow& now) const {
  if (!months.at(static_cast<std::size_t>(now.month - 1))) return false;
  if (days == Days::weekdays && now.is_weekend) return false;
  if (days == Days::weekends && !now.is_weekend) return false;
  if (first_hour < end_hour) return now.hour >= first_hour && now.hour < end_hour;
  return now.hour >= first_hour || now.hour < end_hour;
}

std::size_t Tariff::energy_price_at(const ClockNow& now) const {
  const auto found = std::ranges::find_if(energy, [&](const Price& price) { return price.hours.hold(now); });
  return static_cast<std::size_t>(found - energy.begin());
}

std::string mistake(const Tariff& tariff) {
  constexpr int months = 12, hours = 24;
  for (int month = 1; month <= months; ++month) {
    for (const bool is_weekend : {false, true}) {
      for (int hour = 0; hour < hours; ++hour) {
        if (tariff.energy_price_at({month, month - 1, hour, is_weekend}) < tariff.energy.size()) continue;
        return fmt::format("no energy price is valid at {}:00 on {} of month {}", hour,
                           is_weekend ? "weekends" : "weekdays", month);
      }
    }
  }
  return {};
}

}  // namespace wattloop::twin
