#include "twin/economics/site_costs.hpp"

#include <algorithm>
#include <cmath>

namespace wattloop::twin {

namespace {

constexpr double months_per_year = 12.0;
constexpr double year_s = 365.24219878125 * 86400.0;  // "years" of a scenario, as UDUNITS-2 reads them
constexpr double shortest_s = 1e-6;                   // below which instants are the same

}  // namespace

double capital_recovery_factor(double discount_per_year_ratio, double years) {
  if (discount_per_year_ratio == 0.0) return 1.0 / years;
  return discount_per_year_ratio / -std::expm1(-years * std::log1p(discount_per_year_ratio));
}

SiteCosts costs_of(const SitePrices& prices, double months) {
  SiteCosts costs{.lease = prices.lease_per_month * months,
                  .staff = prices.staff_per_month * months,
                  .operation = prices.operation_per_month * months};
  const double years = months / months_per_year;
  for (const CapitalClass& of : prices.capital) {
    costs.capital += of.price * years * capital_recovery_factor(prices.discount_per_year_ratio, of.lifetime_s / year_s);
    costs.maintenance += of.price * years * of.maintenance_per_year_ratio;
  }
  return costs;
}

double months_between(const LocalClock& clock, double from_s, double to_s) {
  double months = 0.0;
  for (double at_s = from_s; at_s < to_s - shortest_s;) {
    const int number = clock.at(at_s + shortest_s).month_number;
    const double end_s = std::min(to_s, clock.begin_of_month_s(number + 1));
    months += (end_s - at_s) / clock.length_of_month_s(number);
    at_s = end_s;
  }
  return months;
}

}  // namespace wattloop::twin
