// Storage that jobs share. Max-min rates by hand, and against filling all rates in small steps at once; times of transfers by hand: 5.2 TB at
// 500 GB/s take 10.4 s, two of them at once 20.8 s.
#include "workload/checkpoints/storage.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/verification.hpp"

using namespace wattloop;
using namespace wattloop::workload;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

namespace {

const StorageParams storage{.is_given = true, .read_b_per_s = 1e12, .write_b_per_s = 500e9, .per_node_b_per_s = 40e9};
constexpr double infinity = std::numeric_limits<double>::infinity();

/// Raises all rates together by a small step as long as neither their limit nor the bandwidth is reached.
std::vector<double> filled_in_steps(double bandwidth, const std::vector<double>& limits, double step) {
  std::vector<double> rates(limits.size(), 0.0);
  double left = bandwidth;
  for (bool has_risen = true; has_risen;) {
    has_risen = false;
    for (std::size_t k = 0; k < rates.size(); ++k) {
      if (rates[k] + step > limits[k] || left < step) continue;
      rates[k] += step;
      left -= step;
      has_risen = true;
    }
  }
  return rates;
}

}  // namespace

TEST_CASE("jobs that save at once share the bandwidth, and what one cannot use goes to others",
          "[verification][storage]") {
  CHECK(max_min_rates(12.0, std::vector{1.0, 10.0, 3.0}) == std::vector{1.0, 8.0, 3.0});
  CHECK(max_min_rates(12.0, std::vector{10.0, 10.0, 10.0}) == std::vector{4.0, 4.0, 4.0});
  CHECK(max_min_rates(12.0, std::vector{1.0, 2.0}) == std::vector{1.0, 2.0});
  CHECK(max_min_rates(12.0, std::vector{infinity, 2.0}) == std::vector{10.0, 2.0});
  CHECK(max_min_rates(12.0, {}).empty());
}

TEST_CASE("max-min rates are those of filling in small steps, for any limits", "[verification][storage]") {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> any(0.0, 1.0);
  constexpr double step = 1e-3;
  for (int round = 0; round < 200; ++round) {
    std::vector<double> limits(1 + random() % 8);
    for (double& limit : limits) limit = 4.0 * any(random) * any(random);
    const double bandwidth = 8.0 * any(random) + 0.01;
    const std::vector<double> rates = max_min_rates(bandwidth, limits),
                              filled = filled_in_steps(bandwidth, limits, step);
    const double sum = std::accumulate(rates.begin(), rates.end(), 0.0);
    CHECK_THAT(sum, WithinAbs(std::min(bandwidth, std::accumulate(limits.begin(), limits.end(), 0.0)), 1e-12));
    for (std::size_t k = 0; k < rates.size(); ++k) {
      CHECK(rates[k] <= limits[k]);
      CHECK_THAT(rates[k], WithinAbs(filled[k], 2.0 * step * static_cast<double>(limits.size())));
    }
  }
}

TEST_CASE("5.2 TB at 500 GB/s take 10.4 s, two jobs at once 20.8 s", "[verification][storage]") {
  const Transfer save{.bytes_b = 5.2e12, .nodes = 1024.0};
  CHECK_THAT(transfer_s(storage, save), WithinRel(10.4, 1e-12));
  const std::vector<double> ends = transfer_ends_s(storage, std::vector{save, save});
  CHECK_THAT(ends[0], WithinRel(20.8, 1e-12));
  CHECK_THAT(ends[1], WithinRel(20.8, 1e-12));
  tests::report_verification(
      {"checkpoints of 5.2 TB of two jobs at once, 500 GB/s", "closed form", "time", ends[0], 20.8, 1e-9, "s"});
  CHECK_THAT(transfer_s(storage, {.bytes_b = 5.2e12, .nodes = 1024.0, .is_read = true}), WithinRel(5.2, 1e-12));
}

TEST_CASE("few nodes are slower than the storage", "[verification][storage]") {
  const Transfer save{.bytes_b = 5.2e12, .nodes = 4.0};
  CHECK(is_limited_by_nodes(storage, save));
  CHECK_THAT(transfer_s(storage, save), WithinRel(5.2e12 / 160e9, 1e-12));
  CHECK_FALSE(is_limited_by_nodes(storage, {.bytes_b = 1.0, .nodes = 13.0}));
  CHECK(is_limited_by_nodes(storage, {.bytes_b = 1.0, .nodes = 24.0, .is_read = true}));
  const std::vector<Transfer> both{save, {.bytes_b = 5.2e12, .nodes = 1024.0}};
  CHECK(transfer_rates_b_per_s(storage, both) == std::vector{160e9, 340e9});
}

TEST_CASE("a transfer is faster from when another one has ended", "[verification][storage]") {
  const StorageParams slow{.read_b_per_s = 10.0, .write_b_per_s = 10.0, .per_node_b_per_s = 10.0};
  const std::vector<Transfer> saves{{.start_s = 0.0, .bytes_b = 100.0}, {.start_s = 5.0, .bytes_b = 100.0}};
  CHECK(transfer_ends_s(slow, saves) == std::vector{15.0, 20.0});  // 50 B alone, 50 B at half; 50 B at half, 50 B alone
  std::vector<Transfer> with_read = saves;
  with_read.push_back({.start_s = 2.0, .bytes_b = 30.0, .is_read = true});
  CHECK(transfer_ends_s(slow, with_read) == std::vector{15.0, 20.0, 5.0});
  StorageEvents events(slow);
  const std::size_t first = events.begin(saves[0]), second = events.begin(saves[1]);
  events.advance(5.0);
  events.advance(9.0);
  events.cancel(first);
  CHECK_THAT(events.next_s(), WithinRel(17.0, 1e-12));  // 20 B at half, 80 B alone
  events.advance(events.next_s());
  CHECK(events.end_s(first) == infinity);
  CHECK_THAT(events.end_s(second), WithinRel(17.0, 1e-12));
  CHECK_THROWS(events.begin(saves[0]));
}

TEST_CASE("no transfer is lost, and the storage is never idle while one waits", "[verification][storage]") {
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> any(0.0, 1.0);
  const StorageParams slow{.read_b_per_s = 10.0, .write_b_per_s = 10.0, .per_node_b_per_s = 10.0};
  for (int round = 0; round < 100; ++round) {
    std::vector<Transfer> saves(1 + random() % 20);
    double sum_b = 0.0;
    for (Transfer& save : saves) sum_b += save.bytes_b = 1.0 + 100.0 * any(random);
    std::vector<double> ends = transfer_ends_s(slow, saves);
    CHECK_THAT(std::ranges::max(ends), WithinRel(sum_b / 10.0, 1e-12));
    for (std::size_t k = 0; k < saves.size(); ++k) {  // alike in all but size: each waits for the smaller ones
      double before_b = 0.0;
      for (const Transfer& other : saves) before_b += std::min(other.bytes_b, saves[k].bytes_b);
      CHECK_THAT(ends[k], WithinRel(before_b / 10.0, 1e-12));
    }
  }
}
