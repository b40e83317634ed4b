// A limit on a figure of the summary, as people write it: "peak_die_temperature <= 80 degC", "pue < 1.2", "trips <= 0". One
// parser for all commands that take `--limit`.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/text/problem.hpp"
#include "twin/results/schema/results_schema.hpp"

namespace wattloop::twin {

struct KpiLimit {
  enum class Relation { at_most, at_least, below, above };

  std::string text;  ///< as it was written
  std::string name;  ///< of the figure
  Relation relation = Relation::at_most;
  double bound = 0.0;        ///< in the SI unit of the figure
  std::string si_unit;       ///< of the figure: "K", "delta_K", "1", ...
  std::string written_unit;  ///< that of the bound: "degC", "%"; empty: none

  bool holds(double value) const;
};

/// "<=", ">=", "<", ">".
std::string sign_of(KpiLimit::Relation relation);

/// Limits on `figures`, of which names and units count, not values: what `summarise` says of a run that has not begun. Units are
/// read as in scenarios. What is wrong goes to `problems`, all of it.
std::vector<KpiLimit> read_limits(std::span<const std::string> texts, std::span<const NamedValue> figures,
                                  Problems& problems);

}  // namespace wattloop::twin
