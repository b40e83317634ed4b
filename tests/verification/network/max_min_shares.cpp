// Max-min fair shares against their definition, over 1,000 random cases, and against a plain solver that finds each level by bisection:
// the highest level at which all flows that still rise, each up to its demand, fit into all resources.
#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "network/routing/router.hpp"
#include "network/shares/max_min_shares.hpp"
#include "tests/support/by_hand/random_fabric.hpp"
#include "tests/support/catch.hpp"

using namespace wattloop::network;
using namespace wattloop::tests;

namespace {

struct Case {
  FlowRoutes routes;
  std::vector<double> demand_b_per_s;
};

/// All shares of a flow, its path with them.
std::vector<RouteShare> all_shares(const FlowRoutes& routes, std::size_t flow) {
  const auto own = routes.own_of(flow);
  std::vector<RouteShare> all(own.begin(), own.end());
  if (routes.path[flow] != no_path) {
    const auto of_path = routes.shares_of(routes.path[flow]);
    all.insert(all.end(), of_path.begin(), of_path.end());
  }
  return all;
}

std::vector<double> used(const FlowRoutes& routes, const std::vector<double>& rate) {
  std::vector<double> sum(routes.resource_b_per_s.size(), 0.0);
  for (std::size_t flow = 0; flow < rate.size(); ++flow) {
    for (const RouteShare& share : all_shares(routes, flow)) sum[share.resource] += share.fraction * rate[flow];
  }
  return sum;
}

bool fits(const FlowRoutes& routes, const std::vector<double>& rate) {
  const std::vector<double> sum = used(routes, rate);
  for (std::size_t resource = 0; resource < sum.size(); ++resource) {
    if (sum[resource] > routes.resource_b_per_s[resource]) return false;
  }
  return true;
}

/// Levels by bisection: no heap, no sums that are kept.
std::vector<double> plain_shares(const Case& one) {
  const std::size_t flows = one.routes.flow_count();
  std::vector<double> rate(flows, 0.0);
  std::vector<bool> is_rising(flows);
  for (std::size_t flow = 0; flow < flows; ++flow) is_rising[flow] = one.routes.has_route[flow] != 0;
  double level = 0.0;
  while (std::ranges::find(is_rising, true) != is_rising.end()) {
    const auto rates_at = [&](double at) {
      std::vector<double> rates = rate;
      for (std::size_t flow = 0; flow < flows; ++flow) {
        if (is_rising[flow]) rates[flow] = std::min(at, one.demand_b_per_s[flow]);
      }
      return rates;
    };
    double low = level, high = 1e15;
    for (int step = 0; step < 200 && low < high; ++step) {
      const double middle = 0.5 * (low + high);
      (fits(one.routes, rates_at(middle)) ? low : high) = middle;
    }
    level = low;
    rate = rates_at(level);
    const std::vector<double> sum = used(one.routes, rate);
    for (std::size_t flow = 0; flow < flows; ++flow) {
      if (!is_rising[flow]) continue;
      const std::vector<RouteShare> shares = all_shares(one.routes, flow);
      const bool is_full = std::ranges::any_of(shares, [&](const RouteShare& share) {
        return share.fraction > 0.0 &&
               sum[share.resource] >= (1.0 - 1e-10) * one.routes.resource_b_per_s[share.resource];
      });
      if (is_full || one.demand_b_per_s[flow] <= level) is_rising[flow] = false;
    }
  }
  return rate;
}

/// Resources, paths and flows at random, not of any fabric.
Case random_case(std::mt19937_64& random) {
  Case one;
  FlowRoutes& routes = one.routes;
  const int resources = random_int(random, 1, 12), paths = random_int(random, 0, 5), flows = random_int(random, 1, 25);
  for (int i = 0; i < resources; ++i)
    routes.resource_b_per_s.push_back(random_int(random, 0, 9) == 0 ? 100e9 : 1e9 * random_int(random, 1, 200));
  const auto add = [&](std::vector<RouteShare>& shares, int count) {
    for (int i = 0; i < count; ++i)
      shares.push_back({std::uint32_t(random_int(random, 0, resources - 1)),
                        random_int(random, 0, 1) == 0 ? 1.0 : 0.125 * random_int(random, 1, 8)});
  };
  routes.first_of_path = {0};
  for (int path = 0; path < paths; ++path) {
    add(routes.of_path, random_int(random, 1, 4));
    routes.first_of_path.push_back(std::uint32_t(routes.of_path.size()));
  }
  routes.first_own = {0};
  for (int flow = 0; flow < flows; ++flow) {
    add(routes.own, random_int(random, 1, 3));
    routes.first_own.push_back(std::uint32_t(routes.own.size()));
    routes.path.push_back(
        random_int(random, 0, paths) == 0 ? no_path : std::uint32_t(random_int(random, 0, std::max(0, paths - 1))));
    if (paths == 0) routes.path.back() = no_path;
    routes.has_route.push_back(1);
    const int kind = random_int(random, 0, 3);
    one.demand_b_per_s.push_back(kind == 0   ? std::numeric_limits<double>::infinity()
                                 : kind == 1 ? 20e9
                                             : 1e9 * random_int(random, 0, 60));
  }
  return one;
}

Case case_of_fabric(std::mt19937_64& random) {
  const Fabric fabric = build_fabric(random_fabric(random));
  const auto kind =
      std::array{RoutingRule::Kind::adaptive, RoutingRule::Kind::hashed}[std::size_t(random_int(random, 0, 1))];
  const Router router(fabric, random_health(fabric, random), {.kind = kind});
  const std::vector<Flow> flows = random_flows(fabric, 30, random);
  return {router.routes(flows), demands_b_per_s(flows)};
}

void check_definition(const Case& one, const FlowShares& shares) {
  const std::vector<double> sum = used(one.routes, shares.rate_b_per_s);
  for (std::size_t resource = 0; resource < sum.size(); ++resource)
    CHECK(sum[resource] <= one.routes.resource_b_per_s[resource] * (1.0 + 1e-9));
  std::vector<double> highest(sum.size(), 0.0);
  for (std::size_t flow = 0; flow < one.routes.flow_count(); ++flow) {
    for (const RouteShare& share : all_shares(one.routes, flow))
      highest[share.resource] = std::max(highest[share.resource], shares.rate_b_per_s[flow]);
  }
  for (std::size_t flow = 0; flow < one.routes.flow_count(); ++flow) {
    const double rate = shares.rate_b_per_s[flow];
    if (one.routes.has_route[flow] == 0) {
      CHECK(rate == 0.0);
    } else if (shares.bottleneck[flow] == no_bottleneck) {
      CHECK(rate == one.demand_b_per_s[flow]);
    } else {
      const std::uint32_t full = shares.bottleneck[flow];
      CHECK(sum[full] >= one.routes.resource_b_per_s[full] * (1.0 - 1e-9));
      CHECK(rate >= highest[full] * (1.0 - 1e-9));
      CHECK(rate <= one.demand_b_per_s[flow]);
      const std::vector<RouteShare> route = all_shares(one.routes, flow);
      CHECK(std::ranges::any_of(route, [&](const RouteShare& share) { return share.resource == full; }));
    }
  }
}

}  // namespace

