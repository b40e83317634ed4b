#include "twin/inlet_wave.hpp"

namespace wattloop::twin {

InletWave::InletWave(const Plant& plant, const SeamLayout& seam) : sources_(seam.stations.size() * most_ports) {
  for (std::size_t s = 0; s < seam.stations.size(); ++s) {
    const SeamStation& at = seam.stations[s];
    const Station& wired = plant.groups[at.group]->stations[at.station];
    for (std::size_t p = 0; p < wired.ports.size(); ++p) {
      sources_[s * most_ports + p] = {true, at.temperatures[p], at.flows[p], wired.ports[p].share_fraction,
                                      wired.ports[p].specific_heat_j_per_kg_k};
    }
  }
}

void InletWave::set(std::size_t instant, std::span<const double> signals) {
  PortNow* ports = ports_.data() + instant * sources_.size();
  for (std::size_t k = 0; k < sources_.size(); ++k) {
    const Source& source = sources_[k];
    if (!source.is_used) continue;
    ports[k] = {.temperature_k = signals[source.temperature],
                .flow_kg_per_s = signals[source.flow] * source.share_fraction,
                .specific_heat_j_per_kg_k = source.specific_heat_j_per_kg_k};
  }
}

}  // namespace wattloop::twin
