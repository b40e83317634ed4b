// Random small fabrics, failures and flows, for tests over seeds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "network/routing/router.hpp"

namespace wattloop::tests {

inline int random_int(std::mt19937_64& random, int least, int most) {
  return std::uniform_int_distribution<int>(least, most)(random);
}

/// Of 2 to 4 tiers, with radix 4 to 16, and all of whose parameters fit together.
inline network::FabricParams random_fabric(std::mt19937_64& random) {
  for (;;) {
    network::FabricParams params{.nodes = random_int(random, 2, 60),
                                 .radix = 4 * random_int(random, 1, 4),
                                 .rails = 1 << random_int(random, 0, 2)};
    params.gpus_per_node = params.rails * random_int(random, 1, 2);
    params.nvlink_domain_gpus = params.gpus_per_node * random_int(random, 1, 3);
    params.has_equal_links = random_int(random, 0, 1) == 1;
    params.oversubscription = {double(random_int(random, 1, 2)), double(random_int(random, 1, 3))};
    if (random_int(random, 0, 3) == 0) params.kind = network::FabricKind::ethernet_clos;
    if (random_int(random, 0, 4) == 0) params.spines = network::SpineLayout::by_rail;
    if (network::mistakes_in(params).empty() && network::build_fabric(params).tiers() <= 4) return params;
  }
}

/// A tenth of switches and links fail, another tenth of links and NVLinks is slow; every fourth fabric is sound.
inline network::FabricHealth random_health(const network::Fabric& fabric, std::mt19937_64& random) {
  network::FabricHealth health = network::all_healthy(fabric);
  if (random_int(random, 0, 3) == 0) return health;
  for (std::uint8_t& one : health.is_failed) one = random_int(random, 0, 9) == 0 ? 1 : 0;
  for (double& one : health.link_fraction) {
    const int drawn = random_int(random, 0, 19);
    one = drawn < 2 ? 0.0 : drawn < 4 ? 0.25 * random_int(random, 1, 3) : 1.0;
  }
  for (double& one : health.nvlink_fraction) one = random_int(random, 0, 9) == 0 ? 0.5 : 1.0;
  return health;
}

inline std::vector<network::Flow> random_flows(const network::Fabric& fabric, int count, std::mt19937_64& random) {
  std::vector<network::Flow> flows;
  const auto draw = [&](int below) { return static_cast<std::uint32_t>(random_int(random, 0, below - 1)); };
  for (int flow = 0; flow < count; ++flow) {
    const network::FabricParams& params = fabric.params;
    flows.push_back({draw(params.nodes), draw(params.gpus_per_node), draw(params.nodes), draw(params.gpus_per_node),
                     1e9 * random_int(random, 1, 80)});
  }
  return flows;
}

}  // namespace wattloop::tests
