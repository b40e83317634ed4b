#include "twin/study/draws/distribution.hpp"

#include <algorithm>
#include <cmath>

#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/triangular.hpp>

namespace wattloop::twin {

namespace {

constexpr double least_share = 1e-12;  // normal deviates end at seven deviations

/// The share of a standard normal distribution that its ends leave.
double share_between(double share, std::optional<double> from_z, std::optional<double> to_z) {
  const boost::math::normal standard;
  const double below = from_z ? boost::math::cdf(standard, *from_z) : 0.0;
  const double up_to = to_z ? boost::math::cdf(standard, *to_z) : 1.0;
  return std::clamp(below + share * (up_to - below), least_share, 1.0 - least_share);
}

}  // namespace

double Distribution::quantile(double share) const {
  const double at = std::clamp(share, 0.0, 1.0);
  if (kind == Kind::uniform) return *from + at * (*to - *from);
  if (kind == Kind::triangular) return boost::math::quantile(boost::math::triangular(*from, middle, *to), at);
  const bool is_log = kind == Kind::lognormal;
  const auto deviations = [&](const std::optional<double>& end) -> std::optional<double> {
    if (!end) return std::nullopt;
    return is_log ? std::log(*end / middle) / std::log(spread) : (*end - middle) / spread;
  };
  const double z = boost::math::quantile(boost::math::normal(), share_between(at, deviations(from), deviations(to)));
  const double value = is_log ? middle * std::pow(spread, z) : middle + spread * z;
  return std::clamp(value, from.value_or(value), to.value_or(value));
}

}  // namespace wattloop::twin
