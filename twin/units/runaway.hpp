// Where a run ends because it has no physical meaning any more: far outside of anything that chips or coolant survive. A
// state of a unit there is a thermal runaway, not a result.
#pragma once

namespace wattloop::twin {

inline constexpr double coldest_unit_k = 100.0;
inline constexpr double hottest_unit_k = 1500.0;

inline constexpr const char* runaway_text = "units left all bounds: thermal runaway";

}  // namespace wattloop::twin
