// What power supplies of nodes give at the nameplate beside their rating, all of them and those of one cord; and what recharging batteries add to
// standby sources.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "twin/ratings/load_at_rating.hpp"

namespace wattloop::twin {

/// DC output of the supplies of a node of a rack that have power; where both cords have, also what those of one cord would have to give alone.
/// fans: words behind the nameplate, of fans that draw less than it has.
std::vector<LoadAtRating> loads_of_supplies(const PlantSnapshot& now, const RacksSpec& racks, std::size_t rack,
                                            const std::string& fans);

/// Batteries, which carried until standby sources took the load, take all that their chargers give.
class Recharge {
 public:
  explicit Recharge(const PlantSnapshot& now) : now_(now) {}

  /// What a source carries for them; 0 of one that does not stand by.
  double carried_by_w(std::string_view source);

 private:
  const PlantSnapshot& now_;
  electrical::PowerFlow recharging_ = {};  ///< empty until it is asked for
};

}  // namespace wattloop::twin
