#include "twin/study/draws/confidence.hpp"

#include <cmath>
#include <limits>

#include <boost/math/distributions/binomial.hpp>

namespace wattloop::twin {

namespace {

using Binomial = boost::math::binomial_distribution<double>;
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double beyond_each_end = (1.0 - confidence) / 2.0;

}  // namespace

Estimate percentile(std::span<const double> values, double share) {
  const double place = share * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = below + 1 < values.size() ? below + 1 : below;
  Estimate estimate{std::lerp(values[below], values[above], place - static_cast<double>(below)), -infinity, infinity};
  const Binomial count(static_cast<double>(values.size()), share);
  // At most so many values are below the percentile, with half of what is left to chance: that value is not above it.
  for (std::size_t l = values.size(); l-- > 0;) {
    if (boost::math::cdf(count, static_cast<double>(l)) > beyond_each_end) continue;
    estimate.low = values[l];
    break;
  }
  for (std::size_t u = 0; u < values.size(); ++u) {
    if (boost::math::cdf(boost::math::complement(count, static_cast<double>(u))) > beyond_each_end) continue;
    estimate.high = values[u];
    break;
  }
  return estimate;
}

Estimate share_of_draws(std::size_t count, std::size_t of) {
  const auto n = static_cast<double>(of), k = static_cast<double>(count);
  return {k / n, Binomial::find_lower_bound_on_p(n, k, beyond_each_end),
          Binomial::find_upper_bound_on_p(n, k, beyond_each_end)};
}

std::size_t draws_needed(double share) {
  const double extreme = std::max(share, 1.0 - share);
  return static_cast<std::size_t>(std::ceil(std::log(beyond_each_end) / std::log(extreme)));
}

}  // namespace wattloop::twin
