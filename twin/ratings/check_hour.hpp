// The hall at nameplate load with nothing out, in the warmest and in the coldest hour of a run: what a run of that hour says, before it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "twin/plant/snapshot/plant_snapshot.hpp"

namespace wattloop::twin {

struct CheckHour {
  struct Place {
    std::string name, text;  ///< "facility", "facility water"
    double temperature_k = 0.0, set_point_k = 0.0;
  };
  std::string_view name;  ///< "warmest", "coldest"
  double hour_s = 0.0;    ///< of the run
  double dry_bulb_k = 0.0, wet_bulb_k = 0.0;
  std::vector<Place> places = {};  ///< coolant, water and air with set-points
  std::optional<double> hottest_die_k = {};
};

/// Temperatures of `now` at that hour; its dry bulb and wet bulb are those of `now`.
CheckHour check_hour(std::string_view name, double hour_s, const PlantSnapshot& now);

/// A table, a row each of what is warmest or coldest of its kind; empty without hours. `start`: local time of the run.
std::string hours_text(const std::vector<CheckHour>& hours, std::string_view start);

}  // namespace wattloop::twin
