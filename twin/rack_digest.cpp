#include "twin/rack_digest.hpp"

#include <algorithm>
#include <cstring>

namespace wattloop::twin {

namespace {

/// Two values in one register: g++ does not find out by itself that extremes may be taken lane by lane.
using Pair [[gnu::vector_size(2 * sizeof(double))]] = double;

Pair pair_at(const double* from) {
  Pair pair;
  std::memcpy(&pair, from, sizeof pair);
  return pair;
}

Pair larger(Pair a, Pair b) { return a > b ? a : b; }
Pair smaller(Pair a, Pair b) { return a < b ? a : b; }

/// Extremes and sum of every other pair, so that no step waits for the one before.
struct Partial {
  Pair hottest_k, coolest_k, sum_k;

  void add(Pair die_k) {
    hottest_k = larger(die_k, hottest_k);
    coolest_k = smaller(die_k, coolest_k);
    sum_k += die_k;
  }
};

}  // namespace

RackDigest digest_dies(std::span<const double> die_k) {
  const Pair first = die_k.front() - Pair{};
  Partial even{first, first, {}}, odd = even;
  std::size_t gpu = 0;
  for (; gpu + 4 <= die_k.size(); gpu += 4) {
    even.add(pair_at(die_k.data() + gpu));
    odd.add(pair_at(die_k.data() + gpu + 2));
  }
  const Pair hottest = larger(even.hottest_k, odd.hottest_k), coolest = smaller(even.coolest_k, odd.coolest_k);
  const Pair sum = even.sum_k + odd.sum_k;
  RackDigest digest{.hottest_k = std::max(hottest[0], hottest[1]),
                    .coolest_k = std::min(coolest[0], coolest[1]),
                    .sum_die_k = sum[0] + sum[1]};
  for (; gpu < die_k.size(); ++gpu) {
    digest.hottest_k = std::max(digest.hottest_k, die_k[gpu]);
    digest.coolest_k = std::min(digest.coolest_k, die_k[gpu]);
    digest.sum_die_k += die_k[gpu];
  }
  return digest;
}

bool has_full_clocks(std::span<const double> clock_fraction) {
  Pair even = 1.0 - Pair{}, odd = even;
  std::size_t gpu = 0;
  for (; gpu + 4 <= clock_fraction.size(); gpu += 4) {
    even = smaller(pair_at(clock_fraction.data() + gpu), even);
    odd = smaller(pair_at(clock_fraction.data() + gpu + 2), odd);
  }
  const Pair lowest = smaller(even, odd);
  double lowest_fraction = std::min(lowest[0], lowest[1]);
  for (; gpu < clock_fraction.size(); ++gpu) lowest_fraction = std::min(lowest_fraction, clock_fraction[gpu]);
  return lowest_fraction >= 1.0;
}

}  // namespace wattloop::twin
