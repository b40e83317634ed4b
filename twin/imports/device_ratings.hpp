// What the hardware library has, by name, kind and rating.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace wattloop::twin {

struct DeviceRating {
  std::string name, kind;
  double rating = 0.0;       ///< W or V A: rated power or heat, of a node its nameplate; zero: none
  bool has_coolant = false;  ///< of a node: it needs a coolant loop
};

/// All devices of the libraries that a scenario in `folder` sees; of one name the first.
std::vector<DeviceRating> device_ratings(const std::filesystem::path& folder);

/// Name of the key that rates a kind: "rated_power", "rated_heat".
std::string rating_key(const std::string& kind);
/// Its unit.
std::string rating_unit(const std::string& kind);

}  // namespace wattloop::twin
