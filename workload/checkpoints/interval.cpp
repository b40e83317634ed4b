#include "workload/checkpoints/interval.hpp"

#include <cmath>
#include <limits>

namespace wattloop::workload {

double young_interval_s(double save_s, double mean_time_s) { return std::sqrt(2.0 * save_s * mean_time_s); }

double daly_interval_s(double save_s, double mean_time_s) {
  const double ratio = save_s / (2.0 * mean_time_s);
  if (ratio >= 1.0) return mean_time_s;
  return young_interval_s(save_s, mean_time_s) * (1.0 + std::sqrt(ratio) / 3.0 + ratio / 9.0) - save_s;
}

double job_mean_time_s(const FailureParams& failures, double gpus, double working_gpus) {
  double per_s = 0.0;
  for (const FailureKind& kind : failures.kinds) per_s += (kind.takes_node ? working_gpus : gpus) / kind.mean_time_s;
  return per_s > 0.0 ? 1.0 / per_s : std::numeric_limits<double>::infinity();
}

}  // namespace wattloop::workload
