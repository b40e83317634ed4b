// Liquids of the coolant loops and the air of the hall: properties over temperature at atmospheric pressure.
//
// Source: water [iapws_if97], [iapws_sr6_2011]; PG25, which is 25 % propylene glycol by volume and 26.01 % by
// mass, [melinder2010]; where they freeze and boil: water by its definition, PG25 an estimate; air [ashrae_fundamentals2017] ch. 1. Verified in tests/verification/water/fluids.cpp.
#pragma once

#include <string_view>
#include <vector>

namespace wattloop::physics {

/// A liquid. Outside its range the functions hold no promise but stay finite near it.
struct Fluid {
  std::string_view name;
  double lowest_k;   ///< of validity
  double highest_k;  ///< of validity
  double freezes_k;
  double boils_k;
  double (*density_kg_per_m3)(double temperature_k) noexcept;
  double (*specific_heat_j_per_kg_k)(double temperature_k) noexcept;
  double (*viscosity_pa_s)(double temperature_k) noexcept;
  double (*conductivity_w_per_m_k)(double temperature_k) noexcept;
};

/// Where a liquid stays what it is, and where its properties hold, as parts keep it.
struct FluidRange {
  double lowest_k, highest_k;
  double freezes_k, boils_k;
};

inline FluidRange range_of(const Fluid& fluid) noexcept {
  return {fluid.lowest_k, fluid.highest_k, fluid.freezes_k, fluid.boils_k};
}

/// Film of a liquid in turbulent flow over that of water, at one mass flow and temperature: h ~ k^0.6 c^0.4 mu^-0.4 G^0.8 of
/// Dittus and Boelter [incropera2011] eq. 8.60.
double film_over_water_ratio(const Fluid& fluid, double temperature_k) noexcept;

/// Names that `find_fluid` knows, for checks and "did you mean".
std::vector<std::string_view> fluid_names();

/// The liquid of that name; throws `std::invalid_argument` that lists the names for any other.
const Fluid& find_fluid(std::string_view name);

/// Dry air at 25 degC and 101,325 Pa.
inline constexpr double air_density_kg_per_m3 = 1.184;
inline constexpr double air_specific_heat_j_per_kg_k = 1006.0;

}  // namespace wattloop::physics
