// What flows past walls: capacity rates, one stream along a wall of one temperature, two films in series.
//
//   Q = eps m c (T_wall - T_in),  eps = 1 - exp(-UA / (m c))
//   Q = G (T_wall - T_in),    1/G = R + 1/UA + 1/(2 m c), G <= m c          heat taken up evenly along the stream
//   1/UA = (1/UA_0) (s (m_1/m_10)^-n_1 + (1 - s) (m_2/m_20)^-n_2)   s: share of film 1 in the design
//   resistance
//
// Source: [incropera2011] eq. 11.35a (C_r = 0), 8.3.2 (uniform flux), eq. 11.1 (films in series). Flow counts forward only: a
// stream that stands still or runs backwards carries nothing. As m -> 0, Q -> m c (T_wall - T_in): the slope
// is finite.
#pragma once

#include <algorithm>
#include <cmath>

#include "core/parts/unit_model.hpp"

namespace wattloop::physics {

/// m c of what flows in at a port; 0 for standing or reverse flow.
inline double capacity_rate_w_per_k(const PortNow& inlet) noexcept {
  return std::max(inlet.flow_kg_per_s, 0.0) * inlet.specific_heat_j_per_kg_k;
}

/// Watts per kelvin of (wall - inlet) for a stream of the given capacity rate m c; 0 where nothing flows.
inline double one_stream_w_per_k(double conductance_w_per_k, double capacity_rate_w_per_k) noexcept {
  if (capacity_rate_w_per_k <= 0.0) return 0.0;
  return -capacity_rate_w_per_k * std::expm1(-conductance_w_per_k / capacity_rate_w_per_k);
}

/// The same where the wall takes up heat evenly: its mean temperature stands above the middle of the stream. With little flow
/// that would let coolant leave warmer than the wall; there conduction evens the wall out, and coolant leaves as warm as it is.
inline double uniform_flux_w_per_k(double film_w_per_k, double series_k_per_w, double capacity_rate_w_per_k) noexcept {
  if (capacity_rate_w_per_k <= 0.0) return 0.0;
  const double resistance_ratio = capacity_rate_w_per_k * series_k_per_w + capacity_rate_w_per_k / film_w_per_k + 0.5;
  return capacity_rate_w_per_k / std::max(resistance_ratio, 1.0);
}

/// A film conductance over its value at design flow: (flow / design)^exponent, 0 without flow or for reverse
/// flow.
inline double film_ratio(double flow_kg_per_s, double design_flow_kg_per_s, double exponent_ratio) noexcept {
  return flow_kg_per_s <= 0.0 ? 0.0 : std::pow(flow_kg_per_s / design_flow_kg_per_s, exponent_ratio);
}

/// A wall between two films: UA / UA_0 from both film ratios; `first_share` of the design resistance is
/// film 1.
inline double two_film_ratio(double first_film_ratio, double second_film_ratio, double first_share_fraction) noexcept {
  const double either = first_share_fraction * second_film_ratio + (1.0 - first_share_fraction) * first_film_ratio;
  return either > 0.0 ? first_film_ratio * second_film_ratio / either : 0.0;
}

/// An exchanger of two films in series.
struct TwoFilms {
  double conductance_w_per_k;
  double first_share_fraction;  ///< of the first film in the resistance
};

/// The same, its first film better by a ratio: another liquid.
inline TwoFilms with_first_film(const TwoFilms& films, double ratio) noexcept {
  const double first = films.first_share_fraction / ratio, all = first + 1.0 - films.first_share_fraction;
  return {films.conductance_w_per_k / all, first / all};
}

}  // namespace wattloop::physics
