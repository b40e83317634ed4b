#include "twin/units/unit_classes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include "core/numbers/random.hpp"

namespace wattloop::twin {

namespace {

constexpr std::uint32_t resistance_stream = 0x52455349, flow_stream = 0x464C4F57, leakage_stream = 0x4C45414B,
                        pattern_stream = 0x50415454;  // letters, so that no other part of a run has them
constexpr std::size_t pair_count = UnitClasses::pattern_count / 2;
constexpr std::size_t mean_pattern = UnitClasses::pattern_count;

/// Number `index` of a stream.
std::uint32_t word(RandomKey key, std::size_t index) {
  return philox({static_cast<std::uint32_t>(index), 0, 0, 0}, key)[0];
}

/// Where the normal distribution of mean 0 and deviation 1 has a share `fraction` below; by halving, because it is done rarely.
double normal_quantile(double fraction) {
  double low = -10.0, high = 10.0;
  while (high - low > 1e-14) {
    const double middle = 0.5 * (low + high);
    (0.5 * std::erfc(-middle / std::numbers::sqrt2) < fraction ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

/// The middles of `count` equally likely parts of the normal distribution, with a mean square of exactly one.
std::vector<double> normal_parts(std::size_t count) {
  std::vector<double> parts(count);
  double squares = 0.0;
  for (std::size_t k = 0; k < count; ++k) {
    parts[k] = normal_quantile((static_cast<double>(k) + 0.5) / static_cast<double>(count));
    squares += parts[k] * parts[k];
  }
  for (double& part : parts) part /= std::sqrt(squares / static_cast<double>(count));
  return parts;
}

void shuffle(std::span<double> values, RandomKey key, std::size_t first_word) {
  for (std::size_t k = values.size(); k > 1; --k) {
    const auto other = static_cast<std::size_t>(uniform(word(key, first_word + k)) * static_cast<double>(k));
    std::swap(values[k - 1], values[other]);
  }
}

/// Deviations of all classes in units of the spread: pairs of patterns, each the mirror of the other.
std::vector<double> mirrored(std::uint64_t seed, std::uint32_t stream) {
  const RandomKey key = random_key(seed, stream);
  constexpr std::size_t count = pair_count * lane_count;
  const std::vector<double> parts = normal_parts(2 * count);
  std::vector<double> half(parts.begin() + count, parts.end());  // the positive ones
  shuffle(half, key, 0);
  std::vector<double> to(UnitClasses::pattern_count * lane_count);
  for (std::size_t k = 0; k < count; ++k) {
    const double deviation = word(key, 2 * count + k) & 1 ? half[k] : -half[k];
    const std::size_t pattern = 2 * (k / lane_count), lane = k % lane_count;
    to[pattern * lane_count + lane] = deviation;
    to[(pattern + 1) * lane_count + lane] = -deviation;
  }
  return to;
}

/// The same for flow: each pattern has the same deviations, in an order of its own.
std::vector<double> balanced(std::uint64_t seed) {
  const RandomKey key = random_key(seed, flow_stream);
  std::vector<double> to;
  for (std::size_t pattern = 0; pattern < UnitClasses::pattern_count; ++pattern) {
    std::vector<double> parts = normal_parts(lane_count);
    shuffle(parts, key, 2 * lane_count * pattern);
    to.insert(to.end(), parts.begin(), parts.end());
  }
  return to;
}

}  // namespace

UnitClasses make_unit_classes(const UnitSpread& spread, std::uint64_t seed, std::span<const Station> stations) {
  UnitClasses classes;
  if (spread.is_none()) return classes;
  const std::vector<double> resistance = mirrored(seed, resistance_stream), flow = balanced(seed),
                            leakage = mirrored(seed, leakage_stream);
  for (std::size_t k = 0; k < resistance.size(); ++k) {
    classes.variations.push_back({1.0 + spread.resistance_ratio * resistance[k], 1.0 + spread.flow_ratio * flow[k],
                                  1.0 + spread.leakage_ratio * leakage[k]});
  }
  classes.variations.resize(classes.variations.size() + lane_count);
  std::size_t eights = 0, next = 0;
  for (const Station& station : stations) eights += station.unit_count / lane_count;
  const RandomKey key = random_key(seed, pattern_stream);
  for (const Station& station : stations) {
    for (std::size_t unit = 0; unit < station.unit_count; ++unit) {
      const std::size_t lane = unit % lane_count, eight = next + unit / lane_count;
      const bool has_partner = unit / lane_count < station.unit_count / lane_count && (eight | 1) < eights;
      const std::uint32_t bits = word(key, eight / 2);  // of both partners
      const std::size_t pattern = has_partner ? 2 * (bits % pair_count) + ((bits >> 16 ^ eight) & 1) : mean_pattern;
      classes.pattern_of_unit.push_back(static_cast<std::uint8_t>(pattern));
      classes.class_of_unit.push_back(static_cast<std::uint8_t>(pattern * lane_count + lane));
    }
    next += station.unit_count / lane_count;
  }
  return classes;
}

}  // namespace wattloop::twin
