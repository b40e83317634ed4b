// GPUs one behind the other in a stream of air or coolant.
//
//   behind u equal ones   1/G = 1/G_0 + u/(m c)                  G_0: in a fresh stream; the mean of a stream, of like loads
//   behind one of a node  T_in' = T_in + u G_f (T_f - T_in) / (m c)      f: the sink or plate before it, whatever this one does
//
// Each of those before has warmed the stream by Q/(m c). Energy is kept: a unit gives its own heat to the stream of the node, no more.
#pragma once

#include <algorithm>
#include <cstddef>

namespace wattloop::physics {

/// G from G_0, the stream's capacity rate m c and the number of equal units before this one.
inline double behind_equals_w_per_k(double fresh_w_per_k, double capacity_w_per_k, double upstream_ratio) noexcept {
  if (capacity_w_per_k <= 0.0) return 0.0;
  return fresh_w_per_k / (1.0 + upstream_ratio * fresh_w_per_k / capacity_w_per_k);
}

/// Of eight GPUs of a node the first `front_gpus_ratio` have none before them, the others all of their stream; 0: all stand alike.
template <class Params>
bool has_places_in_stream(const Params& p) noexcept {
  return p.front_gpus_ratio > 0.0;
}

/// The place before that one in the stream of a node; itself in front.
template <class Params>
std::size_t place_before_in_stream(const Params& p, std::size_t place) noexcept {
  const auto front = static_cast<std::size_t>(p.front_gpus_ratio);
  return place < front || front == 0 ? place : (place - front) % front;
}

/// Kelvin that the stream has warmed up before the unit behind, per kelvin of the one before above the inlet of both. `before_w_per_k`: its G.
template <class Params>
double warmed_ratio(const Params& behind, double before_w_per_k, double capacity_w_per_k) noexcept {
  return capacity_w_per_k > 0.0 ? behind.behind_ratio * before_w_per_k / capacity_w_per_k : 0.0;
}

/// The parameters of the unit at that place in its node, from 0.
template <class Params>
Params placed_in_stream(const Params& mean, std::size_t place) noexcept {
  if (!has_places_in_stream(mean)) return mean;
  Params p = mean;
  const bool is_in_front = static_cast<double>(place) < mean.front_gpus_ratio;
  p.upstream_gpus_ratio = 0.0;
  p.behind_ratio = is_in_front ? 0.0 : std::max(mean.stream_gpus_ratio - 1.0, 0.0);
  if (!is_in_front) p.design_conductance_w_per_k *= mean.rear_conductance_ratio;
  return p;
}

}  // namespace wattloop::physics
