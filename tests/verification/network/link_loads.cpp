// Loads of links against plain recursion over every cable of the graph, which knows no classes, and against closed forms: equal loads of a
// uniform exchange, seven eighths without one spine of eight or one leaf of eight, no contention of shifted nodes on fixed paths.
#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <vector>

#include "network/routing/router.hpp"
#include "network/shares/max_min_shares.hpp"
#include "tests/support/by_hand/plain_routes.hpp"
#include "tests/support/by_hand/random_fabric.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/verification.hpp"

using namespace wattloop::network;
using namespace wattloop::tests;

namespace {

constexpr double link_b_per_s = 50e9;

/// Each GPU sends to the GPU of the same rail so many nodes on.
std::vector<Flow> shift(std::uint32_t nodes, std::uint32_t by, std::uint32_t rails = 8) {
  std::vector<Flow> flows;
  for (std::uint32_t node = 0; node < nodes; ++node) {
    for (std::uint32_t gpu = 0; gpu < rails; ++gpu)
      flows.push_back({node, gpu, (node + by) % nodes, gpu, link_b_per_s});
  }
  return flows;
}

FlowShares shares_of(const Router& router, const std::vector<Flow>& flows) {
  return max_min_shares(router.routes(flows), demands_b_per_s(flows));
}

double least_rate(const Router& router, const std::vector<Flow>& flows) {
  return std::ranges::min(shares_of(router, flows).rate_b_per_s);
}

double largest(const std::vector<double>& values) { return std::ranges::max(values); }

}  // namespace

TEST_CASE("adaptive loads of 300 random fabrics with failures equal plain recursion over all cables",
          "[verification][routing]") {
  std::mt19937_64 random(3);
  std::size_t flows_without = 0, flows_with = 0;
  for (int number = 0; number < 300; ++number) {
    const Fabric fabric = build_fabric(random_fabric(random));
    const FabricHealth health = random_health(fabric, random);
    INFO("fabric " << number << ": " << fabric.params.nodes << " nodes, radix " << fabric.params.radix << ", tiers "
                   << fabric.tiers());
    const std::vector<Flow> flows = random_flows(fabric, 40, random);
    const Router router(fabric, health);
    const FlowRoutes routes = router.routes(flows);
    const std::vector<double> rates = demands_b_per_s(flows);
    const LinkLoads ours = router.loads(routes, rates);
    const PlainLoads theirs = plain_adaptive_loads(fabric, health, flows);
    CHECK(routes.has_route == theirs.has_route);
    double largest_difference = 0.0;
    for (std::size_t link = 0; link < fabric.link_count(); ++link)
      largest_difference = std::max({largest_difference, std::abs(ours.up_b_per_s[link] - theirs.up_b_per_s[link]),
                                     std::abs(ours.down_b_per_s[link] - theirs.down_b_per_s[link])});
    CHECK(largest_difference < 1e-9 * link_b_per_s);
    for (const std::uint8_t one : routes.has_route) ++(one != 0 ? flows_with : flows_without);
  }
  CHECK(flows_without > 50);
  CHECK(flows_with > 5000);
}

TEST_CASE("what enters a switch leaves it, whatever the rule", "[verification][routing]") {
  std::mt19937_64 random(4);
  for (int number = 0; number < 150; ++number) {
    const Fabric fabric = build_fabric(random_fabric(random));
    const FabricHealth health = random_health(fabric, random);
    const auto kind =
        std::array{RoutingRule::Kind::adaptive, RoutingRule::Kind::fixed, RoutingRule::Kind::hashed}[number % 3];
    const Router router(fabric, health, {.kind = kind, .seed = std::uint64_t(number)});
    const std::vector<Flow> flows = random_flows(fabric, 40, random);
    const LinkLoads loads = router.loads(router.routes(flows), demands_b_per_s(flows));
    std::vector<double> in(fabric.switch_count(), 0.0), out(fabric.switch_count(), 0.0);
    for (std::size_t link = 0; link < fabric.link_count(); ++link) {
      in[fabric.link_upper[link]] += loads.up_b_per_s[link];
      out[fabric.link_upper[link]] += loads.down_b_per_s[link];
      if (link >= fabric.tier_link[1]) {
        out[fabric.link_lower[link]] += loads.up_b_per_s[link];
        in[fabric.link_lower[link]] += loads.down_b_per_s[link];
      }
      if (live_b_per_s(fabric, health, link) == 0.0) CHECK(loads.up_b_per_s[link] + loads.down_b_per_s[link] == 0.0);
    }
    for (std::size_t one = 0; one < in.size(); ++one) CHECK(std::abs(in[one] - out[one]) < 1e-9 * link_b_per_s);
  }
}

