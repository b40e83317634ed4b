// Random numbers by counter: the same (key, counter) gives the same numbers in any order and on any thread.
//
// Philox 4x32: multiply, exchange, exclusive-or, repeated; 7 rounds already pass BigCrush, 10 are customary.
// Source: [salmon2011]. Verified in tests/verification/random.cpp against the known answers of its authors.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

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

/// Fills `words` with philox of the counters {block, group} for block = first_block, first_block + 1, ...: four words
/// each, in order. Their number is a multiple of four. Eight blocks at a time, so that compilers vectorise.
template <int Rounds = 10>
void philox_fill(RandomKey key, std::uint64_t group, std::uint32_t first_block,
                 std::span<std::uint32_t> words) noexcept {
  constexpr std::size_t lanes = 8;
  const std::uint32_t low = static_cast<std::uint32_t>(group), high = static_cast<std::uint32_t>(group >> 32);
  const std::size_t blocks = words.size() / 4;
  for (std::size_t begin = 0; begin < blocks; begin += lanes) {
    std::uint32_t a[lanes], b[lanes], c[lanes], d[lanes];
    for (std::size_t i = 0; i < lanes; ++i) {
      a[i] = first_block + static_cast<std::uint32_t>(begin + i);
      b[i] = 0;
      c[i] = low;
      d[i] = high;
    }
    RandomKey round_key = key;
    for (int round = 0; round < Rounds; ++round) {
      for (std::size_t i = 0; i < lanes; ++i) {
        const std::uint64_t first = std::uint64_t{0xD2511F53} * a[i];
        const std::uint64_t second = std::uint64_t{0xCD9E8D57} * c[i];
        a[i] = static_cast<std::uint32_t>(second >> 32) ^ b[i] ^ round_key[0];
        b[i] = static_cast<std::uint32_t>(second);
        c[i] = static_cast<std::uint32_t>(first >> 32) ^ d[i] ^ round_key[1];
        d[i] = static_cast<std::uint32_t>(first);
      }
      round_key[0] += 0x9E3779B9;
      round_key[1] += 0xBB67AE85;
    }
    std::uint32_t* out = words.data() + 4 * begin;
    for (std::size_t i = 0; i < lanes && begin + i < blocks; ++i, out += 4) {
      out[0] = a[i];
      out[1] = b[i];
      out[2] = c[i];
      out[3] = d[i];
    }
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

/// Mean 0, deviation 1, triangular, from the low 16 bits: the sum of two uniform bytes.
constexpr float triangular(std::uint32_t bits) noexcept {
  constexpr float deviation = 104.51077F;  // sqrt(2 (256^2 - 1) / 12)
  return static_cast<float>(static_cast<std::int32_t>((bits & 255) + (bits >> 8 & 255)) - 255) * (1.0F / deviation);
}

/// Largest magnitude that `triangular` returns.
inline constexpr double triangular_limit = 255.0 / 104.51077;

}  // namespace wattloop
