// Density of air: a fan at one speed moves one volume, so that thin air carries less heat and takes less power of its shaft.
//
//   rho = p / (R T)                                  dry air, R = 287.042 J/(kg K)
//   at 83.4 kPa (1,600 m): 0.823 of the mass at sea level at one speed; the same mass takes 1/0.823^2 = 1.476 times the power
//
// Source: [ashrae_fundamentals2017] ch. 1; fan laws [asme_ashrae_pumps]. Verified in tests/verification/altitude.cpp.
#pragma once

namespace wattloop::physics {

inline constexpr double sea_level_pressure_pa = 101325.0, dry_air_gas_constant_j_per_kg_k = 287.042;

inline constexpr double dry_air_kg_per_m3(double pressure_pa, double temperature_k) noexcept {
  return pressure_pa / (dry_air_gas_constant_j_per_kg_k * temperature_k);
}

/// Mass of air in a volume over that at sea level, at one temperature.
inline constexpr double density_over_sea_level_ratio(double pressure_pa) noexcept {
  return pressure_pa / sea_level_pressure_pa;
}

}  // namespace wattloop::physics