TEST_CASE("a uniform exchange loads all links of a tier alike", "[verification][routing]") {
  const Fabric fabric = build_fabric({.nodes = 512});
  std::vector<Flow> flows;
  for (std::uint32_t from = 0; from < 512; ++from) {
    for (std::uint32_t to = 0; to < 512; ++to) {
      if (from != to) flows.push_back({from, 0, to, 0, 1e6});
    }
  }
  const Router router(fabric, all_healthy(fabric));
  CHECK(router.positions().class_count() == 128 + 4 + 1);  // each leaf, spines of each island, cores
  const LinkLoads loads = router.loads(router.routes(flows), demands_b_per_s(flows));
  // 32 nodes of a leaf send to 480 others above it, over 32 links; of these 384 are in other islands, over 128 spines x 32 links.
  for (std::size_t link = fabric.tier_link[1]; link < fabric.tier_link[2]; ++link) {
    const double expected = fabric.switch_rail[fabric.link_lower[link]] == 0 ? 32 * 480 * 1e6 / 32 : 0.0;
    CHECK(loads.up_b_per_s[link] == Approx(expected).epsilon(1e-12));
    CHECK(loads.down_b_per_s[link] == Approx(expected).epsilon(1e-12));
  }
  for (std::size_t link = fabric.tier_link[2]; link < fabric.tier_link[3]; ++link)
    CHECK(loads.up_b_per_s[link] == Approx(512 * 384 * 1e6 / 4096).epsilon(1e-12));
}

TEST_CASE("a lost spine of eight leaves seven eighths of the exposed bandwidth, and repair the same bits",
          "[verification][routing]") {
  const Fabric fabric = build_fabric({.nodes = 64});
  const std::vector<Flow> flows = shift(64, 32);
  const Router healthy(fabric, all_healthy(fabric));
  const FlowShares before = shares_of(healthy, flows);
  for (const double rate : before.rate_b_per_s) CHECK(rate == link_b_per_s);
  const std::vector<Impairment> lost{{"spine_3"}};
  const FlowShares during = shares_of(Router(fabric, health_with(fabric, lost)), flows);
  for (const double rate : during.rate_b_per_s) CHECK(rate == Approx(7.0 / 8.0 * link_b_per_s).epsilon(1e-12));
  wattloop::tests::report_verification({"fabric of 64 nodes without one of 8 spines", "closed form",
                                        "bandwidth between units", during.rate_b_per_s[0] / link_b_per_s, 7.0 / 8.0,
                                        1e-12, "1"});
  const Router repaired(fabric, health_with(fabric, {}));
  CHECK(repaired.health() == healthy.health());
  const FlowShares after = shares_of(repaired, flows);
  CHECK(after.rate_b_per_s == before.rate_b_per_s);
  CHECK(repaired.loads(repaired.routes(flows), after.rate_b_per_s).up_b_per_s ==
        healthy.loads(healthy.routes(flows), before.rate_b_per_s).up_b_per_s);
}

TEST_CASE("a lost leaf leaves seven eighths of their bandwidth to its 32 nodes and all to others",
          "[verification][routing]") {
  const Fabric fabric = build_fabric({.nodes = 128});
  const std::vector<Impairment> lost{{"leaf_12"}};  // rail 4 of nodes 33 to 64
  const FabricHealth health = health_with(fabric, lost);
  const std::vector<Flow> flows = shift(128, 64);
  const FlowShares shares = shares_of(Router(fabric, health), flows);
  std::size_t nodes_with_less = 0;
  for (std::size_t node = 0; node < 128; ++node) {
    double sum_b_per_s = 0.0;
    for (std::size_t gpu = 0; gpu < 8; ++gpu) sum_b_per_s += shares.rate_b_per_s[node * 8 + gpu];
    const bool has_lost = node >= 32 && node < 64, sends_there = node >= 96;
    CHECK(node_b_per_s(fabric, health, node) == (has_lost ? 7 : 8) * link_b_per_s);
    CHECK(sum_b_per_s == Approx((has_lost || sends_there ? 7 : 8) * link_b_per_s).epsilon(1e-12));
    nodes_with_less += has_lost;
  }
  CHECK(nodes_with_less == 32);
  wattloop::tests::report_verification({"fabric without one leaf, nodes of its unit", "closed form",
                                        "bandwidth of a node", 8 * shares.rate_b_per_s[32 * 8] / (8 * link_b_per_s),
                                        7.0 / 8.0, 1e-12, "1"});
}

