// A tariff: what a utility asks for energy, by month, day and hour, for the highest demand of a month, and for the month itself.
//
//   cost = sum over hours   price(month, day, hour) E
//        + sum over months  share of it  sum over demand prices  price max over intervals in its hours (E / interval)
//        + months of service  fixed price
//
// as large customers are billed: prices of time of use, and of billing demand as the highest mean of a demand interval, each month by
// itself [openei_usurdb_e20]. Holidays are days like others; a ratchet over months is not known.
// Verified in tests/verification/power/tariff.cpp. Documented in docs/models/tariff.md.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "core/tables/local_time.hpp"

namespace wattloop::twin {

/// When a price holds.
struct PriceHours {
  enum class Days { all, weekdays, weekends };
  std::array<bool, 12> months{true, true, true, true, true, true, true, true, true, true, true, true};
  Days days = Days::all;
  int first_hour = 0;  ///< 0 to 23
  int end_hour = 24;   ///< 1 to 24; smaller than the first: over midnight

  bool hold(const ClockNow& now) const;
};

/// Of a currency per joule, per watt and month.
struct Price {
  PriceHours hours;
  double value = 0.0;
};

struct Tariff {
  std::string name;
  std::string currency = "USD";
  std::vector<Price> energy;  ///< per J; of those that hold the first counts
  std::vector<Price> demand;  ///< per W and month; all count
  double demand_interval_s = 900.0;
  double fixed_per_month = 0.0;

  /// Number of the energy price that holds; the size where none does.
  std::size_t energy_price_at(const ClockNow& now) const;
};

/// What is wrong with it: an hour of the week that no price covers; empty where nothing is.
std::string mistake(const Tariff& tariff);

}  // namespace wattloop::twin
