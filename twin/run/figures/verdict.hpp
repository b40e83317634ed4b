// What came of limits on figures of the summary: held or violated, and by how much. A figure that is not a number holds no limit.
#pragma once

#include <limits>
#include <span>
#include <string>
#include <vector>

#include "twin/run/figures/kpi_limit.hpp"

namespace wattloop::twin {

struct Verdict {
  KpiLimit limit;
  double value = std::numeric_limits<double>::quiet_NaN();  ///< SI; not a number: it cannot be judged
  bool is_met = false;
  std::string reason{};  ///< why it is not a number

  bool can_be_judged() const;
  double margin() const;  ///< how far the value may still go, SI; negative: by how much the limit is violated
};

/// In the order of the limits. std::out_of_range for one on a figure that is not there.
std::vector<Verdict> judge(std::span<const KpiLimit> limits, std::span<const NamedValue> figures);

bool is_any_violated(std::span<const Verdict> verdicts);

/// A block of the summary: limit, value, what came of it; in the units in which limits are written. Empty where there are none.
std::string verdicts_text(std::span<const Verdict> verdicts);

}  // namespace wattloop::twin
