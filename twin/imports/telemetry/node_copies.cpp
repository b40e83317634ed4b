#include "twin/imports/telemetry/node_copies.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "core/numbers/random.hpp"

namespace wattloop::twin {

namespace {

constexpr std::uint32_t copies_stream = 0x696d70;
constexpr double furthest_level = 3.0;  // standard deviations

double standard_normal(std::uint32_t first, std::uint32_t second) {
  const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform(first)));
  return std::clamp(radius * std::cos(2.0 * std::numbers::pi * uniform(second)), -furthest_level, furthest_level);
}

}  // namespace

std::vector<NodeCopy> copies_of(const TraceRows& trace, const CopyOptions& options, Problems& problems) {
  const double most = std::floor(options.jitter_s / trace.interval_s + 1e-9);
  if (options.jitter_s > 0.0 && most < 1.0)
    problems.add({{"--jitter", 0, 0},
                  fmt::format("{} is shorter than the interval of the trace, {}: no node would move",
                              span_text(options.jitter_s), span_text(trace.interval_s)),
                  "a jitter of one interval or more; `spread` of a replay has shorter ones",
                  {}});
  const std::size_t choices = std::min(trace.rows(), static_cast<std::size_t>(most) + 1);
  const RandomKey key = random_key(options.seed, copies_stream);
  std::vector<NodeCopy> copies(options.nodes);
  for (std::size_t node = 0; node < copies.size(); ++node) {
    const RandomCounter words = philox({static_cast<std::uint32_t>(node), 0, 0, 0}, key);
    copies[node] = {.source = node % trace.nodes.size(),
                    .shift_rows = static_cast<std::size_t>(uniform(words[0]) * static_cast<double>(choices)),
                    .level_ratio = 1.0 + options.spread_ratio * standard_normal(words[1], words[2])};
  }
  return copies;
}

}  // namespace wattloop::twin
