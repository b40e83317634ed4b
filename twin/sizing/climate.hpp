// The hottest and the coldest air outside that a hall is sized for, and how its scenario names the weather.
#pragma once

#include <filesystem>
#include <string>

#include "twin/sizing/asked_hall.hpp"

namespace wattloop::twin {

struct Climate {
  std::string place;
  double dry_bulb_c = 0.0, wet_bulb_c = 0.0;  ///< highest of all hours of the weather, each by itself
  double coldest_c = 0.0;                     ///< lowest dry bulb of the same, or of a winter of the same place
  double density_ratio = 1.0;                 ///< least of the air, over that at sea level
  std::string source = {};                    ///< of both, in words
  std::string weather = {};                   ///< value of the key `weather`
  std::string hottest_by_dry_bulb = {}, hottest_by_wet_bulb = {};  ///< days "07-15"
};

/// Of a climate by name or of an EPW file, as a scenario in `folder` names it. Throws InputError.
Climate read_climate(const AskedHall& asked, const std::filesystem::path& folder);

}  // namespace wattloop::twin
