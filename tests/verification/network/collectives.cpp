// Times of collectives against closed forms of [thakur2005], [sanders2009] and a count of messages one by one, and bus bandwidths against measurements
// that users published [nccl_tests], [azure_ai_benchmarking].
#include "network/collectives/collective_time.hpp"

#include <array>
#include <cmath>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/verification.hpp"

using namespace wattloop;
using namespace wattloop::network;

namespace {

constexpr double fourteen_gb_b = 14e9;

std::vector<LinkLevel> flat(int ranks, double latency_s = 5e-6) {
  return {{.members = ranks, .bandwidth_b_per_s = 50e9, .latency_s = latency_s}};
}

std::vector<LinkLevel> domains_of_8(int domains, double latency_s) {
  return {{.members = 8, .bandwidth_b_per_s = 450e9, .latency_s = latency_s},
          {.members = domains, .bandwidth_b_per_s = 50e9, .latency_s = latency_s}};
}

/// 8 H100 by ring inside, an adapter of 400 Gbit/s each beyond: what maintainers of NCCL state as reached.
std::vector<LinkLevel> h100_nodes(int nodes) {
  return {{.members = 8, .bandwidth_b_per_s = 370e9}, {.members = nodes, .bandwidth_b_per_s = 48e9}};
}

struct Measured {
  double bytes_b;
  double time_s;
};

/// One node of 8 H100 with reduction in NVLink switches.
constexpr std::array h100_in_switch{Measured{134217728.0, 613.3e-6},   Measured{268435456.0, 1139.2e-6},
                                    Measured{536870912.0, 2175.8e-6},  Measured{1073741824.0, 4038.8e-6},
                                    Measured{2147483648.0, 8020.3e-6}, Measured{4294967296.0, 15870e-6}};

/// Of 4 GB200 of a host by ring: bytes, and bus bandwidth as published.
constexpr std::array<std::array<double, 2>, 5> gb200_ring{{{1048576.0, 80.48e9},
                                                           {16777216.0, 331.09e9},
                                                           {134217728.0, 574.19e9},
                                                           {1073741824.0, 646.87e9},
                                                           {8589934592.0, 679.61e9}}};

double all_reduce_bus_b_per_s(int ranks, double bytes_b, double time_s) {
  return bus_bandwidth_b_per_s(Collective::all_reduce, ranks, bytes_b, time_s);
}

/// A ring, message by message: every rank sends a piece in each of its turns.
double ring_by_turns_s(int ranks, double bytes_b, double bandwidth_b_per_s, double latency_s) {
  double time_s = 0.0;
  for (int pass = 0; pass < 2; ++pass)
    for (int turn = 1; turn < ranks; ++turn) time_s += latency_s + bytes_b / ranks / bandwidth_b_per_s;
  return time_s;
}

}  // namespace

TEST_CASE("all-reduce of 14 GB on 1024 GPUs takes the time of the closed forms", "[collectives]") {
  const double ring_s = collective_time(Collective::all_reduce, Algorithm::ring, flat(1024), fourteen_gb_b).sum_s();
  const double rails_s =
      collective_time(Collective::all_reduce, Algorithm::hierarchical, domains_of_8(128, 5e-6), fourteen_gb_b).sum_s();
  const double no_latency_s =
      collective_time(Collective::all_reduce, Algorithm::hierarchical, domains_of_8(128, 0.0), fourteen_gb_b).sum_s();
  CHECK(ring_s == Approx(0.5697).epsilon(0.001));
  CHECK(ring_s == Approx(ring_by_turns_s(1024, fourteen_gb_b, 50e9, 5e-6)).epsilon(1e-12));
  CHECK(rails_s == Approx(0.125).epsilon(0.005));
  CHECK(no_latency_s == Approx(0.1239).epsilon(0.001));
  tests::report_verification({"all-reduce of 14 GB on 1,024 GPUs by a flat ring", "closed form", "time", ring_s, 0.5697,
                              0.0006, "s", "closed form"});
  tests::report_verification({"all-reduce of 14 GB on 128 domains of 8", "closed form", "time", no_latency_s, 0.1239,
                              0.00013, "s", "closed form"});
}

