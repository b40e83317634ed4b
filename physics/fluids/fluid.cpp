#include "physics/fluids/fluid.hpp"

#include <array>
#include <cmath>
#include <stdexcept>
#include <string>

namespace wattloop::physics {
namespace {

constexpr double celsius_zero_k = 273.15;

/// c_0 + c_1 x + c_2 x^2 + ...
template <std::size_t N>
double polynomial(const std::array<double, N>& coefficients, double x) noexcept {
  double sum = 0.0;
  for (std::size_t i = N; i-- > 0;) sum = sum * x + coefficients[i];
  return sum;
}

// Density and specific heat of water: own least squares, over 5 to 95 degC, of IAPWS-IF97 region 1 at
// 0.101325 MPa in x = T - 50 degC. They differ from it by at most 6e-6 and 2.1e-5 of the value.
double water_density_kg_per_m3(double temperature_k) noexcept {
  static constexpr std::array c{988.04557, -0.45187017, -3.2726079e-3, 1.2215981e-5, -1.1787167e-7, 9.9813451e-10};
  return polynomial(c, temperature_k - celsius_zero_k - 50.0);
}

double water_specific_heat_j_per_kg_k(double temperature_k) noexcept {
  static constexpr std::array c{4179.5452,    0.2073208,      1.1128214e-2, 1.6264036e-6,
                                1.9331742e-7, -3.5764611e-08, 5.862264e-10};
  return polynomial(c, temperature_k - celsius_zero_k - 50.0);
}

// Viscosity and conductivity of water at 0.1 MPa: sums of powers of T / 300 K, [iapws_sr6_2011] eq. 7 and 8.
double water_viscosity_pa_s(double temperature_k) noexcept {
  const double t = temperature_k / 300.0;
  return 1e-6 * (280.68 * std::pow(t, -1.9) + 511.45 * std::pow(t, -7.7) + 61.131 * std::pow(t, -19.6) +
                 0.45903 * std::pow(t, -40.0));
}

double water_conductivity_w_per_m_k(double temperature_k) noexcept {
  const double t = temperature_k / 300.0;
  return 1.6630 * std::pow(t, -1.15) - 1.7781 * std::pow(t, -3.4) + 1.1567 * std::pow(t, -6.0) -
         0.432115 * std::pow(t, -7.6);
}

// PG25: at one mass fraction the correlations of [melinder2010] are cubics in temperature (viscosity: its
// logarithm). These cubics in x = T - 35 degC are own least squares of values of those correlations at 26.01
// % by mass from 10 to 60 degC. They agree within 7e-5 of the value, which is the rounding of the values. Up to 70 degC they follow
// the correlations within 2.5e-4, as published with four digits. [modelica_buildings] uses the correlations up to 100 degC.
double pg25_density_kg_per_m3(double temperature_k) noexcept {
  static constexpr std::array c{1013.238, -0.5091321, -2.836364e-3, 1.428222e-5};
  return polynomial(c, temperature_k - celsius_zero_k - 35.0);
}

double pg25_specific_heat_j_per_kg_k(double temperature_k) noexcept {
  static constexpr std::array c{3945.363, 2.452816, -1.317749e-3, -1.714111e-5};
  return polynomial(c, temperature_k - celsius_zero_k - 35.0);
}

double pg25_viscosity_pa_s(double temperature_k) noexcept {
  static constexpr std::array c{-6.44314, -2.754789e-2, 2.22963e-4, -1.313403e-6};
  return std::exp(polynomial(c, temperature_k - celsius_zero_k - 35.0));
}

double pg25_conductivity_w_per_m_k(double temperature_k) noexcept {
  static constexpr std::array c{0.4763058, 8.754591e-4, -4.883117e-7, -5.693297e-9};
  return polynomial(c, temperature_k - celsius_zero_k - 35.0);
}

constexpr std::array fluids{
    Fluid{"water", celsius_zero_k + 5.0, celsius_zero_k + 95.0, celsius_zero_k, celsius_zero_k + 100.0,
          water_density_kg_per_m3, water_specific_heat_j_per_kg_k, water_viscosity_pa_s, water_conductivity_w_per_m_k},
    Fluid{"pg25", celsius_zero_k + 10.0, celsius_zero_k + 70.0, celsius_zero_k - 10.0, celsius_zero_k + 101.0,
          pg25_density_kg_per_m3, pg25_specific_heat_j_per_kg_k, pg25_viscosity_pa_s, pg25_conductivity_w_per_m_k},
};

}  // namespace

double film_over_water_ratio(const Fluid& fluid, double temperature_k) noexcept {
  const Fluid& water = fluids.front();
  const double conductivity = fluid.conductivity_w_per_m_k(temperature_k) / water.conductivity_w_per_m_k(temperature_k);
  const double heat = fluid.specific_heat_j_per_kg_k(temperature_k) / water.specific_heat_j_per_kg_k(temperature_k);
  const double viscosity = fluid.viscosity_pa_s(temperature_k) / water.viscosity_pa_s(temperature_k);
  return std::pow(conductivity, 0.6) * std::pow(heat / viscosity, 0.4);
}

std::vector<std::string_view> fluid_names() {
  std::vector<std::string_view> names;
  for (const Fluid& fluid : fluids) names.push_back(fluid.name);
  return names;
}

const Fluid& find_fluid(std::string_view name) {
  std::string known;
  for (const Fluid& fluid : fluids) {
    if (fluid.name == name) return fluid;
    known += (known.empty() ? "" : ", ") + std::string(fluid.name);
  }
  throw std::invalid_argument("no coolant '" + std::string(name) + "'; there are " + known);
}

}  // namespace wattloop::physics
