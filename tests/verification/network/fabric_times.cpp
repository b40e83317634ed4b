// Times of communication over a modelled fabric against closed forms, and against the links that published step times were compared with.
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/records/published_training.hpp"
#include "tests/support/verification.hpp"
#include "twin/actions/work/fabric_times.hpp"
#include "twin/scenario/specs/fabric_spec.hpp"

using namespace wattloop;
using namespace wattloop::twin;
using Catch::Matchers::WithinRel;
using workload::Exchange;
using workload::RankGroup;
using workload::StepExchange;

namespace {

HallFabric hall_of(const network::FabricParams& params, network::RoutingRule::Kind rule) {
  return {.fabric = network::build_fabric(params),
          .rule = {.kind = rule},
          .links = sound_links(FabricSpec{}, params),
          .efficiency_fraction = 0.96,
          .first_switch = {},
          .blocks = {},
          .block_of_switch = {}};
}

HallFabric hall_of(const network::FabricParams& params) {
  return hall_of(params, network::RoutingRule::Kind::balanced);
}

FabricNow now_with(const HallFabric& hall, const std::vector<network::Impairment>& losses) {
  CHECK(network::mistakes_in(hall.fabric, losses).empty());
  return {hall, network::health_with(hall.fabric, losses)};
}

std::vector<RankPlace> all_ranks(const HallFabric& hall) {
  std::vector<std::size_t> nodes(hall.fabric.node_count());
  std::iota(nodes.begin(), nodes.end(), std::size_t{0});
  return ranks_on_nodes(nodes, static_cast<std::size_t>(hall.fabric.params.gpus_per_node));
}

constexpr std::array exchanges{Exchange::all_reduce, Exchange::reduce_scatter, Exchange::all_gather,
                               Exchange::all_to_all, Exchange::point_to_point};

/// 128 nodes, four units of 32 with 8 leaves each.
constexpr network::FabricParams four_units{.nodes = 128};

}  // namespace

TEST_CASE("times over a sound fabric are those of NVLink and rails", "[verification][fabric_times]") {
  const HallFabric hall = hall_of(four_units);
  const FabricNow sound = now_with(hall, {});
  const FabricTimes modelled(sound, all_ranks(hall));
  const tests::RailTimes rails(tests::h100_links());
  for (const Exchange exchange : exchanges) {
    for (const RankGroup& group : std::vector<RankGroup>{{4, 1}, {8, 1}, {32, 4}, {128, 8}, {1024, 1}, {2, 128}}) {
      if (exchange == Exchange::point_to_point && group.stride < 8) continue;  // chains that leave nodes here and there
      const double theirs_s = rails.time_s(exchange, group, 3e8);
      CHECK_THAT(modelled.time_s(exchange, group, 3e8), WithinRel(theirs_s, 1e-9));
    }
  }
  // 8 x 128: 2 (7/8 S / 370 + 127/128 S / 8 / 48), without latency 0.1386 s for 14 GB.
  const double by_hand_s =
      2.0 * (7.0 / 8.0 * 14e9 / 370e9 + 127.0 / 128.0 * 14e9 / 8.0 / 48e9) + 14 * 2e-6 + 254 * 5e-6;
  CHECK_THAT(modelled.time_s(Exchange::all_reduce, {1024, 1}, 14e9), WithinRel(by_hand_s, 1e-9));
  tests::report_verification({"all-reduce of 14 GB on 128 nodes of a modelled fabric", "closed form", "time",
                              modelled.time_s(Exchange::all_reduce, {1024, 1}, 14e9), by_hand_s, 1e-9, "s"});
}

TEST_CASE("a lost spine of eight lengthens what goes over all of them by 8/7", "[verification][fabric_times]") {
  // Two units of 8 nodes with 8 leaves each, 8 spines for 16 leaves of 8 links up. Each node sends to one of the other unit.
  const HallFabric hall = hall_of({.nodes = 16, .radix = 16});
  REQUIRE(hall.fabric.switches_of(1) == 8);
  const std::vector<RankPlace> ranks = all_ranks(hall);
  const FabricNow sound = now_with(hall, {}), lost = now_with(hall, {{"spine_3"}});
  const RankGroup pairs{2, 64};
  const auto transfer_s = [&](const FabricNow& now, const RankGroup& group) {
    const auto levels = FabricTimes(now, ranks).levels_of(Exchange::all_reduce, group);
    return 1.0 / levels.back().bandwidth_b_per_s;
  };
  CHECK_THAT(transfer_s(sound, pairs), WithinRel(1.0 / 48e9, 1e-12));
  CHECK_THAT(transfer_s(lost, pairs) / transfer_s(sound, pairs), WithinRel(8.0 / 7.0, 1e-9));
  tests::report_verification({"one of 8 spines lost, pairs of nodes of two units", "closed form",
                              "time over that of the sound fabric", transfer_s(lost, pairs) / transfer_s(sound, pairs),
                              8.0 / 7.0, 1e-9, "1"});
  // A ring of neighbours leaves a unit once: the spines are no bottleneck.
  CHECK_THAT(transfer_s(lost, {128, 1}), WithinRel(transfer_s(sound, {128, 1}), 1e-12));
  const FabricNow repaired = now_with(hall, {});
  CHECK(transfer_s(repaired, pairs) == transfer_s(sound, pairs));
}

