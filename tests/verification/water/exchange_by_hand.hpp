// Formulas of exchangers and towers, written out for tests: they share no code with the models. Sources: tests/verification/air/machines_by_hand.hpp.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace wattloop::tests {

/// Of an exchanger: W per kelvin between the inlets.
inline double counterflow(double c1, double c2, double ua) {
  const double smaller = std::min(c1, c2), ratio = smaller / std::max(c1, c2), ntu = ua / smaller;
  if (ratio > 1.0 - 1e-9) return smaller * ntu / (1.0 + ntu);
  const double decay = std::exp(-ntu * (1.0 - ratio));
  return smaller * (1.0 - decay) / (1.0 - ratio * decay);
}

inline double crossflow(double c1, double c2, double ua) {
  const double smaller = std::min(c1, c2), ratio = smaller / std::max(c1, c2), ntu = ua / smaller;
  return smaller * (1.0 - std::exp(std::pow(ntu, 0.22) / ratio * (std::exp(-ratio * std::pow(ntu, 0.78)) - 1.0)));
}

inline double two_films(double ua_0, double share, double first_ratio, double n_1, double second_ratio, double n_2) {
  return ua_0 / (share * std::pow(first_ratio, -n_1) + (1.0 - share) * std::pow(second_ratio, -n_2));
}

/// York's approach for a range, a wet bulb in degC and water over air.
inline double york_approach_k(double r, double w, double l) {
  const std::array<std::array<double, 9>, 3> c{
      {{-0.359741205, -0.055053608, 0.0023850432, 0.173926877, -0.0248473764, 0.00048430224, -0.005589849456,
        0.0005770079712, -0.00001342427256},
       {2.84765801111111, -0.121765149, 0.0014599242, 1.680428651, -0.0166920786, -0.0007190532, -0.025485194448,
        0.0000487491696, 0.00002719234152},
       {-0.0653766255555556, -0.002278167, 0.0002500254, -0.0910565458, 0.00318176316, 0.000038621772, -0.0034285382352,
        0.00000856589904, -0.000001516821552}}};
  double sum = 0.0;
  for (std::size_t g = 0; g < 3; ++g) {
    for (std::size_t k = 0; k < 9; ++k) {
      sum += c[g][k] * std::pow(l, static_cast<double>(g)) * std::pow(r, static_cast<double>(k / 3)) *
             std::pow(w, static_cast<double>(k % 3));
    }
  }
  return sum;
}

/// By bisection: `of_range` times the range and its approach are `driving_k`. Above 22.2 K the approach goes on as a line.
inline double york_range_k(double of_range, double driving_k, double wet_c, double l) {
  constexpr double end_k = 22.2, near_k = 1e-3;
  const auto sum_k = [&](double r) { return of_range * r + york_approach_k(r, wet_c, std::clamp(l, 0.75, 8.0)); };
  const double slope = (sum_k(end_k + near_k) - sum_k(end_k - near_k)) / (2.0 * near_k);
  if (sum_k(end_k) < driving_k) return end_k + (driving_k - sum_k(end_k)) / slope;
  double low = 0.0, high = end_k;
  for (int step = 0; step < 80; ++step) {
    const double r = 0.5 * (low + high);
    (sum_k(r) > driving_k ? high : low) = r;
  }
  return low;
}

}  // namespace wattloop::tests