TEST_CASE("max-min shares meet the bottleneck condition in 1000 random cases and equal a plain solver",
          "[verification][shares]") {
  std::mt19937_64 random(45);
  double largest_ratio = 0.0;
  std::size_t at_demand = 0, at_bottleneck = 0;
  for (int number = 0; number < 1000; ++number) {
    INFO("case " << number);
    const Case one = number % 4 == 0 ? case_of_fabric(random) : random_case(random);
    const FlowShares shares = max_min_shares(one.routes, one.demand_b_per_s);
    check_definition(one, shares);
    const std::vector<double> theirs = plain_shares(one);
    for (std::size_t flow = 0; flow < theirs.size(); ++flow) {
      if (std::isinf(theirs[flow]) || theirs[flow] == 0.0) {
        CHECK(shares.rate_b_per_s[flow] == theirs[flow]);
        continue;
      }
      largest_ratio = std::max(largest_ratio, std::abs(shares.rate_b_per_s[flow] / theirs[flow] - 1.0));
      ++(shares.bottleneck[flow] == no_bottleneck ? at_demand : at_bottleneck);
    }
  }
  CHECK(largest_ratio < 1e-9);
  CHECK(at_demand > 3000);
  CHECK(at_bottleneck > 3000);
}

TEST_CASE("three flows on two links share as in the textbook", "[verification][shares]") {
  // Flow 0 passes both links of 1 and 2 GB/s; flow 1 the first, flow 2 the second [bertsekas1992]: 0.5, 0.5, 1.5.
  FlowRoutes routes{.resource_b_per_s = {1e9, 2e9},
                    .has_route = {1, 1, 1},
                    .path = {no_path, no_path, no_path},
                    .first_own = {0, 2, 3, 4},
                    .own = {{0, 1.0}, {1, 1.0}, {0, 1.0}, {1, 1.0}},
                    .first_of_path = {0},
                    .of_path = {}};
  const double endless = std::numeric_limits<double>::infinity();
  const FlowShares shares = max_min_shares(routes, std::vector<double>(3, endless));
  CHECK(shares.rate_b_per_s == std::vector<double>{0.5e9, 0.5e9, 1.5e9});
  CHECK(shares.bottleneck == std::vector<std::uint32_t>{0, 0, 1});
  CHECK(max_min_shares(routes, std::vector<double>{0.25e9, endless, endless}).rate_b_per_s ==
        std::vector<double>{0.25e9, 0.75e9, 1.75e9});
  routes.has_route[1] = 0;
  CHECK(max_min_shares(routes, std::vector<double>(3, endless)).rate_b_per_s == std::vector<double>{1e9, 0.0, 1e9});
}
