#include "twin/search/optimum.hpp"

#include <boost/math/tools/minima.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>

namespace wattloop::twin {

namespace {

constexpr std::uintmax_t most_trials = 60;

/// Whether values in the order of their places rise and later fall.
bool rises_and_falls(std::vector<OptimumTrial> trials) {
  std::ranges::sort(trials, {}, &OptimumTrial::at);
  bool has_risen = false;
  for (std::size_t i = 1; i < trials.size(); ++i) {
    if (has_risen && trials[i].value < trials[i - 1].value) return true;
    has_risen = has_risen || trials[i].value > trials[i - 1].value;
  }
  return false;
}

}  // namespace

Optimum minimise(double low, double high, double tolerance, const std::function<double(double)>& value_at) {
  if (!(high > low) || !(tolerance > 0.0)) throw std::invalid_argument("minimise: the range or the tolerance is empty");
  Optimum optimum;
  const auto ask = [&](double share) {
    const double at = share >= 1.0 ? high : low + share * (high - low), value = value_at(at);
    optimum.trials.push_back({at, value});
    return value;
  };
  ask(0.0);
  ask(1.0);
  // Boost's tolerance is relative; of 1 to 2 its last step is at most 4.5 times 2^(1 - bits).
  const int bits = 1 + static_cast<int>(std::ceil(std::log2(std::max(1.0, 4.5 * (high - low) / tolerance))));
  std::uintmax_t trials = most_trials;
  boost::math::tools::brent_find_minima([&](double x) { return ask(x - 1.0); }, 1.0, 2.0, bits, trials);
  const OptimumTrial best = *std::ranges::min_element(optimum.trials, {}, &OptimumTrial::value);
  optimum.at = best.at;
  optimum.value = best.value;
  optimum.is_at_end = best.at - low <= tolerance || high - best.at <= tolerance;
  optimum.has_valleys = rises_and_falls(optimum.trials);
  return optimum;
}

}  // namespace wattloop::twin
