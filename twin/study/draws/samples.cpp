#include "twin/study/draws/samples.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/numbers/random.hpp"

namespace wattloop::twin {

std::vector<double> random_samples(std::size_t count, std::uint64_t seed, std::uint32_t stream) {
  const RandomKey key = random_key(seed, stream);
  std::vector<double> samples(count);
  for (std::size_t i = 0; i < count; ++i)
    samples[i] = uniform(philox({static_cast<std::uint32_t>(i), 0, 0, 0}, key)[0]);
  return samples;
}

std::vector<double> stratified_samples(std::size_t count, std::uint64_t seed, std::uint32_t stream) {
  const RandomKey key = random_key(seed, stream);
  std::vector<std::size_t> strata(count);
  std::iota(strata.begin(), strata.end(), std::size_t{0});
  std::vector<double> samples(count);
  for (std::size_t i = count; i-- > 0;) {  // Fisher and Yates
    const RandomCounter words = philox({static_cast<std::uint32_t>(i), 1, 0, 0}, key);
    std::swap(strata[i], strata[static_cast<std::size_t>(uniform(words[0]) * static_cast<double>(i + 1))]);
    const double end = static_cast<double>(strata[i] + 1) / static_cast<double>(count);
    const double sample = (static_cast<double>(strata[i]) + uniform(words[1])) / static_cast<double>(count);
    samples[i] = std::min(sample, std::nextafter(end, 0.0));
  }
  return samples;
}

}  // namespace wattloop::twin
