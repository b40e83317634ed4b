// What a cluster costs month by month beside energy and water: capital, its maintenance, lease, staff.
//
//   capital of a month = sum over classes  price CRF(r, n) / 12        CRF(r, n) = r / (1 - (1 + r)^-n),  1 / n without a discount rate
//
// with a life of n years: straight-line depreciation, or the annuity by the uniform capital recovery factor [short1995]. A part of a calendar
// month costs its share of the month, as a tariff's fixed price does; a class that is older than its lifetime is replaced at the same price.
// Verified in tests/verification/power/site_costs.cpp. Documented in docs/models/tariff.md.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "core/parts/field.hpp"
#include "core/tables/local_time.hpp"

namespace wattloop::twin {

/// Equipment or a building that was paid for at once.
struct CapitalClass {
  std::string name = {};
  double price = 0.0;  ///< of a currency
  double lifetime_s = required;
  double maintenance_per_year_ratio = 0.0;

  static constexpr auto fields() {
    using P = CapitalClass;
    return std::array{
        Field<P>{&P::lifetime_s, "lifetime", "s", Range::positive,
                 "Lifetime over which the price is paid off: 3 years."},
        Field<P>{&P::maintenance_per_year_ratio, "maintenance", "1", Range::fraction,
                 "Yearly cost of repair and service contracts, divided by the price."},
    };
  }
};

/// Classes of capital by their keys, with what belongs to each.
struct CapitalKey {
  std::string_view key, doc;
};
inline constexpr std::array capital_keys{
    CapitalKey{"nodes", "GPUs with their servers."},
    CapitalKey{"network", "Switches, optics and cables."},
    CapitalKey{"storage", "File systems."},
    CapitalKey{"power", "Substation, UPS, generators, distribution."},
    CapitalKey{"cooling", "Chillers, towers, CDUs, pipes."},
    CapitalKey{"equipment", "Nodes, network, storage, power and cooling in one sum, if single prices are not known."},
    CapitalKey{"building", "Land, shell and fit-out; it cannot be given together with a lease."},
};

/// Of the currency of a tariff.
struct SitePrices {
  std::vector<CapitalClass> capital = {};
  double discount_per_year_ratio = 0.0;
  double lease_per_month = 0.0, staff_per_month = 0.0;
  double operation_per_month = 0.0;  ///< energy, water, lease, staff and maintenance in one sum

  bool is_any() const {
    return !capital.empty() || lease_per_month > 0.0 || staff_per_month > 0.0 || operation_per_month > 0.0;
  }
};

/// What of it is due for some time.
struct SiteCosts {
  double capital = 0.0, maintenance = 0.0, lease = 0.0, staff = 0.0, operation = 0.0;

  double total() const { return capital + maintenance + lease + staff + operation; }
};

/// Share of a price that is due each year for so many years.
double capital_recovery_factor(double discount_per_year_ratio, double years);

SiteCosts costs_of(const SitePrices& prices, double months);

/// Calendar months from one instant of a run to another, parts of them by their length.
double months_between(const LocalClock& clock, double from_s, double to_s);

}  // namespace wattloop::twin
