#include "twin/ratings/rating_row.hpp"

#include <utility>

#include <fmt/format.h>

namespace wattloop::twin {

CheckRow rating_of(const LoadAtRating& carried, std::string out) {
  CheckRow row{.kind = CheckRow::Kind::rating,
               .of = carried.kind,
               .name = carried.equipment,
               .quantity = carried.must_carry,
               .why = "its rating",
               .unit = carried.unit,
               .value = carried.load,
               .limit = carried.rating,
               .out = std::move(out),
               .sharing = carried.sharing,
               .starved_by = carried.starved_by};
  const Endurance& endurance = carried.limit.endurance;
  if (carried.limit.trips) row.trips_after_s = trip_time_s(endurance, carried.loading_fraction());
  if (carried.limit.trips && endurance.limit < 1.0) {
    row.limit *= endurance.limit;
    row.quantity += fmt::format(", at most {:.3g} % of its rating continuously", 100.0 * endurance.limit);
  }
  return row;
}

}  // namespace wattloop::twin
