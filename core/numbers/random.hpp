// Random numbers by counter: the same (key, counter) gives the same numbers in any order and on any thread.
//
// Philox 4x32: multiply, exchange, exclusive-or, repeated; 7 rounds already pass BigCrush, 10 are customary.
// Source: [salmon2011]. Verified in tests/verification/work/random.cpp against the known answers of its authors.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace wattloop {

using RandomCounter = std::array<std::uint32_t, 4>;
using RandomKey = std::array<std::uint32_t, 2>;

/// Four independent words of 32 random bits.
template <int Rounds = 10>
constexpr RandomCounter philox(RandomCounter counter, RandomKey key) noexcept {
  for (int round = 0; round < Rounds; ++round) {
    const std::uint64_t first = std::uint64_t{0xD2511F53} * counter[0];
    const std::uint64_t second = std::uint64_t{0xCD9E8D57} * counter[2];
    counter = {static_cast<std::uint32_t>(second >> 32) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(second),
               static_cast<std::uint32_t>(first >> 32) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(first)};
    key[0] += 0x9E3779B9;
    key[1] += 0xBB67AE85;
  }
  return counter;
}

inline constexpr std::uint32_t philox_lanes = 32;

/// Words of `philox_lanes` blocks: word w of block b at [w * philox_lanes + b].
using PhiloxWords = std::array<std::uint32_t, 4 * philox_lanes>;

/// Philox of the counters {block, 0, group} for block = first_block, first_block + 1, ...: compilers take many of them
/// in one vector.
template <int Rounds = 10>
void philox_bulk(RandomKey key, std::uint64_t group, std::uint32_t first_block, PhiloxWords& words) noexcept {
  const auto low = static_cast<std::uint32_t>(group), high = static_cast<std::uint32_t>(group >> 32);
  for (std::uint32_t i = 0; i < philox_lanes; ++i) {
    const RandomCounter block = philox<Rounds>({first_block + i, 0, low, high}, key);
    for (std::size_t word = 0; word < block.size(); ++word) words[word * philox_lanes + i] = block[word];
  }
}

/// Key of a stream of random numbers: one seed, many independent streams.
constexpr RandomKey random_key(std::uint64_t seed, std::uint32_t stream) noexcept {
  const RandomCounter mixed =
      philox({stream, 0, 0, 0}, {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)});
  return {mixed[0], mixed[1]};
}

/// Uniform in [0, 1) from 32 random bits.
constexpr double uniform(std::uint32_t word) noexcept { return word * 0x1p-32; }

/// Mean 0, triangular, from the low 16 bits: the sum of two uniform bytes, -255 ... 255.
constexpr std::int32_t triangular_count(std::uint32_t bits) noexcept {
  return static_cast<std::int32_t>((bits & 255) + (bits >> 8 & 255)) - 255;
}

/// Standard deviation of `triangular_count`: sqrt(2 (256^2 - 1) / 12).
inline constexpr double triangular_deviation = 104.51076499576492;

}  // namespace wattloop
