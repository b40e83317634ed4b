#include "twin/search/bisection.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>

namespace wattloop::twin {

namespace {

class Bisecting {
 public:
  Bisecting(const BisectionRange& range, const std::function<bool(double)>& holds) : range_(range), holds_(holds) {}

  Bisection run() {
    const double near = range_.is_largest ? range_.low : range_.high;  // where it should hold
    const double far = range_.is_largest ? range_.high : range_.low;
    const bool near_holds = ask(near, false), far_holds = ask(far, false);
    if (near_holds && !far_holds) {
      narrow(near, far);
    } else {
      made_.outcome = near_holds  ? Bisection::Outcome::all_hold
                      : far_holds ? Bisection::Outcome::reversed
                                  : Bisection::Outcome::none_holds;
      made_.holding = far;
      made_.failing = near;
    }
    probe();
    return std::move(made_);
  }

 private:
  bool ask(double at, bool is_probe) {
    const bool holds = holds_(at);
    made_.trials.push_back({at, holds, is_probe});
    return holds;
  }

  double middle(double a, double b) const {
    const double middle = a + 0.5 * (b - a);
    return range_.is_whole ? std::floor(middle) : middle;
  }

  double resolution() const { return range_.is_whole ? 1.0 : range_.tolerance; }

  void narrow(double holding, double failing) {
    while (std::abs(failing - holding) > resolution()) {
      const double at = middle(holding, failing);
      if (at == holding || at == failing) break;
      (ask(at, false) ? holding : failing) = at;
    }
    made_.holding = holding;
    made_.failing = failing;
  }

  /// The middle of the widest gap between trials from `a` to `b`.
  std::optional<double> widest_gap(double a, double b) const {
    std::vector<double> seen{a, b};
    const auto [low, high] = std::minmax(a, b);
    for (const BisectionTrial& trial : made_.trials) {
      if (trial.at > low && trial.at < high) seen.push_back(trial.at);
    }
    std::ranges::sort(seen);
    double width = resolution();
    std::optional<double> at;
    for (std::size_t i = 1; i < seen.size(); ++i) {
      const double candidate = middle(seen[i - 1], seen[i]);
      if (!(seen[i] - seen[i - 1] > width) || candidate == seen[i - 1]) continue;
      width = seen[i] - seen[i - 1];
      at = candidate;
    }
    return at;
  }

  void probe_between(double a, double b, bool should_hold) {
    const std::optional<double> at = widest_gap(a, b);
    if (at && ask(*at, true) != should_hold) made_.against.push_back(*at);
  }

  /// By turns where it should hold and where it should not.
  void probe() {
    using Outcome = Bisection::Outcome;
    const double near = range_.is_largest ? range_.low : range_.high,
                 far = range_.is_largest ? range_.high : range_.low;
    for (int number = 0; number < range_.probes; ++number) {
      if (made_.outcome == Outcome::reversed) return;
      if (made_.outcome == Outcome::found && number % 2 == 0) {
        probe_between(near, made_.holding, true);
      } else if (made_.outcome == Outcome::found) {
        probe_between(made_.failing, far, false);
      } else {
        probe_between(near, far, made_.outcome == Outcome::all_hold);
      }
    }
  }

  const BisectionRange& range_;
  const std::function<bool(double)>& holds_;
  Bisection made_;
};

}  // namespace

Bisection bisect(const BisectionRange& range, const std::function<bool(double)>& holds) {
  if (!(range.high > range.low)) throw std::invalid_argument("bisect: the range is empty");
  if (!range.is_whole && !(range.tolerance > 0.0)) throw std::invalid_argument("bisect: the tolerance is not above 0");
  return Bisecting(range, holds).run();
}

}  // namespace wattloop::twin
