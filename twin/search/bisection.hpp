// The last value that holds, between one that does and one that does not.
//
// Bisection halves the bracket until it is no wider than the tolerance: 2 + ceil(log2(width / tolerance)) trials. It finds one change of the
// answer; that there is only one is looked at by further trials in the widest gaps between those there are, and reported where it is not so.
#pragma once

#include <functional>
#include <vector>

namespace wattloop::twin {

struct BisectionRange {
  double low = 0.0, high = 0.0;
  double tolerance = 0.0;  ///< of the value that is found
  bool is_largest = true;  ///< sought is the largest that holds, else the smallest
  bool is_whole = false;   ///< only whole numbers; the tolerance is then 1
  int probes = 2;          ///< trials to see whether there is only one change
};

struct BisectionTrial {
  double at = 0.0;
  bool holds = false;
  bool is_probe = false;
};

struct Bisection {
  enum class Outcome {
    found,
    all_hold,    ///< both ends: `holding` is the far one
    none_holds,  ///< neither end
    reversed,    ///< holds where it should not and not where it should: the other of largest and smallest is meant
  };
  Outcome outcome = Outcome::found;
  double holding = 0.0, failing = 0.0;   ///< next to each other; of `found`
  std::vector<BisectionTrial> trials{};  ///< in their order
  std::vector<double> against{};         ///< values whose answer is not what one change alone would give

  bool is_monotone() const { return against.empty(); }
};

/// `holds` is asked once for each value. std::invalid_argument where the range or the tolerance is empty.
Bisection bisect(const BisectionRange& range, const std::function<bool(double)>& holds);

}  // namespace wattloop::twin
