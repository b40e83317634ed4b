// Sums by eight against sums one by one: of whole numbers, which doubles add exactly in any order.
#include "core/numbers/lanes.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <vector>

#include "tests/support/catch.hpp"

using namespace wattloop;

TEST_CASE("a sum by eight takes every number once", "[lanes]") {
  for (std::size_t count = 0; count < 40; ++count) {
    std::vector<double> numbers(count), seen(count, 0.0);
    for (std::size_t i = 0; i < count; ++i) numbers[i] = static_cast<double>((i * i + 3) % 1009);
    const double sum = sum_by_lanes(count, [&]<class Value>(std::size_t i, Value& total) {
      Value lanes;
      std::memcpy(&lanes, &numbers[i], sizeof lanes);
      std::memcpy(&seen[i], &lanes, sizeof lanes);
      total += lanes;
    });
    CHECK(sum == std::accumulate(numbers.begin(), numbers.end(), 0.0));
    CHECK(seen == numbers);
  }
}

TEST_CASE("eight eights have eight sums, and one eight its extremes", "[lanes]") {
  Lanes eights[lane_count];
  for (std::size_t k = 0; k < lane_count; ++k) {
    for (std::size_t lane = 0; lane < lane_count; ++lane)
      eights[k][lane] = static_cast<double>((k * 31 + lane * 17 + 5) % 97);
  }
  const Lanes sums = sums_of(eights);
  for (std::size_t k = 0; k < lane_count; ++k) {
    double numbers[lane_count];
    put_lanes(eights[k], numbers);
    CHECK(sums[k] == std::accumulate(std::begin(numbers), std::end(numbers), 0.0));
    CHECK(sum_of(eights[k]) == sums[k]);
    CHECK(largest_of(eights[k]) == *std::max_element(std::begin(numbers), std::end(numbers)));
    CHECK(smallest_of(eights[k]) == *std::min_element(std::begin(numbers), std::end(numbers)));
  }
}
