// What flows past units over a window: the waveform at the seam between units and core, as predicted or as computed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "twin/seam_layout.hpp"
#include "twin/unit_propagation.hpp"

namespace wattloop::twin {

/// Inlets of all stations at all instants of a window, its begin included; flow is one unit's share.
class InletWave {
 public:
  InletWave(const Plant& plant, const SeamLayout& seam);

  void resize(std::size_t instants);

  /// The inlets of all stations at all instants where signals of the seam are linear from the begin on; `after_s` [instant],
  /// the first 0.
  void set_linear(std::span<const double> after_s, std::span<const double> begin, std::span<const double> slope_per_s);

  /// The inlets of a station at an instant, from values of the seam's signals.
  void set(std::size_t instant, std::size_t station, std::span<const double> signals);

  void copy(const InletWave& from, std::size_t instant, std::size_t station) {
    const std::size_t first = first_port(instant, station);
    for (std::size_t p = first; p < first + most_ports; ++p) ports_[p] = from.ports_[p];
  }

  std::span<const PortNow> at(std::size_t instant, std::size_t station, std::size_t port_count) const {
    return std::span(ports_).subspan(first_port(instant, station), port_count);
  }

 private:
  std::size_t first_port(std::size_t instant, std::size_t station) const { return instant * row_ + station * most_ports; }

  /// What a port reads.
  struct Source {
    std::uint32_t port = 0;                   ///< station * most_ports + port
    std::uint32_t temperature = 0, flow = 0;  ///< signals of the seam
    double share_fraction = 0.0, specific_heat_j_per_kg_k = 0.0;
  };

  std::size_t row_;                        ///< ports at an instant; a station with fewer than others leaves some out
  std::vector<Source> sources_;            ///< of ports in use, station by station
  std::vector<std::size_t> first_source_;  ///< [station + 1]
  std::vector<PortNow> ports_;             ///< [instant][station][port]
};

}  // namespace wattloop::twin
