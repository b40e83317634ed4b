// What flows past units over a window: the waveform at the seam between units and core, as predicted or as computed.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "twin/seam_layout.hpp"
#include "twin/unit_propagation.hpp"

namespace wattloop::twin {

/// Inlets of all stations at all instants of a window, its begin included; flow is one unit's share.
class InletWave {
 public:
  InletWave(const Plant& plant, const SeamLayout& seam);

  void resize(std::size_t instants) { ports_.resize(instants * sources_.size()); }

  /// The inlets of all stations at an instant, from values of the seam's signals.
  void set(std::size_t instant, std::span<const double> signals);

  void copy(const InletWave& from, std::size_t instant, std::size_t station) {
    const std::size_t first = first_port(instant, station);
    for (std::size_t p = first; p < first + most_ports; ++p) ports_[p] = from.ports_[p];
  }

  std::span<const PortNow> at(std::size_t instant, std::size_t station, std::size_t port_count) const {
    return std::span(ports_).subspan(first_port(instant, station), port_count);
  }

 private:
  std::size_t first_port(std::size_t instant, std::size_t station) const {
    return instant * sources_.size() + station * most_ports;
  }

  /// What a port reads; a station with fewer ports than others leaves some out.
  struct Source {
    bool is_used = false;
    std::size_t temperature = 0, flow = 0;  ///< signals of the seam
    double share_fraction = 0.0, specific_heat_j_per_kg_k = 0.0;
  };

  std::vector<Source> sources_;  ///< [station][port]
  std::vector<PortNow> ports_;   ///< [instant][station][port]
};

}  // namespace wattloop::twin
