#include "electrical/protection/grading.hpp"

#include <algorithm>
#include <cmath>

namespace wattloop::electrical {

namespace {

constexpr double narrowest_ratio = 1.01;  ///< of currents that devices tell apart

struct Pair {
  const OvercurrentDevice& upstream;
  const OvercurrentDevice& downstream;
  const OvercurrentDevice& beside;  ///< the downstream device again where there is none

  /// By how much the upstream device operates later; infinity if it does not operate.
  double margin_s(double current_a) const {
    const double upstream_s = operating_time_s(upstream, current_a);
    if (std::isinf(upstream_s)) return upstream_s;
    return upstream_s - std::min(operating_time_s(downstream, current_a), operating_time_s(beside, current_a));
  }
};

/// Currents between which the margin changes smoothly: pickups of all stages, and steps of 1 % between them.
std::vector<double> points(const Pair& pair, double first_a, double last_a) {
  std::vector<double> jumps{first_a, last_a};
  for (const OvercurrentDevice* device : {&pair.upstream, &pair.downstream, &pair.beside}) {
    for (const double at_a :
         {device->pickup_a, device->short_time.pickup_a, device->instantaneous.pickup_a, device->earth.pickup_a}) {
      if (at_a > first_a && at_a < last_a) jumps.push_back(at_a);
    }
  }
  std::ranges::sort(jumps);
  std::vector<double> all;
  for (std::size_t i = 0; i + 1 < jumps.size(); ++i) {
    if (!(jumps[i + 1] > jumps[i])) continue;
    const double ratio = jumps[i + 1] / jumps[i];
    const int steps = std::max(1, static_cast<int>(std::ceil(std::log(ratio) / std::log(1.01))));
    for (int step = 0; step <= steps; ++step) all.push_back(jumps[i] * std::pow(ratio, double(step) / steps));
    all.back() = jumps[i + 1];
  }
  return all;
}

/// The limit between a current with a sufficient margin and a current without.
double border(const Pair& pair, double margin_s, double one_a, double other_a) {
  const bool is_kept_at_one = pair.margin_s(one_a) >= margin_s;
  while (std::abs(other_a - one_a) > 1e-10 * one_a) {
    const double middle_a = 0.5 * (one_a + other_a);
    ((pair.margin_s(middle_a) >= margin_s) == is_kept_at_one ? one_a : other_a) = middle_a;
  }
  return 0.5 * (one_a + other_a);
}

}  // namespace

std::vector<GradingBreach> grading_breaches(const OvercurrentDevice& upstream, const OvercurrentDevice& downstream,
                                            const GradingRule& rule) {
  const Pair pair{upstream, downstream, rule.beside != nullptr ? *rule.beside : downstream};
  std::vector<GradingBreach> breaches;
  const double first_a =
      std::max(narrowest_ratio * std::min(lowest_pickup_a(downstream), lowest_pickup_a(pair.beside)), rule.smallest_a);
  if (!(rule.largest_a > first_a)) return breaches;
  double before_a = 0.0;
  bool is_kept_before = true;
  for (const double current_a : points(pair, first_a, rule.largest_a)) {
    const double margin_s = pair.margin_s(current_a);
    const bool is_kept = margin_s >= rule.margin_s;
    if (!is_kept && is_kept_before) {
      const double from_a = before_a > 0.0 ? border(pair, rule.margin_s, before_a, current_a) : current_a;
      breaches.push_back({upstream.name, downstream.name, from_a, current_a, 0.0, 0.0, margin_s, current_a});
    }
    if (!is_kept) {
      GradingBreach& breach = breaches.back();
      if (margin_s < breach.smallest_margin_s) {
        breach.smallest_margin_s = margin_s;
        breach.worst_a = current_a;
      }
      breach.to_a = current_a;
    } else if (!is_kept_before) {
      breaches.back().to_a = border(pair, rule.margin_s, before_a, current_a);
    }
    before_a = current_a;
    is_kept_before = is_kept;
  }
  std::erase_if(breaches, [](const GradingBreach& breach) { return breach.to_a < narrowest_ratio * breach.from_a; });
  for (GradingBreach& breach : breaches) {
    breach.from_multiple = breach.from_a / downstream.pickup_a;
    breach.to_multiple = breach.to_a / downstream.pickup_a;
  }
  return breaches;
}

}  // namespace wattloop::electrical
