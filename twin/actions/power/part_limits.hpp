// Limits of parts: what goes beyond one is reported, and where the models end the run ends (core/parts/limit.hpp). Loadings of the power system are
// protected by twin/actions/power/power_protection.hpp, dies and the air of nodes by firmware.
//
//   reported   `limit_exceeded` when a part goes beyond a limit, `limit_cleared` when it has been back for a minute, at the times of both;
//          parts of a kind that do so at one instant are reported together, by the one that is farthest beyond
//   ends   SolverError: the models say nothing beyond
//
// Values are those of intervals that observers see, as they are recorded: an interval that is beyond counts from its begin. Tested in
// tests/unit/plant/part_limits.cpp and tests/properties/limits.cpp.
#pragma once

#include <string>
#include <vector>

#include "twin/plant/snapshot/evaluation.hpp"
#include "twin/plant/state/limited_quantities.hpp"
#include "twin/plant/state/plant_state.hpp"
#include "twin/results/schema/event_record.hpp"

namespace wattloop::twin {

class PartLimits {
 public:
  explicit PartLimits(const Plant& plant);

  /// Counts an interval of `duration_s` that ends at `end_s`, or a part of it, with those values. Allocates nothing.
  void count(const Evaluation& evaluation, double end_s, double duration_s, LimitState& memory);

  /// Reports which parts went beyond a limit and which came back, sorted into `events` by time. Throws SolverError, with that reported,
  /// where one is beyond the end of the models.
  void report(PlantState& state, std::vector<EventRecord>& events) const;

  /// One sentence for each quantity that is beyond the end of the models with those values.
  std::vector<std::string> impossible(const Evaluation& evaluation);

 private:
  /// What observers see as one.
  struct Interval {
    double begin_s, duration_s;
  };

  void count_quantity(std::size_t quantity, const Interval& interval, PartBeyond* parts) const;

  const std::vector<LimitedQuantity> quantities_;
  std::vector<std::vector<double>> counted_from_;  ///< [quantity][part] its limit with what rounding adds
  std::vector<double> values_;                     ///< [part of a quantity] scratch
};

}  // namespace wattloop::twin
