// The modes of a chilled-water plant with a waterside economiser.
//
//   mechanical   chillers cool, the exchanger is shut off
//   partial      the exchanger cools what returns, chillers do the rest: an integrated economiser
//   full         the exchanger cools alone, chillers are off
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

namespace wattloop::physics {

enum class CoolingMode : std::uint8_t { mechanical, partial, full };

inline constexpr std::array all_cooling_modes{CoolingMode::mechanical, CoolingMode::partial, CoolingMode::full};
inline constexpr std::array<std::string_view, 3> cooling_mode_names{"mechanical", "partial", "full"};

constexpr std::size_t number_of(CoolingMode mode) { return static_cast<std::size_t>(mode); }
constexpr std::string_view name_of(CoolingMode mode) { return cooling_mode_names[number_of(mode)]; }

/// The memory of a sequence of modes.
struct CoolingModeMemory {
  CoolingMode mode = CoolingMode::mechanical;
  double since_s = 0.0;      ///< when the mode began
  double may_leave_s = 0.0;  ///< end of the minimum time in the mode
  double warm_since_s =
      std::numeric_limits<double>::infinity();  ///< since when the supply is too warm; infinity: it is not

  bool operator==(const CoolingModeMemory&) const = default;
};

}  // namespace wattloop::physics
