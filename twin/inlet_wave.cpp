#include "twin/inlet_wave.hpp"

#include <algorithm>

namespace wattloop::twin {

InletWave::InletWave(const Plant& plant, const SeamLayout& seam)
    : row_(seam.stations.size() * most_ports), first_source_(1, 0) {
  const auto compact = [](std::size_t number) { return static_cast<std::uint32_t>(number); };
  for (std::size_t s = 0; s < seam.stations.size(); ++s) {
    const SeamStation& at = seam.stations[s];
    const Station& wired = plant.groups[at.group]->stations[at.station];
    for (std::size_t p = 0; p < wired.ports.size(); ++p) {
      sources_.push_back({compact(s * most_ports + p), compact(at.temperatures[p]), compact(at.flows[p]),
                          wired.ports[p].share_fraction, wired.ports[p].specific_heat_j_per_kg_k});
    }
    first_source_.push_back(sources_.size());
  }
}

void InletWave::resize(std::size_t instants) {
  const std::size_t before = ports_.size() / std::max<std::size_t>(row_, 1);
  ports_.resize(instants * row_);
  for (std::size_t instant = before; instant < instants; ++instant) {
    for (const Source& source : sources_) {
      ports_[instant * row_ + source.port].specific_heat_j_per_kg_k = source.specific_heat_j_per_kg_k;
    }
  }
}

void InletWave::set_linear(std::span<const double> after_s, std::span<const double> begin,
                           std::span<const double> slope_per_s) {
  for (const Source& source : sources_) {
    const double begin_k = begin[source.temperature], slope_k_per_s = slope_per_s[source.temperature];
    const double begin_kg_per_s = begin[source.flow], slope_kg_per_s2 = slope_per_s[source.flow];
    PortNow* port = ports_.data() + source.port;
    for (const double after : after_s) {
      port->temperature_k = begin_k + after * slope_k_per_s;
      port->flow_kg_per_s = (begin_kg_per_s + after * slope_kg_per_s2) * source.share_fraction;
      port += row_;
    }
  }
}

void InletWave::set(std::size_t instant, std::size_t station, std::span<const double> signals) {
  for (std::size_t k = first_source_[station]; k < first_source_[station + 1]; ++k) {
    const Source& source = sources_[k];
    PortNow& port = ports_[instant * row_ + source.port];
    port.temperature_k = signals[source.temperature];
    port.flow_kg_per_s = signals[source.flow] * source.share_fraction;
  }
}

}  // namespace wattloop::twin
