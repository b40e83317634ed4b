#include "twin/integration/units/inlet_wave.hpp"

#include <algorithm>

namespace wattloop::twin {

InletWave::InletWave(const Plant& plant, const SeamLayout& seam)
    : sources_(seam.stations.size() * most_ports), is_set_(seam.stations.size()), set_inlets_(seam.stations.size()) {
  const auto compact = [](std::size_t number) { return static_cast<std::uint32_t>(number); };
  for (std::size_t s = 0; s < seam.stations.size(); ++s) {
    const SeamStation& at = seam.stations[s];
    const Station& wired = plant.groups[at.group]->stations[at.station];
    for (std::size_t p = 0; p < wired.ports.size(); ++p) {
      sources_[s * most_ports + p] = {compact(at.temperatures[p]), compact(at.flows[p]), wired.ports[p].share_fraction,
                                      wired.ports[p].specific_heat_j_per_kg_k};
    }
    port_count_.push_back(static_cast<std::uint8_t>(wired.ports.size()));
  }
}

void InletWave::set_linear(std::span<const double> after_s, std::span<const double> begin,
                           std::span<const double> slope_per_s) {
  after_s_ = after_s;
  begin_ = begin;
  slope_per_s_ = slope_per_s;
  std::fill(is_set_.begin(), is_set_.end(), 0);
}

void InletWave::fill(std::size_t station, std::span<StationInlets> inlets) const {
  for (std::size_t port = 0; port < port_count_[station]; ++port) {
    const Source& source = sources_[station * most_ports + port];
    const double begin_k = begin_[source.temperature], slope_k_per_s = slope_per_s_[source.temperature];
    const double begin_kg_per_s = begin_[source.flow], slope_kg_per_s2 = slope_per_s_[source.flow];
    for (std::size_t instant = 0; instant < inlets.size();
         ++instant) {  // field by field: a whole port would wait for its parts
      PortNow& to = inlets[instant][port];
      to.temperature_k = begin_k + after_s_[instant] * slope_k_per_s;
      to.flow_kg_per_s = (begin_kg_per_s + after_s_[instant] * slope_kg_per_s2) * source.share_fraction;
      to.specific_heat_j_per_kg_k = source.specific_heat_j_per_kg_k;
    }
  }
  if (is_set_[station] == 0) return;
  for (std::size_t instant = 1; instant < inlets.size(); ++instant) inlets[instant] = set_inlets_[station][instant - 1];
}

void InletWave::set(std::size_t instant, std::size_t station, std::span<const double> signals) {
  std::vector<StationInlets>& inlets = set_inlets_[station];
  inlets.resize(std::max(inlets.size(), instant));
  inlets[instant - 1] = inlets_of(station, [&](std::size_t signal) { return signals[signal]; });
  is_set_[station] = 1;
}

void InletWave::copy(const InletWave& from, std::size_t station) {
  set_inlets_[station] = from.set_inlets_[station];
  is_set_[station] = 1;
}

}  // namespace wattloop::twin
