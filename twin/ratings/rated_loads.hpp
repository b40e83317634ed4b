// What has a rating and carries a load: parts whose headers say so, the branches of the power tree, generators. Statistics look at all of them at every instant.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "twin/plant/snapshot/plant_snapshot.hpp"

namespace wattloop::twin {

struct RatedLoad {
  std::string name;          ///< "cdu_3"
  std::string kind;          ///< "cdu": those of a kind are alike
  std::string_view carries;  ///< "heat of the racks of its loop"
  double rated_w = 0.0;
  std::function<double(const PlantSnapshot&)> load_w;  ///< allocates nothing
  std::function<double(const PlantSnapshot&)>
      rated_in_service_w{};  ///< what is left of the rating now; none: all of it
};

/// Those of a kind follow one another. Equipment whose rating is not known is left out.
std::vector<RatedLoad> rated_loads(const Plant& plant);

/// "CDUs" for "cdu".
std::string plural_of(const std::string& kind);

}  // namespace wattloop::twin
