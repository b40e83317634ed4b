#include "twin/actions/work/job_network.hpp"

#include <utility>

#include "twin/actions/work/rail_times.hpp"

namespace wattloop::twin {

JobNetwork::JobNetwork(const Scenario& scenario) {
  if (!scenario.network.is_given || !scenario.network.fabric.is_modelled()) return;
  hall_ = std::make_unique<const HallFabric>(hall_fabric(scenario));
  sound_.emplace(*hall_, network::all_healthy(hall_->fabric));
  domain_gpus_ = hall_->fabric.params.nvlink_domain_gpus;
}

std::unique_ptr<const workload::CommunicationTimes> JobNetwork::times(std::vector<std::size_t> nodes, int gpus_per_node,
                                                                      const workload::TrainingGpu& gpu) const {
  if (!sound_) return std::make_unique<const RailTimes>(links_of_gpus(gpu, gpus_per_node));
  return std::make_unique<const FabricTimes>(*sound_, ranks_on_nodes(nodes, static_cast<std::size_t>(gpus_per_node)));
}

}  // namespace wattloop::twin
