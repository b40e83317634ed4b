#include "twin/planning/work/job_network.hpp"

#include <utility>

#include "twin/actions/work/rail_times.hpp"
#include "twin/build/floor/fabric_of_scenario.hpp"

namespace wattloop::twin {

network::Links links_of_gpus(const workload::TrainingGpu& gpu, int gpus_per_node) {
  network::Links links = links_of_nodes(gpus_per_node);
  if (gpu.nvlink_b_per_s > 0.0) {
    links.inside.bandwidth_b_per_s = gpu.nvlink_b_per_s;
    links.inside.in_switch_bandwidth_b_per_s = 0.0;
  }
  if (gpu.adapter_b_per_s > 0.0) links.beyond.bandwidth_b_per_s = gpu.adapter_b_per_s;
  return links;
}

network::Links links_of_nodes(int gpus_per_node) {
  const network::FabricParams params{
      .rails = gpus_per_node, .gpus_per_node = gpus_per_node, .nvlink_domain_gpus = gpus_per_node};
  return sound_links(FabricSpec{}, params);
}

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
