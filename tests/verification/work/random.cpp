// Philox 4x32 against the known answers published with Random123 by the authors of [salmon2011].
#include "core/numbers/random.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/support/catch.hpp"
#include "workload/training/deviation_pool.hpp"

using namespace wattloop;

TEST_CASE("philox gives the known answers of its authors", "[random]") {
  const RandomCounter zero{0, 0, 0, 0};
  const RandomCounter ones{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff};
  const RandomCounter pi{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344};
  const RandomKey pi_key{0xa4093822, 0x299f31d0};
  CHECK(philox<10>(zero, {0, 0}) == RandomCounter{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  CHECK(philox<10>(ones, {0xffffffff, 0xffffffff}) == RandomCounter{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  CHECK(philox<10>(pi, pi_key) == RandomCounter{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
  CHECK(philox<7>(zero, {0, 0}) == RandomCounter{0x5f6fb709, 0x0d893f64, 0x4f121f81, 0x4f730a48});
  CHECK(philox<7>(ones, {0xffffffff, 0xffffffff}) == RandomCounter{0x5207ddc2, 0x45165e59, 0x4d8ee751, 0x8c52f662});
  CHECK(philox<7>(pi, pi_key) == RandomCounter{0x4dfccaba, 0x190a87f0, 0xc47362ba, 0xb6b5242a});
}

TEST_CASE("words drawn in bulk are those drawn one block at a time, wherever the bulk starts", "[random]") {
  const RandomKey key = random_key(42, 3);
  PhiloxWords words;
  philox_bulk<7>(key, 0x100000002ULL, 5, words);
  for (std::uint32_t block = 0; block < philox_lanes; ++block) {
    const RandomCounter expected = philox<7>({5 + block, 0, 2, 1}, key);
    for (std::size_t word = 0; word < 4; ++word) CHECK(words[word * philox_lanes + block] == expected[word]);
  }
}

TEST_CASE("triangular deviates have mean 0, deviation 1 and their limit", "[random]") {
  double sum = 0.0, squares = 0.0, largest = 0.0;
  for (std::uint32_t bits = 0; bits < 65536; ++bits) {  // every one there is
    const double value = triangular_count(bits | 0xabcd0000) / triangular_deviation;
    sum += value;
    squares += value * value;
    largest = std::max(largest, std::abs(value));
  }
  CHECK(std::abs(sum / 65536) < 1e-12);
  CHECK(squares / 65536 == Approx(1.0).epsilon(1e-12));
  CHECK(largest == Approx(255.0 / triangular_deviation).epsilon(1e-12));
}

TEST_CASE("streams and seeds are independent of each other", "[random]") {
  CHECK(random_key(1, 1) != random_key(1, 2));
  CHECK(random_key(1, 1) != random_key(2, 1));
  CHECK(random_key(1, 1) != random_key(1ULL + (1ULL << 32), 1));
}

TEST_CASE("a pool holds every sum of two numbers of 7 bits once, shuffled", "[random]") {
  using workload::DeviationPool;
  const DeviationPool pool(random_key(7, 2), 8);
  std::vector<double> sums;  // by hand: 0 ... 127 twice, mean 127, variance 2 (128^2 - 1) / 12
  for (int i = 0; i < 128; ++i) {
    for (int j = 0; j < 128; ++j) sums.push_back((i + j - 127) / std::sqrt(2.0 * (128.0 * 128.0 - 1.0) / 12.0));
  }
  REQUIRE(sums.size() == DeviationPool::size);
  std::vector<double> held(pool.at(0), pool.at(0) + DeviationPool::size);
  double squares = 0.0;
  for (const double value : held) squares += value * value;
  CHECK(squares / static_cast<double>(DeviationPool::size) == Approx(1.0).epsilon(1e-12));
  for (std::size_t i = 0; i < 8; ++i) CHECK(pool.at(DeviationPool::size)[i] == held[i]);

  const double five_deviations = 5.0 / 128.0;  // of a correlation estimated from 16,384 pairs
  for (const std::size_t lag : {1, 2, 3, 7, 128}) {
    double correlation = 0.0;
    for (std::size_t i = 0; i < held.size(); ++i) correlation += held[i] * held[(i + lag) % held.size()];
    CHECK(std::abs(correlation) / static_cast<double>(held.size()) < five_deviations);
  }
  const DeviationPool second(random_key(8, 2), 8);
  CHECK_FALSE(std::equal(held.begin(), held.end(), second.at(0)));

  std::sort(held.begin(), held.end());
  std::sort(sums.begin(), sums.end());
  CHECK(held == sums);
  CHECK(held.back() <= DeviationPool::largest);
  CHECK(held.back() == Approx(DeviationPool::largest).epsilon(1e-4));
}