TEST_CASE("balanced loads equal adaptive ones where links are equal", "[verification][routing]") {
  const Fabric fabric = build_fabric({.nodes = 512});
  const std::vector<Flow> flows = shift(512, 130);
  const std::vector<Impairment> lost{{"leaf_12"}};
  for (const FabricHealth& health : {all_healthy(fabric), health_with(fabric, lost)}) {
    const Router adaptive(fabric, health), balanced(fabric, health, {.kind = RoutingRule::Kind::balanced});
    const LinkLoads one = adaptive.loads(adaptive.routes(flows), demands_b_per_s(flows));
    const LinkLoads other = balanced.loads(balanced.routes(flows), demands_b_per_s(flows));
    for (std::size_t link = 0; link < fabric.link_count(); ++link) {
      CHECK(std::abs(one.up_b_per_s[link] - other.up_b_per_s[link]) < 1e-9 * link_b_per_s);
      CHECK(std::abs(one.down_b_per_s[link] - other.down_b_per_s[link]) < 1e-9 * link_b_per_s);
    }
  }
  const std::vector<Impairment> spine{{"spine_3"}};
  const Fabric small = build_fabric({.nodes = 64});
  const Router balanced(small, health_with(small, spine), {.kind = RoutingRule::Kind::balanced});
  CHECK(least_rate(balanced, shift(64, 32)) == Approx(7.0 / 8.0 * link_b_per_s).epsilon(1e-12));
}