TEST_CASE("an all-reduce is a reduce-scatter and an all-gather", "[collectives]") {
  for (const Algorithm algorithm : {Algorithm::ring, Algorithm::hierarchical}) {
    const auto of = [&](Collective operation) {
      return collective_time(operation, algorithm, domains_of_8(16, 3e-6), 1e9).sum_s();
    };
    CHECK(of(Collective::all_reduce) ==
          Approx(of(Collective::reduce_scatter) + of(Collective::all_gather)).epsilon(1e-12));
  }
}

TEST_CASE("a double tree has the latency of its depth and carries the bytes twice", "[collectives]") {
  const CollectiveTime tree = collective_time(Collective::all_reduce, Algorithm::double_tree, flat(1024), 1e9);
  CHECK(tree.latency_s == Approx(2.0 * 10.0 * 5e-6));
  CHECK(tree.transfer_s == Approx(2.0 * 1e9 / 50e9));
  CHECK(collective_time(Collective::all_reduce, Algorithm::double_tree, flat(1025), 1e9).latency_s ==
        Approx(2.0 * 11.0 * 5e-6));
  const double small_b = 1e5;  // where trees are for
  CHECK(collective_time(Collective::all_reduce, Algorithm::double_tree, flat(1024), small_b).sum_s() <
        0.02 * collective_time(Collective::all_reduce, Algorithm::ring, flat(1024), small_b).sum_s());
}

TEST_CASE("an all-to-all beyond a domain is limited by the adapters", "[collectives]") {
  const double bytes_b = 1e9;
  const CollectiveTime time = collective_time(Collective::all_to_all, Algorithm::ring, domains_of_8(4, 0.0), bytes_b);
  CHECK(time.transfer_s == Approx(24.0 / 32.0 * bytes_b / 50e9));
  const CollectiveTime inside =
      collective_time(Collective::all_to_all, Algorithm::ring, domains_of_8(1, 2e-6), bytes_b);
  CHECK(inside.transfer_s == Approx(7.0 / 8.0 * bytes_b / 450e9));
  CHECK(inside.latency_s == Approx(7.0 * 2e-6));
  // Of few bytes messages count: one to each of the 24 ranks of other domains.
  const CollectiveTime few = collective_time(Collective::all_to_all, Algorithm::ring, domains_of_8(4, 5e-6), 32.0);
  CHECK(few.latency_s == Approx(24.0 * 5e-6));
}

TEST_CASE("a message takes the links of the outermost level", "[collectives]") {
  const CollectiveTime time = collective_time(Collective::point_to_point, Algorithm::ring, domains_of_8(2, 5e-6), 1e8);
  CHECK(time.sum_s() == Approx(5e-6 + 1e8 / 50e9));
}

TEST_CASE("a single rank and no bytes take no time", "[collectives]") {
  for (const Collective operation :
       {Collective::all_reduce, Collective::reduce_scatter, Collective::all_gather, Collective::all_to_all})
    for (const Algorithm algorithm :
         {Algorithm::ring, Algorithm::double_tree, Algorithm::hierarchical, Algorithm::in_switch}) {
      CHECK(collective_time(operation, algorithm, flat(1), 1e9).sum_s() == 0.0);
      CHECK(collective_time(operation, algorithm, flat(8), 0.0).sum_s() == 0.0);
      CHECK(collective_time(operation, algorithm, {}, 1e9).sum_s() == 0.0);
    }
}

TEST_CASE("ranks are divided into domains by their distance", "[collectives]") {
  const Links links{.inside = {.members = 8, .bandwidth_b_per_s = 450e9},
                    .beyond = {.members = 0, .bandwidth_b_per_s = 50e9}};
  const auto members = [&](int ranks, int stride) {
    std::vector<int> list;
    for (const LinkLevel& level : levels_of_group(links, ranks, stride)) list.push_back(level.members);
    return list;
  };
  CHECK(members(8, 1) == std::vector<int>{8});
  CHECK(members(16, 1) == std::vector<int>{8, 2});
  CHECK(members(64, 4) == std::vector<int>{2, 32});
  CHECK(members(64, 8) == std::vector<int>{64});
  CHECK(levels_of_group(links, 64, 8).front().bandwidth_b_per_s == 50e9);
  CHECK(members(1, 1) == std::vector<int>{1});
}

