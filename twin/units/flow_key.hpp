// One key for "the same flows": what was computed for flows and specific heats, and for the duration of a sample over which they go
// linearly, holds where these are the same to the bit. Temperatures, states and loads are no part of it.
//
// Whoever remembers by it remembers for speed alone: what is found is what would be computed.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/parts/unit_model.hpp"

namespace wattloop::twin {

template <std::size_t PortCount>
class FlowKey {
 public:
  /// Of nothing: no flows have it.
  FlowKey() { bits_.fill(~std::uint64_t{0}); }

  /// Of a sample; `begin` and `end` have at most `PortCount` ports.
  FlowKey(double duration_s, std::span<const PortNow> begin, std::span<const PortNow> end) : bits_{} {
    bits_[0] = std::bit_cast<std::uint64_t>(duration_s);
    for (std::size_t p = 0; p < begin.size(); ++p) {
      bits_[1 + 3 * p] = std::bit_cast<std::uint64_t>(begin[p].flow_kg_per_s);
      bits_[2 + 3 * p] = std::bit_cast<std::uint64_t>(end[p].flow_kg_per_s);
      bits_[3 + 3 * p] = std::bit_cast<std::uint64_t>(begin[p].specific_heat_j_per_kg_k);
    }
  }

  /// Of an instant.
  explicit FlowKey(std::span<const PortNow> ports) : FlowKey(0.0, ports, ports) {}

  bool operator==(const FlowKey&) const = default;

  /// A number below 2^bits that distinguishes neighbours.
  std::size_t place(int place_bits) const {
    constexpr std::uint64_t factor = 0x9E3779B97F4A7C15;  // of the golden ratio: multiplication spreads neighbours
    std::uint64_t mixed = bits_[0];
    for (std::size_t k = 1; k < bits_.size(); ++k) mixed = (std::rotl(mixed, 23) ^ bits_[k]) * factor;
    return mixed >> (64 - place_bits);
  }

 private:
  std::array<std::uint64_t, 1 + 3 * PortCount>
      bits_;  ///< duration; flow at begin and end and specific heat of each port
};

}  // namespace wattloop::twin