TEST_CASE("balanced loads are alike on all cables between two blocks though these are not dealt equally",
          "[verification][routing]") {
  const Fabric fabric = build_fabric({.nodes = 12'544});
  const Router router(fabric, all_healthy(fabric), {.kind = RoutingRule::Kind::balanced});
  CHECK(router.positions().class_count() ==
        3136 + 100 + 4 + 1);  // leaves, spines of a block, cores of an island, all above
  const std::vector<Flow> flows = shift(12'544, 6272);
  const LinkLoads loads = router.loads(router.routes(flows), demands_b_per_s(flows));
  double least = 1e18, most = 0.0, sum = 0.0;
  for (std::size_t link = fabric.tier_link[3]; link < fabric.link_count(); ++link) {
    least = std::min(least, loads.up_b_per_s[link] / fabric.link_cables[link]);
    most = std::max(most, loads.up_b_per_s[link] / fabric.link_cables[link]);
    sum += loads.up_b_per_s[link];
  }
  CHECK(sum == Approx(double(flows.size()) * link_b_per_s).epsilon(1e-9));
  CHECK(most == Approx(least).epsilon(1e-9));
  CHECK(least_rate(router, flows) == Approx(link_b_per_s).epsilon(1e-9));
}

TEST_CASE("a slow link takes less of an adaptive flow, and a lost port the other rails", "[verification][routing]") {
  const Fabric fabric = build_fabric({.nodes = 64});
  const std::vector<Impairment> slow{{"leaf_1.to_spine_3", 0.5}};
  const std::vector<Flow> one{{0, 0, 40, 0, link_b_per_s}};
  const Router router(fabric, health_with(fabric, slow));
  const LinkLoads loads = router.loads(router.routes(one), demands_b_per_s(one));
  const std::size_t link = find_component(fabric, "leaf_1.to_spine_3")->number;
  CHECK(loads.up_b_per_s[link] == Approx(link_b_per_s * 0.5 / 7.5));
  CHECK(loads.up_b_per_s[link + 1] == Approx(link_b_per_s / 7.5));
  const std::vector<Impairment> port{{"node_1.rail_1"}};
  const Router detour(fabric, health_with(fabric, port));
  const LinkLoads rails = detour.loads(detour.routes(one), demands_b_per_s(one));
  CHECK(rails.up_b_per_s[fabric.node_link(0, 0)] == 0.0);
  for (std::size_t rail = 1; rail < 8; ++rail)
    CHECK(rails.up_b_per_s[fabric.node_link(0, rail)] == Approx(link_b_per_s / 7.0));
}

TEST_CASE("fixed paths of shifted nodes do not meet, hashed ones do and follow their seed", "[verification][routing]") {
  for (const std::uint32_t nodes : {64U, 512U, 1024U}) {
    const Fabric tree = build_fabric({.nodes = static_cast<int>(nodes)});
    const Router fixed(tree, all_healthy(tree), {.kind = RoutingRule::Kind::fixed});
    const std::vector<Flow> shifted = shift(nodes, nodes / 2);
    const LinkLoads even = fixed.loads(fixed.routes(shifted), demands_b_per_s(shifted));
    for (std::size_t link = tree.tier_link[1]; link < tree.link_count(); ++link) {
      CHECK(even.up_b_per_s[link] == tree.link_b_per_s(link));  // a flow for each cable
      CHECK(even.down_b_per_s[link] == tree.link_b_per_s(link));
    }
  }
  const Fabric fabric = build_fabric({.nodes = 64});
  const std::vector<Flow> flows = shift(64, 32);
  const auto hashed_loads = [&](std::uint64_t seed) {
    const Router hashed(fabric, all_healthy(fabric), {.kind = RoutingRule::Kind::hashed, .seed = seed});
    return hashed.loads(hashed.routes(flows), demands_b_per_s(flows)).up_b_per_s;
  };
  CHECK(hashed_loads(1) == hashed_loads(1));
  CHECK(hashed_loads(1) != hashed_loads(2));
  CHECK(largest(hashed_loads(1)) > 6 * link_b_per_s);
  const Router hashed(fabric, all_healthy(fabric), {.kind = RoutingRule::Kind::hashed});
  CHECK(least_rate(hashed, flows) < 0.7 * link_b_per_s);
}

TEST_CASE("hashed paths take all equal-cost paths alike", "[verification][routing]") {
  const Fabric fabric = build_fabric({.kind = FabricKind::ethernet_clos, .nodes = 64});
  std::vector<Flow> flows;
  for (std::uint32_t from = 0; from < 4; ++from) {
    for (std::uint32_t to = 4; to < 64; ++to) {
      for (std::uint32_t gpu = 0; gpu < 64; ++gpu) flows.push_back({from, gpu / 8, to, gpu % 8, 1.0});
    }
  }
  const Router router(fabric, all_healthy(fabric), {.kind = RoutingRule::Kind::hashed});
  const LinkLoads loads = router.loads(router.routes(flows), demands_b_per_s(flows));
  const double mean = double(flows.size()) / 8.0;  // eight spines above the first leaf
  double chi_square = 0.0;
  for (std::size_t link = fabric.first_up_link[0]; link < fabric.first_up_link[1]; ++link)
    chi_square += std::pow(loads.up_b_per_s[link] - mean, 2) / mean;
  CHECK(chi_square < 18.5);  // 1 % of 7 degrees of freedom
  CHECK(chi_square > 0.0);
}

TEST_CASE("flows change rails by NVLink where spines serve one rail", "[verification][routing]") {
  const Fabric fabric = build_fabric({.nodes = 64, .spines = SpineLayout::by_rail});
  const std::vector<Flow> flows{{0, 2, 40, 5, link_b_per_s}, {0, 2, 0, 5, link_b_per_s}};
  const Router router(fabric, all_healthy(fabric));
  const FlowRoutes routes = router.routes(flows);
  CHECK(routes.has_route == std::vector<std::uint8_t>{1, 1});
  const LinkLoads loads = router.loads(routes, demands_b_per_s(flows));
  CHECK(loads.up_b_per_s[fabric.node_link(0, 5)] == link_b_per_s);
  CHECK(loads.down_b_per_s[fabric.node_link(40, 5)] == link_b_per_s);
  CHECK(loads.up_b_per_s[fabric.node_link(0, 2)] == 0.0);
  CHECK(loads.nvlink_out_b_per_s[2] == link_b_per_s);  // the second flow stays in its node
  CHECK(loads.nvlink_in_b_per_s[5] == link_b_per_s);
}

TEST_CASE("an NVLink domain of 72 GPUs keeps the flows of its 18 nodes off the fabric", "[verification][routing]") {
  const Fabric fabric =
      build_fabric({.nodes = 36, .rails = 4, .gpus_per_node = 4, .nvlink_domain_gpus = 72, .nvlink_b_per_s = 900e9});
  std::vector<Flow> flows{{0, 0, 17, 3}, {0, 0, 18, 0}};
  const std::vector<Impairment> slow{{"node_18.nvlink_4", 0.5}};
  const FlowShares shares = shares_of(Router(fabric, health_with(fabric, slow)), flows);
  CHECK(shares.rate_b_per_s[0] == 450e9);
  CHECK(shares.rate_b_per_s[1] == 50e9);
}