TEST_CASE("bus bandwidth of one node that reduces in its switches is as measured within 8 percent", "[collectives]") {
  const FittedTime fitted = fit_two_sizes({h100_in_switch.front().bytes_b, h100_in_switch.front().time_s},
                                          {h100_in_switch.back().bytes_b, h100_in_switch.back().time_s});
  const std::vector<LinkLevel> node{{.members = 8,
                                     .bandwidth_b_per_s = 370e9,
                                     .in_switch_bandwidth_b_per_s = fitted.bandwidth_b_per_s,
                                     .in_switch_latency_s = fitted.startup_s}};
  for (const Measured& row : h100_in_switch) {
    const double time_s = collective_time(Collective::all_reduce, Algorithm::in_switch, node, row.bytes_b).chunked_s();
    const double ours = all_reduce_bus_b_per_s(8, row.bytes_b, time_s);
    const double theirs = all_reduce_bus_b_per_s(8, row.bytes_b, row.time_s);
    CHECK(ours == Approx(theirs).epsilon(0.08));
    CHECK(ours == Approx(theirs).epsilon(0.035));  // reached
  }
}

TEST_CASE("bus bandwidth by ring is that of NVLink and that of all adapters of a node", "[collectives]") {
  const auto bus_of = [](int nodes) {
    const double bytes_b = 16e9;
    const double time_s = collective_time(Collective::all_reduce, Algorithm::ring, h100_nodes(nodes), bytes_b).sum_s();
    return all_reduce_bus_b_per_s(8 * nodes, bytes_b, time_s);
  };
  CHECK(bus_of(1) == Approx(370e9).epsilon(1e-9));
  CHECK(bus_of(4) == Approx(365.84e9).epsilon(0.05));
  tests::report_verification({"all-reduce by ring on 4 nodes of 8 H100", "nccl_tests", "bus bandwidth", bus_of(4) / 1e9,
                              365.84, 18.3, "GB/s", "measured"});
  std::vector<LinkLevel> slow = h100_nodes(4);
  slow.back().bandwidth_b_per_s = 24e9;
  CHECK(all_reduce_bus_b_per_s(
            32, 16e9, collective_time(Collective::all_reduce, Algorithm::ring, slow, 16e9).sum_s()) == Approx(192e9));
}

TEST_CASE("start-up and bandwidth from two sizes predict the bus bandwidth of the others", "[collectives]") {
  const auto time_s = [](std::size_t k) { return 1.5 * gb200_ring[k][0] / gb200_ring[k][1]; };
  const FittedTime fitted = fit_two_sizes({gb200_ring[0][0], time_s(0)}, {gb200_ring[4][0], time_s(4)});
  for (std::size_t k = 0; k < gb200_ring.size(); ++k) {
    const double bytes_b = gb200_ring[k][0];
    const double ours = all_reduce_bus_b_per_s(4, bytes_b, fitted.time_s(bytes_b));
    CHECK(ours == Approx(gb200_ring[k][1]).epsilon(k == 0 || k == 4 ? 1e-9 : 0.2));
    CHECK(ours == Approx(gb200_ring[k][1]).epsilon(0.11));  // reached
    if (k == 1)
      tests::report_verification({"all-reduce of 16 MiB on 4 GB200 by ring", "azure_ai_benchmarking", "bus bandwidth",
                                  ours / 1e9, gb200_ring[k][1] / 1e9, 66.2, "GB/s", "measured"});
  }
}

TEST_CASE("chunks of the best size take the time of the best of many", "[collectives]") {
  const CollectiveTime time{.latency_s = 2e-5, .transfer_s = 3e-3};
  double best_s = 1.0;  // n chunks: the first one waits for all hops, each of the others for one turn
  for (double chunks = 1.0; chunks < 5000.0; chunks += 0.01)
    best_s = std::min(best_s, time.sum_s() + time.transfer_s / chunks + chunks * time.latency_s);
  CHECK(time.chunked_s() == Approx(best_s).epsilon(1e-6));
}
