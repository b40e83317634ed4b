// What flows past units over a window: the waveform at the seam between units and core, as predicted or as computed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "twin/integration/core/seam_layout.hpp"
#include "twin/units/unit_propagation.hpp"

namespace wattloop::twin {

/// Inlets of one station; flow is one unit's share.
using StationInlets = std::array<PortNow, most_ports>;

/// Inlets of all stations at all instants of a window, its begin included: linear in time, but for stations that were set.
class InletWave {
 public:
  InletWave(const Plant& plant, const SeamLayout& seam);

  /// The inlets of all stations where signals of the seam are linear from the begin on; `after_s` [instant], the first 0. Signals
  /// are read where they stand, whenever inlets are asked for.
  void set_linear(std::span<const double> after_s, std::span<const double> begin, std::span<const double> slope_per_s);

  /// The inlets of a station at an instant after the begin, from values of the seam's signals; the other instants are to follow.
  void set(std::size_t instant, std::size_t station, std::span<const double> signals);

  /// The inlets of a station at all instants, as they were set in `from`.
  void copy(const InletWave& from, std::size_t station);

  /// Whether the inlets of a station were set; else they are linear.
  bool is_set(std::size_t station) const { return is_set_[station] != 0; }

  /// The same at all instants, as many as `inlets` has room for.
  void fill(std::size_t station, std::span<StationInlets> inlets) const;

  StationInlets at(std::size_t instant, std::size_t station) const {
    if (is_set_[station] != 0 && instant > 0) return set_inlets_[station][instant - 1];
    const double after_s = after_s_[instant];
    return inlets_of(station, [&](std::size_t signal) { return begin_[signal] + after_s * slope_per_s_[signal]; });
  }

 private:
  /// What a port reads.
  struct Source {
    std::uint32_t temperature = 0, flow = 0;  ///< signals of the seam
    double share_fraction = 0.0, specific_heat_j_per_kg_k = 0.0;
  };

  template <class Signal>
  StationInlets inlets_of(std::size_t station, const Signal& signal) const {
    StationInlets inlets{};
    for (std::size_t port = 0; port < port_count_[station]; ++port) {
      const Source& source = sources_[station * most_ports + port];
      inlets[port] = {signal(source.temperature), signal(source.flow) * source.share_fraction,
                      source.specific_heat_j_per_kg_k};
    }
    return inlets;
  }

  std::vector<std::uint8_t> port_count_;  ///< [station]
  std::vector<Source> sources_;           ///< [station * most_ports + port]
  std::span<const double> after_s_, begin_, slope_per_s_;
  std::vector<std::uint8_t> is_set_;                    ///< [station]
  std::vector<std::vector<StationInlets>> set_inlets_;  ///< [station][instant - 1]
};

}  // namespace wattloop::twin