TEST_CASE("a lost leaf leaves its nodes 7/8 of their bandwidth, and the group waits for them",
          "[verification][fabric_times]") {
  const HallFabric hall = hall_of(four_units);
  const FabricNow lost = now_with(hall, {{"leaf_12"}}), slow = now_with(hall, {{"node_5.nvlink_2", 0.5}});
  const FabricTimes times(lost, all_ranks(hall)), slower(slow, all_ranks(hall));
  const auto levels = times.levels_of(Exchange::all_reduce, {1024, 1});
  CHECK_THAT(levels.back().bandwidth_b_per_s, WithinRel(48e9 * 7.0 / 8.0, 1e-9));
  CHECK_THAT(levels.front().bandwidth_b_per_s, WithinRel(370e9, 1e-12));
  CHECK_THAT(slower.levels_of(Exchange::all_reduce, {1024, 1}).front().bandwidth_b_per_s, WithinRel(185e9, 1e-12));
}

TEST_CASE("ranks that cannot reach each other never end, and single rails have no way around a leaf",
          "[fabric_times]") {
  const HallFabric hall = hall_of({.nodes = 16, .radix = 16, .rails = 1});
  const FabricNow lost = now_with(hall, {{"leaf_1"}});
  const FabricTimes times(lost, all_ranks(hall));
  CHECK(std::isinf(times.time_s(Exchange::all_gather, {128, 1}, 1e9)));
  CHECK(std::isfinite(times.time_s(Exchange::all_gather, {8, 1}, 1e9)));
}

TEST_CASE("jobs that use the same links share them", "[verification][fabric_times]") {
  // Leaves with two ports down for one up: each of two pairs of nodes alone has its full rate, together half.
  const HallFabric hall = hall_of(
      {.nodes = 8, .radix = 6, .rails = 1, .gpus_per_node = 1, .oversubscription = {2.0}, .nvlink_domain_gpus = 1});
  REQUIRE(hall.fabric.shape.unit_nodes == 4);
  const FabricNow sound = now_with(hall, {});
  const std::vector<RankPlace> one{{0, 0}, {4, 0}}, two{{1, 0}, {5, 0}}, three{{2, 0}, {6, 0}}, four{{3, 0}, {7, 0}};
  const auto flows_of = [&](const std::vector<RankPlace>& ranks) {
    return group_paths(hall.fabric, ranks, Exchange::all_reduce, {2, 1}).flows;
  };
  std::vector<network::Flow> others;
  for (const auto* ranks : {&two, &three, &four}) {
    const auto flows = flows_of(*ranks);
    others.insert(others.end(), flows.begin(), flows.end());
  }
  const double alone = FabricTimes(sound, one).levels_of(Exchange::all_reduce, {2, 1}).back().bandwidth_b_per_s;
  const double shared =
      FabricTimes(sound, one, others).levels_of(Exchange::all_reduce, {2, 1}).back().bandwidth_b_per_s;
  CHECK_THAT(alone, WithinRel(48e9, 1e-12));
  CHECK_THAT(shared, WithinRel(24e9, 1e-9));
}

TEST_CASE("mean loads of links are bytes of a step over its time", "[verification][fabric_times]") {
  const HallFabric hall = hall_of({.nodes = 16, .radix = 16});
  const FabricNow sound = now_with(hall, {});
  const std::vector<RankPlace> ranks = all_ranks(hall);
  const std::vector<StepExchange> step{{Exchange::all_reduce, {2, 64}, 4e9, 3.0},
                                       {Exchange::point_to_point, {2, 8}, 1e9, 5.0},
                                       {Exchange::all_to_all, {16, 8}, 8e9, 2.0},
                                       {Exchange::all_gather, {8, 1}, 7e9, 9.0}};  // stays inside nodes
  const double step_s = 10.0;
  const network::LinkLoads loads = mean_link_loads(sound, ranks, step, step_s);
  // A port sends 2 x 1/2 x 4 GB three times; 15/16 of 8 GB twice; the message of all nodes but the last five times.
  const double most_b_per_s = (3.0 * 4e9 + 2.0 * 15.0 / 16.0 * 8e9 + 5e9) / step_s;
  for (std::size_t node = 0; node < 16; ++node) {
    for (std::size_t rail = 0; rail < 8; ++rail) {
      const std::size_t port = hall.fabric.node_link(node, rail);
      CHECK_THAT(loads.up_b_per_s[port], WithinRel(most_b_per_s - (node == 15 ? 5e9 / step_s : 0.0), 1e-9));
      CHECK_THAT(loads.down_b_per_s[port], WithinRel(most_b_per_s - (node == 0 ? 5e9 / step_s : 0.0), 1e-9));
    }
  }
  // What leaves a unit passes the spines once up and once down: pairs of all nodes, one message and one of eight of the ring.
  const std::vector<double> traffic = switch_traffic(hall.fabric, loads);
  double spines_b_per_s = 0.0;
  for (std::size_t spine = hall.fabric.tier_switch[1]; spine < hall.fabric.tier_switch[2]; ++spine)
    spines_b_per_s += traffic[spine] * 16.0 * 50e9;
  const double crossing_b_per_s = (3.0 * 4e9 * 128.0 + 2.0 * 15.0 / 16.0 * 8e9 * 16.0 + 5e9 * 8.0) / step_s;
  CHECK_THAT(spines_b_per_s, WithinRel(crossing_b_per_s, 1e-9));  // up and down of a spine, half of each: once
}
