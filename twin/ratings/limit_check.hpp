// Limits of parts at nameplate load: how near the hall comes to each, with nothing out and with one thing out at a time. What parts are
// rated for is compared in twin/ratings/rating_check.hpp; here are temperatures, of parts and of dies.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "twin/plant/state/limited_quantities.hpp"
#include "twin/ratings/check_row.hpp"
#include "twin/ratings/nameplate_hall.hpp"
#include "twin/scenario/specs/scenario.hpp"

namespace wattloop::twin {

class LimitTable {
 public:
  LimitTable(const Plant& plant, const Scenario& scenario);

  /// The hall in steady state with that out.
  void take(const Outage& outage, const PlantSnapshot& snapshot);

  /// Of limits that any part has; limits of dies last. Empty where no steady state was found.
  const std::vector<CheckRow>& rows() const { return rows_; }

 private:
  /// Those of a kind that are reported together, by their numbers.
  struct Parts {
    std::string of;
    std::size_t first, count;
  };
  void take_parts(const LimitedQuantity& quantity, const Parts& parts, const Outage& outage);
  void take_quantity(const LimitedQuantity& quantity, const Outage& outage, const PlantSnapshot& snapshot);
  void take_hot_air(const Outage& outage, const PlantSnapshot& snapshot);
  void take_inlet(const Outage& outage, const PlantSnapshot& snapshot);
  void take_dies(std::size_t group, const Outage& outage, const PlantSnapshot& snapshot);
  void keep(CheckRow row, const Outage& outage);

  const std::vector<LimitedQuantity> quantities_;
  const NodeCouplings nodes_;
  std::vector<CheckRow> rows_;
  std::vector<double> values_;
};

}  // namespace wattloop::twin
